package reports

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// TestToDoHasFindings checks sites with many faults: each finding of warning or above is named by an
// item of its origin, and each item has such a finding, or a blocked URL. A site with such a finding
// has something to do.
func TestToDoHasFindings(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(38, 5))
	agents := []string{"*", "Googlebot", "Bingbot", "googlebot-mobile", "Googlebot/2.1", "", "GPTBot", "http://a"}
	paths := []string{"/", "/a", "/a/", "/a$b", "a", "https://example.com/a", "/[a-z]+", "", "/A", "/a b", "/a#b", "*", "/*.css$"}
	fields := []string{"Disallow", "Disallow", "Allow", "Dissalow", "Noindex", "Sitemap", "Host", "Crawl-delay"}
	found, alone, lines := 0, 0, 0
	for n := range 400 {
		var b strings.Builder
		for range r.IntN(4) {
			fmt.Fprintf(&b, "User-agent: %s\n", agents[r.IntN(len(agents))])
			for range r.IntN(5) {
				fmt.Fprintf(&b, "%s: %s\n", fields[r.IntN(len(fields))], paths[r.IntN(len(paths))])
			}
			if r.IntN(2) == 0 {
				b.WriteByte('\n')
			}
		}
		file := engine.File{Status: 200, Body: []byte(b.String())}
		if n%40 == 0 {
			file = engine.File{Status: 503}
		}
		records := judged(t, "Googlebot,Bingbot,YandexBot,GPTBot", file, "/", "/a", "/a/b", "/c.css")
		var list []audit.Finding
		for _, f := range engine.Lint(file.Body, engine.LintOptions{URL: "https://example.com/robots.txt", File: &file}) {
			list = append(list, audit.Finding{Finding: f, Flips: int64(r.IntN(2) * r.IntN(3)), FlipsKnown: r.IntN(2) == 0})
		}
		for _, id := range []string{"SM002", "SM003", "SM005", "SM012", "SM018", "SM019", "RUL020", "RUL021", "FET009"} {
			if kind, _ := engine.FindingKindByID(id); r.IntN(4) == 0 {
				f := kind.Finding()
				f.Line, f.Profiles = r.IntN(4), []string{"google"}
				list = append(list, audit.Finding{Finding: f, Counted: true, URLs: 1, Samples: []string{"https://example.com/a"}})
			}
		}
		records = slices.Insert(records, len(records)-1, audit.Record{Domain: "example.com", Findings: &audit.Findings{List: list}})
		if r.IntN(3) == 0 {
			records = slices.Insert(records, 2, audit.Record{Domain: "example.com", Sitemap: &audit.Sitemap{SitemapFile: crawl.SitemapFile{
				Outcome: crawl.Outcome{URL: "https://example.com/gone.xml", Status: 404, Code: crawl.CodeHTTPStatus}, Parent: -1, Line: 1, Index: 1}}})
		}
		s := site.New(records[0].Site, func(int) []byte { return file.Body })
		for _, rec := range records {
			s.AddRecord(rec)
		}
		done := records[len(records)-1].Done
		todo := s.ToDo(done)
		named := map[string]bool{}
		for _, c := range todo.List {
			for _, id := range c.Findings {
				named[id] = true
			}
			blocks := c.Kind == site.CauseLine || c.Kind == site.CauseAccess || c.Kind == site.CauseSitemaps
			if c.Findings == nil && !blocks {
				t.Fatalf("nothing is found of %q\n%s", c.What, file.Body)
			}
			if c.Proof == "" && c.Kind != site.CauseFinding || c.Do == "" || c.What == "" || c.Meant == "" {
				t.Fatalf("%+v\n%s", c, file.Body)
			}
			if c.Kind == site.CauseFinding {
				alone++
			} else if c.Findings != nil {
				lines++
			}
		}
		for i := range list {
			if f := &list[i]; f.Effect() >= engine.Warning {
				if found++; !named[f.ID] || todo.Nothing != "" {
					t.Fatalf("no item names %s (%s, line %d)\n%s", f.ID, f.What, f.Line, file.Body)
				}
			}
		}
	}
	if found < 1000 || alone < 500 || lines < 50 {
		t.Errorf("%d findings, %d items of their own, %d with other items", found, alone, lines)
	}
}
