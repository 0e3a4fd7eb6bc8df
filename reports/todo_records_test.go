package reports

import (
	"os"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// checkToDo compares what a site's records find with what is to be done: each finding that -fail-on
// counts has an issue that names it, and each issue has a finding, a blocked URL, or a fact about
// pages. It returns the numbers of issues and of such findings.
func checkToDo(t *testing.T, records []audit.Record) (issues, found int) {
	t.Helper()
	bodies := map[int][]byte{}
	for _, rec := range records {
		if rec.Robots != nil {
			bodies[rec.Robots.Index] = rec.Robots.File.Body
		}
	}
	s := site.New(records[0].Site, func(index int) []byte { return bodies[index] })
	for _, rec := range records {
		s.AddRecord(rec)
	}
	d := records[len(records)-1].Done
	todo := s.ToDo(d)
	for _, rec := range records {
		if rec.Findings == nil {
			continue
		}
		for i := range rec.Findings.List {
			f := &rec.Findings.List[i]
			if d.Effect(f) < engine.Warning {
				continue
			}
			found++
			if !slices.ContainsFunc(todo.List, func(c site.Cause) bool {
				here := c.Origin == s.Robots(rec.Findings.Origin).Origin || c.Origin == s.FileOf(rec.Findings.Origin).Origin
				about := c.Kind == site.CauseSitemaps || c.Kind == site.CauseNoIndex // of the site
				return slices.Contains(c.Findings, f.ID) && (here || about)
			}) {
				t.Errorf("%s: no issue names %s (line %d of %s): %s", s.Name, f.ID, f.Line, s.Robots(rec.Findings.Origin).Origin, f.What)
			}
		}
	}
	said := map[string]bool{}
	for _, c := range todo.List {
		if at := c.Kind + c.Origin + c.What; said[at] {
			t.Errorf("%s: twice to do: %s", s.Name, c.What)
		} else {
			said[at] = true
		}
		proven := len(c.Findings) > 0 || c.URLs.Num > 0
		switch c.Kind {
		case site.CauseNoIndex, site.CauseIndexed, site.CauseAccess: // facts about pages, indexed URLs and an answer that blocks
			proven = true
		case site.CauseLine:
			proven = proven || strings.Contains(c.What, "the home page") // which nobody tested
		case site.CauseSitemaps:
			proven = true // one could not be read or is blocked, or there is none
		}
		if !proven {
			t.Errorf("%s: nothing shows the issue %q", s.Name, c.What)
		}
	}
	if e := d.Effects; len(todo.List) == 0 && (d.State == audit.Critical || d.State == audit.Warn || e != nil && e.Critical+e.Error+e.Warning > 0) {
		t.Errorf("%s: nothing to do, but the state is %s, and the findings are %v", s.Name, d.State, e)
	}
	return len(todo.List), found
}

// checkStoredToDo is checkToDo for the sites of a run.
func checkStoredToDo(t *testing.T, dir, version string) (issues, found int) {
	t.Helper()
	run, err := OpenStored(dir, version)
	noError(t, err)
	for _, stored := range run.Sites {
		var records []audit.Record
		for rec, err := range stored.Records() {
			noError(t, err)
			if rec.URLs != nil {
				urls := &audit.URLs{List: slices.Clone(rec.URLs.List)} // the batch is used again
				for i := range urls.List {
					u := &urls.List[i]
					u.Loc, u.Verdicts, u.Lines = strings.Clone(u.Loc), slices.Clone(u.Verdicts), slices.Clone(u.Lines)
				}
				rec.URLs = urls
			}
			records = append(records, rec)
		}
		n, of := checkToDo(t, records)
		issues, found = issues+n, found+of
	}
	return issues, found
}

// TestToDoOfRecords compares findings and issues in records of many kinds. TODO_RUN names the
// folder of a run to compare as well.
func TestToDoOfRecords(t *testing.T) {
	t.Parallel()
	with := func(records []audit.Record, list ...audit.Finding) []audit.Record {
		return slices.Insert(slices.Clone(records), len(records)-1, audit.Record{Findings: &audit.Findings{List: list}})
	}
	finding := func(id string, severity engine.Severity, line int) audit.Finding {
		return audit.Finding{Finding: engine.Finding{ID: id, Severity: severity, Line: line, What: "something in " + id, Why: "w", Fix: "f"}}
	}
	file := engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /a\n\nuser-agent: bingbot\ndisallow: /a\n")}
	plain := judged(t, "Googlebot,Bingbot", file, "/a", "/b")
	var all []audit.Finding // each of the catalogue, for the file and for lines
	for i, kind := range engine.FindingKinds() {
		all = append(all, finding(kind.ID, kind.Severity, i%6), finding(kind.ID, engine.Warning, 5), finding(kind.ID, engine.Error, 0))
	}
	for _, records := range [][]audit.Record{siteRecords("example.com", 0, 10), shutRecords("example.com", 0), cleanRecords("example.com", 0, 5), hostileRecords(), toDoRecords(t),
		plain, with(plain, all...), with(judged(t, "Googlebot", engine.File{Status: 503}, "/a"), all...), with(judged(t, "Googlebot", file), all...)} {
		checkToDo(t, records)
	}
	for _, name := range []string{"", "Googlebot@google-2019"} {
		checkStoredToDo(t, auditHollow(t, strings.TrimSuffix("Googlebot,Bingbot,"+name, ","), hollowSites, nil), "")
	}
	if dir := os.Getenv("TODO_RUN"); dir != "" {
		issues, found := checkStoredToDo(t, dir, "0")
		t.Logf("%s: %d issues name %d findings", dir, issues, found)
	}
}
