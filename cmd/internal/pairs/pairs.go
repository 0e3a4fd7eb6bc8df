// Package pairs matches the sites of two stored runs by name, or by host if the runs name a site
// with different schemes. A site that only one run has is a pair with one side. A proposed
// robots.txt may replace the file of the new side.
package pairs

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
	"robots-audit/reports"
	"robots-audit/reports/changes"
)

// MaxNamed limits the sites, or files, with a problem that are listed by name.
const MaxNamed = 5

// Pair is one site of a comparison: its records in both runs.
type Pair struct {
	Name     string
	Old, New *reports.StoredSite // nil = that run does not have it
	Robots   string              // name of the file that replaces the new side's robots.txt; "" = none
	Host     string              // of that file
	Body     []byte
	Origins  []string        // whose robots.txt is replaced by Edited on the new side; nil = none
	Edited   []byte          // body of the edited robots.txt
	Crawlers []audit.Crawler // compared in addition to those of the runs

	// Watch sees the new side's records as stored, while they are compared; nil = not used.
	Watch func(iter.Seq2[audit.Record, error]) iter.Seq2[audit.Record, error]
}

// Compare compares the two sides.
func (s *Pair) Compare(o compare.Options) iter.Seq2[compare.Item, error] {
	var old, new iter.Seq2[audit.Record, error]
	if s.Old != nil {
		old = withCrawlers(s.Old.Records(), s.Crawlers)
	}
	if s.New != nil {
		new = withCrawlers(s.Proposed(), s.Crawlers)
	}
	if s.Origins != nil {
		new = compare.Edit(new, s.Origins, s.Edited)
	}
	return compare.Sides(old, new, o)
}

// largeSite is the size of a site's compressed records from which its comparison waits for its
// turn. It may need tens of megabytes while it is made. Smaller sites start in advance; those of
// some ten thousand URLs are slow enough to be few.
const largeSite = 256 << 10

// compared is the comparison of a pair.
type compared struct {
	pair  *Pair
	items iter.Seq2[compare.Item, error]
	stop  func() // call it if items is not used
}

// begin starts to compare the two sides, so that several pairs are compared in parallel.
func (s *Pair) begin(o compare.Options) compared {
	for _, side := range []*reports.StoredSite{s.Old, s.New} {
		if side != nil && side.Size() >= largeSite {
			return compared{s, s.Compare(o), func() {}}
		}
	}
	begun := compare.Begin(s.Compare(o))
	return compared{s, begun.Items(), begun.Stop}
}

// Added is a pair that was added to a report.
type Added struct {
	*Pair
	Site *compare.Site
}

// Add compares pairs in parallel, and adds them to a report in their order. It ends with the first error.
func Add(report *changes.Report, list []Pair) iter.Seq2[Added, error] {
	return func(yield func(Added, error) bool) {
		ended := false
		jobs := func(yield func(*Pair) bool) {
			for i := range list {
				if ended || !yield(&list[i]) {
					return
				}
			}
		}
		begin := func(s *Pair) compared { return s.begin(compare.Options{Temp: report.Temp()}) }
		for of := range audit.InOrder(jobs, begin) {
			if ended {
				of.stop()
				continue
			}
			site, err := report.AddSite(of.items)
			ended = !yield(Added{of.pair, site}, err) || err != nil
		}
	}
}

// Proposed are the records of the new side, with its robots.txt replaced if there is a replacement.
func (s *Pair) Proposed() iter.Seq2[audit.Record, error] {
	records := s.New.Records()
	if s.Watch != nil {
		records = s.Watch(records)
	}
	if s.Host == "" {
		return records
	}
	return compare.Serve(records, s.Host, s.Body)
}

// withCrawlers returns records of a site as if they were tested for further crawlers, too. These
// come last, so that the others keep their recorded verdicts.
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

// Of pairs the sites of two runs: by name, or else by host, if one run has https://example.com and
// the other example.com. They are in the order of the new run, followed by those that it does not
// have.
func Of(old, new *reports.StoredRun) (list []Pair) {
	byName, byHost := map[string]int{}, map[string][]int{}
	for i, s := range old.Sites {
		byName[s.Name] = i
		byHost[audit.HostName(s.Name)] = append(byHost[audit.HostName(s.Name)], i)
	}
	newNames := map[string]bool{}
	for _, s := range new.Sites {
		newNames[s.Name] = true
	}
	taken := map[int]bool{}
	for i := range new.Sites {
		pair := Pair{Name: new.Sites[i].Name, New: &new.Sites[i]}
		at, ok := byName[pair.Name]
		if alike := byHost[audit.HostName(pair.Name)]; !ok && len(alike) == 1 && !newNames[old.Sites[alike[0]].Name] {
			at, ok = alike[0], !taken[alike[0]]
		}
		if ok {
			taken[at] = true
			pair.Old = &old.Sites[at]
		}
		list = append(list, pair)
	}
	for i := range old.Sites {
		if !taken[i] {
			list = append(list, Pair{Name: old.Sites[i].Name, Old: &old.Sites[i]})
		}
	}
	return list
}

// Side describes a run for a report.
func Side(run *reports.StoredRun, robots string, further []audit.Crawler) changes.Run {
	of := changes.Run{Path: run.Path, ID: run.ID, Version: run.Version, Started: run.Started, Finished: run.Finished, Robots: robots}
	for _, c := range slices.Concat(run.Crawlers, further) {
		of.Crawlers = append(of.Crawlers, c.Label)
	}
	return of
}

// Pick returns the sites with a name: "example.com", or "https://example.com" if both schemes were
// audited.
func Pick(sites []Pair, name string) (list []Pair) {
	names := []string{name}
	if d, why := audit.ParseDomain(name); why == "" {
		names = append(names, d.Name, audit.HostName(d.Origin("https")))
	}
	for _, name := range names {
		for _, s := range sites {
			if s.Name == name || len(list) == 0 && audit.HostName(s.Name) == name {
				list = append(list, s)
			}
		}
		if list != nil {
			return list
		}
	}
	return nil
}

// Damage returns an error if files of the sites are known to be missing or damaged.
func Damage(sites []Pair) error {
	var errs []error
	for _, s := range sites {
		if s.Old != nil && s.Old.Damage != nil {
			errs = append(errs, s.Old.Damage)
		}
		if s.New != nil && s.New.Damage != nil && s.New != s.Old {
			errs = append(errs, s.New.Damage)
		}
	}
	if more := len(errs) - MaxNamed; more > 0 {
		errs = append(errs[:MaxNamed], fmt.Errorf("and %s", wording.Plural(more, "further file")))
	}
	return errors.Join(errs...)
}

// Idle says why the proposed robots.txt applies to no URL of the compared site; "" = it does, or there
// is no proposal.
func (s *Pair) Idle(of *compare.Site) string {
	if s.Host == "" {
		return ""
	}
	return of.Idle(s.Host)
}

// Empty says why a site with two sides has nothing to compare; "" = it has.
func Empty(s *compare.Site) string {
	if s.Totals.Known == 0 && (s.Old.State == audit.Undetermined || s.New.State == audit.Undetermined) {
		return "no URL was found"
	}
	return s.Unread()
}

// Unclear says why a site could not be judged completely; "" = it could.
func Unclear(s *compare.Site) string {
	switch {
	case s.Old == nil:
		return "this site is not in the older run"
	case s.New == nil:
		return "this site is not in the newer run"
	case s.Old.Finished.IsZero():
		return "the older run was stopped within this site, so URLs may be missing"
	case s.New.Finished.IsZero():
		return "the newer run was stopped within this site, so URLs may be missing"
	case s.Totals.NowUnclear > 0:
		return "the verdict on " + wording.URLs(s.Totals.NowUnclear) + " is now unclear"
	}
	return ""
}
