package reports

import (
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/reports/changes"
)

// comparedSite is a compared site: of every four of n pages, two are newly blocked, for one crawler
// or two, one is newly allowed, and one has appeared. text is in every place for text from a site.
func comparedSite(name string, n int, clicks bool, text string) iter.Seq2[compare.Item, error] {
	site := &compare.Site{Name: name, Causes: map[compare.Cause]int64{}}
	for _, label := range []string{"Googlebot", "Bingbot", "GPTBot" + text} {
		site.Crawlers = append(site.Crawlers, compare.Crawler{Label: label, Old: audit.Crawler{Label: label}, New: audit.Crawler{Label: label}})
	}
	site.Flips = make([]compare.CrawlerTotals, 3)
	old, new := []string{"User-agent: *", "Disallow: /old" + text, "Disallow: /x", "# a", "# b", "# c", "# d", "# e", "# f", "# g", "# h", "Disallow: /moved"}, []string(nil)
	new = slices.Concat([]string{"User-agent: *", "Disallow: /new" + text, "Disallow: /moved"}, old[2:11], []string{"Disallow: /added"})
	return func(yield func(compare.Item, error) bool) {
		if !yield(compare.Item{Begin: site}, nil) {
			return
		}
		lost := compare.Verdicts{Was: engine.Allow, Is: engine.Disallow, New: engine.Rule{Line: 2, Value: "/new" + text}, Class: compare.NewlyBlocked, Cause: compare.Rule, Lines: []int{0}}
		freed := compare.Verdicts{Was: engine.Disallow, Is: engine.Allow, Old: engine.Rule{Line: 2, Value: "/old" + text}, Class: compare.NewlyAllowed, Cause: compare.Rule, Lines: []int{0}}
		for i := range n {
			f := &compare.Flip{Loc: fmt.Sprintf("https://%s/new%s/%d", name, text, i), Verdicts: []compare.Verdicts{lost, {Was: engine.Allow, Is: engine.Allow}, lost}}
			if clicks {
				f.Weight = audit.Weight{Clicks: int64(i), ClicksGiven: true}
			}
			t, weight := &site.Totals, compare.Clicks(f.Weight)
			switch i % 4 {
			case 0:
				f.Verdicts[1] = lost
				t.NewlyBlocked++
			case 1:
				t.NewlyBlocked++
			case 2:
				f.Loc = fmt.Sprintf("https://%s/old%s/%d", name, text, i)
				f.Verdicts = []compare.Verdicts{freed, {Was: engine.Allow, Is: engine.Allow}, freed}
				t.NewlyAllowed++
			case 3:
				f.Appeared = true
				f.Verdicts = make([]compare.Verdicts, 3)
				f.Verdicts[0] = compare.Verdicts{Is: engine.Disallow, New: lost.New}
				t.Appeared++
				t.AppearedBlocked++
			}
			for c, v := range f.Verdicts {
				switch per := &site.Flips[c]; {
				case f.Appeared && v.Is == engine.Disallow:
					per.AppearedBlocked++
				case v.Class == compare.NewlyBlocked:
					per.NewlyBlocked, per.WeightBlocked, per.Weight = per.NewlyBlocked+1, per.WeightBlocked+weight, per.Weight+weight
				case v.Class == compare.NewlyAllowed:
					per.NewlyAllowed, per.WeightAllowed, per.Weight = per.NewlyAllowed+1, per.WeightAllowed+weight, per.Weight+weight
				}
			}
			if !f.Appeared {
				t.Known++
				t.Weight += weight
			}
			if !yield(compare.Item{Flip: f}, nil) {
				return
			}
		}
		answer := func(status int, lines []string) *compare.Answer {
			body := strings.Join(lines, "\n") + "\n"
			return &compare.Answer{Status: status, Type: "text/plain" + text, Bytes: int64(len(body)), SHA256: fmt.Sprint(lines), Body: []byte(body), Kind: compare.BodyText, HasAnswer: true, Access: make([]engine.Access, 3)}
		}
		side := &compare.Side{Started: start, Finished: start.Add(1), State: audit.Warn, URLs: int64(n)}
		site.Old, site.New = side, side
		if n == 0 {
			yield(compare.Item{Site: site}, nil)
			return
		}
		t := &site.Totals
		site.Causes[compare.Rule] = t.NewlyBlocked + t.NewlyAllowed
		site.Notes = []string{"A note" + text}
		site.Origins = []compare.Origin{
			{Name: "https://" + name, Old: answer(200, old), New: answer(200, new), Diff: []compare.Line{
				{Op: compare.Edited, OldLine: 2, NewLine: 2, Old: old[1], New: new[1], NewlyBlocked: t.NewlyBlocked, NewlyAllowed: t.NewlyAllowed},
				{Op: compare.Moved, OldLine: 12, NewLine: 3, Old: old[11], New: new[2]},
				{Op: compare.Added, NewLine: 13, New: new[12], NotCounted: true},
			}},
			{Name: "http://" + name, SameAs: "https://" + name, Old: answer(200, old), New: answer(200, new)},
			{Name: "https://shop." + name, Old: answer(200, old), New: answer(503, nil)},
		}
		site.Sections = []compare.Section{
			{Path: "/new" + text + "/", NewlyBlocked: t.NewlyBlocked, WeightBlocked: t.Weight},
			{Path: "/old" + text + "/", Host: "shop." + name, NewlyAllowed: t.NewlyAllowed, WeightAllowed: t.NewlyAllowed},
			{Path: ""},
		}
		site.Changes = []compare.Change{
			{Kind: "status", What: "https://shop." + name + "/robots.txt" + text, Before: "200" + text, After: "503" + text, Severity: compare.Critical, Condition: "AL03"},
			{Kind: "rule_edited", What: "line 2", Before: old[1], After: new[1], Severity: compare.High},
			{Kind: "sitemap_lost", What: "sitemap", Before: "https://" + name + "/sitemap.xml", Severity: compare.Medium, Condition: "AL07"},
			{Kind: "lint", What: "finding", After: "GRP004", Severity: compare.Info},
		}
		yield(compare.Item{Site: site}, nil)
	}
}

// comparison makes the folder of a comparison of sites.
func comparison(t *testing.T, sites ...iter.Seq2[compare.Item, error]) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "changes")
	run := changes.Run{Path: "runs/1", ID: "1", Version: "1.0.0", Started: start, Finished: start.Add(1), Crawlers: []string{"Googlebot", "Bingbot", "GPTBot"}}
	again := run
	again.Path, again.Finished = "runs/2", time.Time{}
	r, err := changes.Open(changes.Options{Dir: dir, Old: run, New: again, Version: "1.0.0"})
	noError(t, err)
	for _, site := range sites {
		if _, err := r.AddSite(site); err != nil {
			t.Fatal(err)
		}
	}
	noError(t, r.Close())
	return dir
}

// someCompared are a few sites: two with changes, and two without.
func someCompared(t *testing.T) (dir string) {
	return comparison(t, comparedSite("a.example", 0, false, ""), comparedSite("b.example", 40, false, ""), comparedSite("c.example", 400, true, ""), comparedSite("d.example", 0, false, ""))
}
