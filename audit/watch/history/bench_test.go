package history

import (
	"fmt"
	"testing"

	"robots-audit/audit/compare"
)

// benchEntry is a site of usual size: 40 rules, 10 crawlers, 5 important URLs that are
// blocked for all of them, some changes.
func benchEntry(site, n int) Entry {
	e := Entry{Settled: true, Site: Site{Name: fmt.Sprintf("site-%d.example", site), State: "ok", Answer: AnswerOK, Status: 200, SHA256: fmt.Sprint(site, n/10), Body: make([]byte, 2000), Known: 1000, Blocked: 50}}
	for i := range 40 {
		e.Site.Rules = append(e.Site.Rules, Rule{fmt.Sprint("rule", i+n/10), "*", "disallow: /a", i})
	}
	for c := range 10 {
		label := fmt.Sprint("Crawler", c)
		e.Site.Crawlers = append(e.Site.Crawlers, Crawler{label, int64(n)})
		for u := range 5 {
			e.Site.URLs = append(e.Site.URLs, Blocked{ID: fmt.Sprint("url", u), URL: "https://site.example/a/page", Crawler: label, RuleID: "rule", Rule: "disallow: /a", Line: 3})
		}
	}
	if n%10 == 0 {
		e.Changes = []compare.Change{{Kind: "rule", What: "disallow: /a"}}
		e.Flips = []Flips{{Crawler: "Crawler0", Counts: compare.Counts{NewlyBlocked: 3}}}
	}
	return e
}

// benchEntries are those of a run of so many sites.
func benchEntries(sites, n int) (list []Entry) {
	for i := range sites {
		list = append(list, benchEntry(i, n))
	}
	return list
}

// BenchmarkEnter enters runs of 5,000 sites, with commit: per site, the 20th part of a
// millisecond would be a quarter of a second a run.
func BenchmarkEnter(b *testing.B) {
	const sites = 5000
	db := mustOpen(b, b.TempDir())
	n := 0
	for b.Loop() {
		noError(b, db.update(b.Context(), func(tx *Tx) error {
			return enterIn(b.Context(), tx, testRun(n, "daily"), benchEntries(sites, n)...)
		}))
		n++
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n*sites), "µs/site")
}

// BenchmarkPast reads the past of a site of 1,000 runs, among others.
func BenchmarkPast(b *testing.B) {
	const runs, sites = 1000, 20
	db := mustOpen(b, b.TempDir())
	noError(b, db.update(b.Context(), func(tx *Tx) error {
		for n := range runs {
			if err := enterIn(b.Context(), tx, testRun(n, "daily"), benchEntries(sites, n)...); err != nil {
				return err
			}
		}
		return nil
	}))
	for b.Loop() {
		past, err := db.Past(b.Context(), "site-7.example", "daily", "")
		if err != nil || len(past.Points) != runs || len(past.Blocked) != 50 || len(past.Rules) != 40 {
			b.Fatalf("%d points, %d URLs, %d rules (%v)", len(past.Points), len(past.Blocked), len(past.Rules), err)
		}
	}
}
