package book

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/disk"
)

var started = time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)

// shop is a site with all changes that a comparison can describe, and its flips.
func shop(t testing.TB) (*compare.Site, []compare.Flip) {
	list, err := audit.ParseCrawlers("Googlebot,YandexBot,GPTBot")
	if err != nil {
		t.Fatal(err)
	}
	const name = "shop.example"
	s := &compare.Site{Name: name}
	for _, c := range list {
		s.Crawlers = append(s.Crawlers, compare.Crawler{Label: c.Label, Old: c, New: c})
	}
	s.Crawlers[2].Old.Profile = "google-2019"
	answer := func(body string) *compare.Answer {
		sum := sha256.Sum256([]byte(body))
		return &compare.Answer{Status: 200, FinalURL: "https://shop.example/robots.txt", Type: "text/plain", Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:]), Body: []byte(body), Kind: compare.BodyText, HasAnswer: true,
			Access: []engine.Access{engine.Parsed, engine.Parsed, engine.Parsed}, Why: []string{"", "", ""}}
	}
	s.Old = &compare.Side{Started: started, Finished: started.Add(time.Minute), State: audit.OK, Crawlers: list, URLs: 9, Blocked: 2}
	s.New = &compare.Side{Started: started.AddDate(0, 0, 1), Finished: started.AddDate(0, 0, 1).Add(time.Minute), State: "warn", Crawlers: list, URLs: 10, Blocked: 5}
	s.Origins = []compare.Origin{
		{Name: "https://shop.example", Old: answer(oldFile), New: answer(newFile), Diff: []compare.Line{
			{Op: compare.Removed, OldLine: 3, Old: "Disallow: /old", NewlyAllowed: 1, Weight: 7},
			{Op: compare.Edited, OldLine: 5, NewLine: 3, Old: "Disallow: /p", New: "Disallow: /pro", NewlyBlocked: 2, Weight: 25},
			{Op: compare.Moved, OldLine: 2, NewLine: 9, Old: "# first", New: "# first"},
			{Op: compare.Added, NewLine: 10, New: "=cmd|'/c calc'!A1", NotCounted: true},
		}},
		{Name: "http://shop.example", SameAs: "https://shop.example", Old: answer(oldFile), New: answer(newFile), Diff: []compare.Line{{Op: compare.Added, NewLine: 1}}},
	}
	s.Changes = []compare.Change{
		{Kind: "body", What: "https://shop.example/robots.txt", Before: "text", After: "HTML", Severity: compare.Critical, Condition: "AL05"},
		{Kind: "sitemap", What: "sitemap https://shop.example/s.xml", Before: "listed", After: "", Severity: compare.High, Condition: "AL07"},
		{Kind: "lint", What: "RL001", Before: "", After: "new", Severity: compare.Info},
	}
	s.Sections = []compare.Section{{Path: "/p/", NewlyBlocked: 2, WeightBlocked: 25}, {Path: "/", NewlyAllowed: 1, WeightAllowed: 7}, {Path: "", NewlyBlocked: 1, WeightBlocked: 1}}
	s.Causes = map[compare.Cause]int64{compare.Rule: 3}
	s.Notes = []string{"The older run was cut short within the site: URLs may be missing."}
	block := func(line int) compare.Verdicts {
		return compare.Verdicts{Was: engine.Allow, Is: engine.Disallow, New: engine.Rule{Value: "/pro", Line: line}, Class: compare.NewlyBlocked, Cause: compare.Rule, Lines: []int{1}}
	}
	same := compare.Verdicts{Was: engine.Allow, Is: engine.Allow}
	flips := []compare.Flip{
		{Loc: "https://shop.example/pro/1", Listed: true, Verdicts: []compare.Verdicts{block(3), block(3), same}},
		{Loc: "https://shop.example/pro/2?a=1", Weight: audit.Weight{Clicks: 24}, Verdicts: []compare.Verdicts{block(3), same, block(3)}},
		{Loc: "https://shop.example/old", Weight: audit.Weight{Clicks: 7}, Verdicts: []compare.Verdicts{
			{Was: engine.Disallow, Is: engine.Allow, Old: engine.Rule{Value: "/old", Line: 3}, Class: compare.NewlyAllowed, Cause: compare.Rule, Lines: []int{0, 1}},
			{Was: engine.Disallow, Is: engine.Unknown, Old: engine.Rule{Value: "/old", Line: 3}, Class: compare.NowUnclear, Cause: compare.Access},
			{Was: engine.Unknown, Is: engine.Allow, Class: compare.ClearAgain, Cause: compare.Reader},
		}},
		{Loc: "https://shop.example/i.png", Kind: crawl.KindImage, Verdicts: []compare.Verdicts{block(3), same, same}},
		{Loc: "https://shop.example/=new", Appeared: true, Listed: true, Verdicts: []compare.Verdicts{{Is: engine.Disallow, New: engine.Rule{Value: "/=", Line: 9}}, {Is: engine.Allow}, {Is: engine.Disallow, New: engine.Rule{Value: "/=", Line: 9}}}},
	}
	s.Totals = compare.Totals{Known: 8, Counts: compare.Counts{NewlyBlocked: 2, NewlyAllowed: 1, NowUnclear: 1, ClearAgain: 1}, Appeared: 2, AppearedBlocked: 1, Vanished: 1, Weight: 32}
	s.Flips = []compare.CrawlerTotals{
		{Counts: compare.Counts{NewlyBlocked: 2, NewlyAllowed: 1}, AppearedBlocked: 1, Weight: 32, WeightBlocked: 25, WeightAllowed: 7},
		{Counts: compare.Counts{NewlyBlocked: 1, NowUnclear: 1}, Weight: 8, WeightBlocked: 1},
		{Counts: compare.Counts{NewlyBlocked: 1, ClearAgain: 1}, AppearedBlocked: 1, Weight: 31, WeightBlocked: 24},
	}
	return s, flips
}

const (
	oldFile = "User-agent: *\n# first\nDisallow: /old\nAllow: /a\nDisallow: /p\nAllow: /b\nAllow: /c\nAllow: /d\nAllow: /e\n\nSitemap: https://shop.example/s.xml\n"
	newFile = "User-agent: *\nAllow: /a\nDisallow: /pro\nAllow: /b\nAllow: /c\nAllow: /d\nAllow: /e\n\n# first\n=cmd|'/c calc'!A1\nSitemap: https://shop.example/s.xml\n"
)

// still is a site on which nothing has changed.
func still(name string) *compare.Site {
	side := &compare.Side{Started: started, Finished: started.Add(time.Minute), State: audit.OK, URLs: 3}
	return &compare.Site{Name: name, Old: side, New: side, Totals: compare.Totals{Known: 3},
		Origins: []compare.Origin{{Name: "https://" + name, Old: &compare.Answer{Status: 404}, New: &compare.Answer{Status: 404}}}}
}

// comparison writes a workbook of comparisons, and returns its name.
func comparison(t testing.TB, dir string, rowLimit int, sites func(add func(*compare.Site, func(flip func(*compare.Flip))))) string {
	t.Helper()
	folder := &disk.Folder{FS: disk.OS{}, Dir: dir, Temp: filepath.Join(dir, ".tmp")}
	if err := os.MkdirAll(folder.Temp, 0o755); err != nil {
		t.Fatal(err)
	}
	b := New(folder)
	if rowLimit > 0 {
		b.RowLimit = rowLimit
	}
	labels := []string{"Googlebot", "YandexBot", "GPTBot"}
	of := &model.Comparison{Version: "1.2.3",
		Old: model.Run{Path: "runs/monday", ID: "20260302-060000", Version: "1.2.2", Started: started, Finished: started.Add(time.Hour), Crawlers: labels},
		New: model.Run{Path: "runs/tuesday", ID: "20260303-060000", Version: "1.2.3", Started: started.AddDate(0, 0, 1), Crawlers: labels}}
	of.Notes = []string{"The runs are of two versions of the program."}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	sites(func(s *compare.Site, flips func(func(*compare.Flip))) {
		begun := &compare.Site{Name: s.Name, Crawlers: s.Crawlers}
		g := model.Gather(begun)
		must(b.Begin(begun))
		flips(func(f *compare.Flip) {
			g.Flip(f)
			must(b.Flip(f))
		})
		*begun = *s
		done := g.End(begun, len(of.Sites))
		of.Add(done)
		must(b.End(done))
	})
	of.Sort()
	must(b.Finish(of))
	must(b.Commit())
	b.Discard()
	if left, err := os.ReadDir(folder.Temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
	return filepath.Join(dir, Name)
}

func none(func(*compare.Flip)) {}

// small is the comparison of the golden file.
func small(t testing.TB, dir string) string {
	return comparison(t, dir, 0, func(add func(*compare.Site, func(func(*compare.Flip)))) {
		add(still("quiet.example"), none)
		s, flips := shop(t)
		add(s, func(flip func(*compare.Flip)) {
			for i := range flips {
				flip(&flips[i])
			}
		})
		gone := still("gone.example")
		gone.New, gone.Origins[0].New = nil, nil
		add(gone, none)
	})
}
