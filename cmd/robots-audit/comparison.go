package main

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
	"robots-audit/reports"
	"robots-audit/reports/changes"
)

// sidesOf is one site of a comparison: its records in either run.
type sidesOf struct {
	name     string
	old, new *reports.StoredSite // nil = that run does not know it
	robots   string              // name of the file that stands in for the new side's robots.txt; "" = none does
	host     string              // of that file
	body     []byte
	origins  []string        // whose file has another body on the new side, on top of that; nil = none
	edited   []byte          // that body
	crawlers []audit.Crawler // compared beside those of the runs
}

// compare compares the two sides.
func (s *sidesOf) compare(temp string) iter.Seq2[compare.Item, error] {
	var old, new iter.Seq2[audit.Record, error]
	if s.old != nil {
		old = withCrawlers(s.old.Records(), s.crawlers)
	}
	if s.new != nil {
		new = withCrawlers(s.proposed(), s.crawlers)
	}
	if s.origins != nil {
		new = compare.Edit(new, s.origins, s.edited)
	}
	return compare.Sides(old, new, compare.Options{Temp: temp})
}

// proposed are the records of the new side with the file that stands in for its robots.txt,
// if there is one.
func (s *sidesOf) proposed() iter.Seq2[audit.Record, error] {
	if s.host == "" {
		return s.new.Records()
	}
	return compare.Serve(s.new.Records(), s.host, s.body)
}

// withCrawlers returns records of a site as if further crawlers had been asked for. They
// come last, so that the others keep the verdicts that were recorded for them.
func withCrawlers(records iter.Seq2[audit.Record, error], further []audit.Crawler) iter.Seq2[audit.Record, error] {
	if further == nil {
		return records
	}
	return func(yield func(audit.Record, error) bool) {
		for rec, err := range records {
			if rec.Site != nil {
				site := *rec.Site
				site.Crawlers = slices.Concat(site.Crawlers, further)
				rec.Site = &site
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// sides pairs the sites of two runs: by name, and else by host, where one run was
// asked about https://example.com and the other about example.com. They come in the
// order of the new run, and at the end those that it does not know.
func sides(old, new *reports.StoredRun) (list []sidesOf) {
	byName, byHost := map[string]int{}, map[string][]int{}
	for i, s := range old.Sites {
		byName[s.Name] = i
		byHost[hostName(s.Name)] = append(byHost[hostName(s.Name)], i)
	}
	newNames := map[string]bool{}
	for _, s := range new.Sites {
		newNames[s.Name] = true
	}
	taken := map[int]bool{}
	for i := range new.Sites {
		pair := sidesOf{name: new.Sites[i].Name, new: &new.Sites[i]}
		at, ok := byName[pair.name]
		if alike := byHost[hostName(pair.name)]; !ok && len(alike) == 1 && !newNames[old.Sites[alike[0]].Name] {
			at, ok = alike[0], !taken[alike[0]]
		}
		if ok {
			taken[at] = true
			pair.old = &old.Sites[at]
		}
		list = append(list, pair)
	}
	for i := range old.Sites {
		if !taken[i] {
			list = append(list, sidesOf{name: old.Sites[i].Name, old: &old.Sites[i]})
		}
	}
	return list
}

// hostName is a site's name without its scheme.
func hostName(name string) string {
	if _, host, ok := strings.Cut(name, "://"); ok {
		return host
	}
	return name
}

// sideOf describes a run to a report.
func sideOf(run *reports.StoredRun, robots string, further []audit.Crawler) changes.Run {
	of := changes.Run{Path: run.Path, ID: run.ID, Version: run.Version, Started: run.Started, Finished: run.Finished, Robots: robots}
	for _, c := range slices.Concat(run.Crawlers, further) {
		of.Crawlers = append(of.Crawlers, c.Label)
	}
	return of
}

// pick returns the sites of a name: "example.com", or "https://example.com" where both schemes
// were audited.
func pick(sites []sidesOf, name string) (list []sidesOf) {
	names := []string{name}
	if d, why := audit.ParseDomain(name); why == "" {
		names = append(names, d.Name, hostName(d.Origin("https")))
	}
	for _, name := range names {
		for _, s := range sites {
			if s.name == name || len(list) == 0 && hostName(s.name) == name {
				list = append(list, s)
			}
		}
		if list != nil {
			return list
		}
	}
	return nil
}

// damageOf returns an error where files of the sites are known to be missing or damaged.
func damageOf(sites []sidesOf) error {
	var errs []error
	for _, s := range sites {
		if s.old != nil && s.old.Damage != nil {
			errs = append(errs, s.old.Damage)
		}
		if s.new != nil && s.new.Damage != nil && s.new != s.old {
			errs = append(errs, s.new.Damage)
		}
	}
	if more := len(errs) - maxNamed; more > 0 {
		errs = append(errs[:maxNamed], fmt.Errorf("and %s", wording.Plural(more, "further file")))
	}
	return errors.Join(errs...)
}

// whyUnclear says why a site could not be judged in all; "" = it could.
func whyUnclear(s *compare.Site) string {
	switch {
	case s.Old == nil:
		return "the older run does not know this site"
	case s.New == nil:
		return "the newer run does not know this site"
	case s.Old.Finished.IsZero():
		return "the older run was cut short within this site: URLs may be missing"
	case s.New.Finished.IsZero():
		return "the newer run was cut short within this site: URLs may be missing"
	case s.Totals.NowUnclear > 0:
		return "the verdict on " + wording.Known(s.Totals.NowUnclear) + " is now unclear"
	}
	return ""
}

// outFolder is the folder of a comparison.
type outFolder struct {
	dir       string
	made      bool // just now, by us
	temporary bool // it goes in the end
}

// abandon removes what is half written, also while it still is being written, and the folder
// if there was none before: the program ends.
func (f *outFolder) abandon() {
	reports.RemoveHalfWritten(f.dir)
	for range 10 { // others may be added to them
		if f.unmake() == nil {
			return
		}
	}
}

// unmake removes the folder if there was none before, and nothing is in it.
func (f *outFolder) unmake() error {
	switch {
	case f.temporary:
		return os.RemoveAll(f.dir)
	case f.made:
		return errors.Join(os.RemoveAll(filepath.Join(f.dir, ".robots-audit")), os.Remove(f.dir))
	}
	return nil
}

// open opens the report in its folder. An error that is errOut is a mistake of use.
func (c *comparing) open(o changes.Options) (folder *outFolder, report *changes.Report, err error) {
	stop.during(func() (clean func()) {
		if folder, err = c.folder(); err != nil {
			return nil
		}
		o.Dir, o.JSONOnly = folder.dir, folder.temporary
		report, err = changes.Open(o)
		switch {
		case err == nil:
			return folder.abandon
		case !errors.Is(err, changes.ErrLocked): // or it is somebody else's
			folder.unmake() // best effort
		}
		return nil
	})
	switch {
	case errors.Is(err, changes.ErrLocked), errors.Is(err, changes.ErrRun), errors.Is(err, changes.ErrOthers):
		err = fmt.Errorf("%w %w", errOut, err)
	case err != nil && !errors.Is(err, errOut):
		err = fmt.Errorf("-out %w", err)
	}
	return folder, report, err
}

// folder finds the folder of what is written, and makes it where none is named. Where none is asked
// for, it is a temporary one.
func (c *comparing) folder() (*outFolder, error) {
	if c.out != "" {
		info, err := os.Stat(c.out)
		if err == nil && !info.IsDir() {
			return nil, fmt.Errorf("%w %s: that is a file; name a folder, or none for one of its own", errOut, c.out)
		}
		return &outFolder{dir: c.out, made: errors.Is(err, fs.ErrNotExist)}, nil
	}
	if c.json {
		dir, err := os.MkdirTemp("", "robots-audit-")
		return &outFolder{dir: dir, made: true, temporary: true}, err
	}
	base := "robots-audit-" + c.name + "-" + time.Now().UTC().Format("20060102-150405")
	for n, dir := 2, base; ; n++ {
		err := os.Mkdir(dir, 0o755)
		if !errors.Is(err, fs.ErrExist) || n == 100 {
			return &outFolder{dir: dir, made: err == nil}, err
		}
		dir = fmt.Sprintf("%s-%d", base, n)
	}
}
