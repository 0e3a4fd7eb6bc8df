package changes

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/crawl"
	"robots-audit/engine"
)

var start = time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)

// crawlersOf reads a list of crawlers.
func crawlersOf(t testing.TB, list string) []audit.Crawler {
	t.Helper()
	crawlers, err := audit.ParseCrawlers(list)
	if err != nil {
		t.Fatal(err)
	}
	return crawlers
}

// run is a site's records with one robots.txt and URLs, as an audit would make them.
func run(t testing.TB, site, crawlers, robots string, urls ...string) iter.Seq2[audit.Record, error] {
	t.Helper()
	list, origin := crawlersOf(t, crawlers), "https://"+site
	sum := sha256.Sum256([]byte(robots))
	file := crawl.RobotsFile{Body: []byte(robots), Outcome: crawl.Outcome{
		URL: origin + "/robots.txt", Hops: []crawl.Hop{{URL: origin + "/robots.txt", Status: 200}}, Status: 200,
		Type: "text/plain", Bytes: int64(len(robots)), SHA256: hex.EncodeToString(sum[:]), Started: start,
	}}
	batch := &audit.URLs{}
	for _, u := range urls {
		batch.List = append(batch.List, audit.URL{Loc: origin + u, Verdicts: make([]engine.Verdict, len(list)), Lines: make([]int32, len(list))})
	}
	records := []audit.Record{
		{Site: &audit.Site{Name: site, Crawlers: list, Started: start}},
		{Robots: &audit.Robots{Origin: origin, File: file}},
		{URLs: batch},
		{Done: &audit.Done{State: audit.OK, Origin: origin, Counts: audit.Counts{URLs: int64(len(urls))}, Finished: start.Add(time.Second)}},
	}
	return func(yield func(audit.Record, error) bool) {
		for _, rec := range records {
			rec.Domain = site
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// made is a comparison that was made by hand, with its flips.
func made(site *compare.Site, flips ...*compare.Flip) iter.Seq2[compare.Item, error] {
	return func(yield func(compare.Item, error) bool) {
		if !yield(compare.Item{Begin: site}, nil) {
			return
		}
		for _, f := range flips {
			if !yield(compare.Item{Flip: f}, nil) {
				return
			}
		}
		yield(compare.Item{Site: site}, nil)
	}
}

// newReport opens a report in a folder.
func newReport(t testing.TB, o Options) *Report {
	t.Helper()
	o.Version = "1.0"
	o.Old, o.New = Run{Path: "old", ID: "a", Started: start, Finished: start.Add(time.Hour), Crawlers: []string{"Googlebot"}}, Run{Path: "new", ID: "b", Started: start.AddDate(0, 0, 7)}
	r, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Discard)
	return r
}

func add(t testing.TB, r *Report, items iter.Seq2[compare.Item, error]) *compare.Site {
	t.Helper()
	site, err := r.AddSite(items)
	if err != nil {
		t.Fatal(err)
	}
	return site
}

func closeReport(t testing.TB, r *Report) {
	t.Helper()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

// folder returns the files of a folder, by name, without the lock.
func folder(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	files := os.DirFS(dir)
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "lock" {
			return err
		}
		text, err := fs.ReadFile(files, name)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// small adds one site to a report, with word in all its files.
func small(t testing.TB, r *Report, word string) error {
	t.Helper()
	_, err := r.AddSite(compare.Sides(run(t, word+".example", "Googlebot", "User-agent: *\nDisallow: /b\n", "/a", "/b"),
		run(t, word+".example", "Googlebot", "User-agent: *\nDisallow: /a\nDisallow: /b\n", "/a", "/b"), compare.Options{Temp: r.Temp()}))
	return err
}

// shop is a comparison with all kinds of changes, and hostile text.
func shop(t testing.TB) iter.Seq2[compare.Item, error] {
	crawlers := crawlersOf(t, "Googlebot,Bingbot,GPTBot")
	side := func(n int64, day int) *compare.Side {
		return &compare.Side{Started: start.AddDate(0, 0, day), Finished: start.AddDate(0, 0, day).Add(time.Hour), State: audit.OK, Crawlers: crawlers, URLs: n, Blocked: 3}
	}
	site := &compare.Site{
		Name: "shop.example", Old: side(1000, 0), New: side(1003, 7),
		Totals:   compare.Totals{Known: 998, Counts: compare.Counts{NewlyBlocked: 120, NewlyAllowed: 1}, Appeared: 5, AppearedBlocked: 1, Vanished: 2, Weight: 1460},
		Flips:    []compare.CrawlerTotals{{Counts: compare.Counts{NewlyBlocked: 120}, Weight: 1459, WeightBlocked: 1459, AppearedBlocked: 1}, {Counts: compare.Counts{NewlyBlocked: 120, NewlyAllowed: 1}, Weight: 1460, WeightBlocked: 1459, WeightAllowed: 1}, {}},
		Causes:   map[compare.Cause]int64{compare.Rule: 120, compare.Group: 1},
		Kinds:    map[string]compare.Totals{"image": {Known: 7, Counts: compare.Counts{NewlyBlocked: 2}}},
		Sections: []compare.Section{{Path: "/de/", NewlyBlocked: 120}},
		Notes:    []string{"The older run was cut short within this site: URLs may be missing."},
		Changes: []compare.Change{
			{Kind: "sitemap_lost", What: "sitemap https://shop.example/sitemap.xml", Before: "600 URLs", Severity: compare.High, Condition: "AL07"},
			{Kind: "rule_added", What: "line 14", After: "Disallow: /de/p | `x` <b>@all</b> \xff\u202e", Severity: compare.Info},
		},
	}
	for _, c := range crawlers {
		site.Crawlers = append(site.Crawlers, compare.Crawler{Label: c.Label, Old: c, New: c})
	}
	access := []engine.Access{engine.Parsed, engine.Parsed, engine.Parsed}
	site.Origins = []compare.Origin{
		{Name: "https://shop.example", Old: &compare.Answer{Status: 200, FinalURL: "https://shop.example/robots.txt", Bytes: 300, SHA256: "aa", Kind: compare.BodyText, Access: access, HasAnswer: true},
			New: &compare.Answer{Status: 200, FinalURL: "https://shop.example/robots.txt", Bytes: 320, SHA256: "bb", Kind: compare.BodyText, Access: access, HasAnswer: true},
			Diff: []compare.Line{
				{Op: compare.Added, NewLine: 14, New: "Disallow: /de/p", NewlyBlocked: 120, Weight: 1459},
				{Op: compare.Edited, OldLine: 15, NewLine: 16, Old: "# old | `x`", New: "# new\xff [a](javascript:x) \u202e"},
				{Op: compare.Removed, OldLine: 20, Old: "Disallow: /x"}, {Op: compare.Moved, OldLine: 22, NewLine: 30, Old: "Allow: /y", New: "Allow: /y", NotCounted: true},
			}},
		{Name: "http://shop.example", SameAs: "https://shop.example", Old: &compare.Answer{Status: 200, Access: access}},
		{Name: "https://img.shop.example", Old: &compare.Answer{Status: 404, Access: []engine.Access{engine.AllowAll, engine.AllowAll, engine.AllowAll}},
			New: &compare.Answer{Status: 503, Access: []engine.Access{engine.DisallowAll, engine.AllowAll, engine.DisallowAll}}},
	}
	var flips []*compare.Flip
	rule := engine.Rule{Value: "/de/p", Line: 14}
	for n := range 120 {
		blocked := compare.Verdicts{Was: engine.Allow, Is: engine.Disallow, New: rule, Class: compare.NewlyBlocked, Cause: compare.Rule, Lines: []int{0}}
		f := &compare.Flip{Loc: fmt.Sprintf("https://shop.example/de/p?%d|<b>`\xff", n), Listed: true, Verdicts: []compare.Verdicts{blocked, blocked, {Was: engine.Allow, Is: engine.Allow}}}
		if n == 77 {
			f.Weight.Clicks = 1340
		}
		flips = append(flips, f)
	}
	same := compare.Verdicts{Was: engine.Allow, Is: engine.Allow}
	flips = append(flips, &compare.Flip{Loc: "https://shop.example/free", Verdicts: []compare.Verdicts{same, {Was: engine.Disallow, Is: engine.Allow, Old: engine.Rule{Value: "/", Line: 2}, New: engine.Rule{Allow: true, Value: "/free", Line: 40}, Class: compare.NewlyAllowed, Cause: compare.Group}, same}},
		&compare.Flip{Loc: "https://shop.example/de/pnew", Appeared: true, Verdicts: []compare.Verdicts{{Is: engine.Disallow, New: rule}, {Is: engine.Allow}, {Is: engine.Allow}}},
		&compare.Flip{Loc: "https://img.shop.example/1.png", Origin: 2, Kind: crawl.KindImage, Verdicts: []compare.Verdicts{{Was: engine.Allow, Is: engine.Disallow, Class: compare.NewlyBlocked, Cause: compare.Access}, same, same}})
	return made(site, flips...)
}

// others are sites with fewer changes: one without changes, one that vanished, and one with a new
// URL.
func others(t testing.TB) []iter.Seq2[compare.Item, error] {
	side := &compare.Side{State: audit.OK}
	return []iter.Seq2[compare.Item, error]{
		made(&compare.Site{Name: "same.example", Old: side, New: side, Totals: compare.Totals{Known: 9}}),
		made(&compare.Site{Name: "gone.example", Old: side}),
		made(&compare.Site{Name: "more.example", Old: side, New: side, Totals: compare.Totals{Known: 9, Appeared: 1}}),
		made(&compare.Site{Name: "xn--mnchen-3ya.example", Old: side, New: side}),
	}
}
