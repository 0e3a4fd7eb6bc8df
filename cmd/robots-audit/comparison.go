package main

import (
	"fmt"
	"iter"
	"os"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
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
}

// compare compares the two sides.
func (s *sidesOf) compare(temp string) iter.Seq2[compare.Item, error] {
	var old, new iter.Seq2[audit.Record, error]
	if s.old != nil {
		old = s.old.Records()
	}
	if s.new != nil {
		new = s.new.Records()
	}
	if s.robots != "" {
		new = compare.Serve(new, s.host, s.body)
	}
	return compare.Sides(old, new, compare.Options{Temp: temp})
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
func sideOf(run *reports.StoredRun, robots string) changes.Run {
	of := changes.Run{Path: run.Path, ID: run.ID, Version: run.Version, Started: run.Started, Finished: run.Finished, Robots: robots}
	for _, c := range run.Crawlers {
		of.Crawlers = append(of.Crawlers, c.Label)
	}
	return of
}

// folder makes the folder of what is written. Where none is named and none is asked for, it is a
// temporary one.
func (c *comparing) folder() (dir string, temporary bool, err error) {
	if c.out != "" {
		return c.out, false, nil
	}
	if c.json {
		dir, err = os.MkdirTemp("", "robots-audit-")
		return dir, true, err
	}
	base := "robots-audit-" + c.name + "-" + time.Now().UTC().Format("20060102-150405")
	dir = base
	for n := 2; n < 100; n++ {
		if err = os.Mkdir(dir, 0o755); !os.IsExist(err) {
			return dir, false, err
		}
		dir = fmt.Sprintf("%s-%d", base, n)
	}
	return dir, false, err
}
