package reports

// The page of a pre-migration check, as written. It is tested here, next to the helpers that all
// pages share.

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/migrate"
	"robots-audit/engine"
	"robots-audit/reports/migration"
)

// checkedMap writes the folder of a check: n pairs of each class, with text in every place for text
// from a site.
func checkedMap(t testing.TB, n int, text string) (dir string) {
	t.Helper()
	crawlers, err := audit.ParseCrawlers("Googlebot,Bingbot")
	noError(t, err)
	dir = filepath.Join(t.TempDir(), "migration")
	f, err := migration.Open(migration.Options{Dir: dir, Crawlers: crawlers, Head: migration.Head{
		Version: "test", Started: time.Unix(1e9, 0), Map: "map.csv" + text, Crawlers: []string{"Googlebot", "Bingbot"}, NewHost: "https://new.example", Staging: "https://staging.example", Proposed: "x", Run: "monday", HitsOf: "Googlebot" + text}})
	noError(t, err)
	line := 0
	for k, c := range migrate.Classes {
		for i := range n {
			line++
			noError(t, f.Add(checkedPair(c.ID, line, k, i, text)))
		}
	}
	whole := &migration.Whole{Pairs: int64(line) + 3}
	if n > 0 {
		whole.Unmapped = []string{"https://old.example/forgotten" + text}
		whole.Leaks = []migrate.Leak{{Kind: migrate.LeakStagingName, Severity: migrate.Error, File: "robots.txt" + text, Line: 3, Text: "Sitemap: https://staging.example/" + text, Words: "A Sitemap line names the staging host", Todo: "Name the new host there."}}
		whole.Expectations = &migration.Expectations{File: "expect.csv", Headline: "2 expectations: 0 met, 1 failed, 1 could not be judged", Failing: 1, Unclear: 1, List: []migration.Expectation{
			{Line: 2, URL: "/a" + text, Crawler: "Googlebot@google", Outcome: "failed", What: "expected allow, got disallow" + text, Note: text},
			{Line: 3, URL: "/b", Crawler: "Bingbot@rfc9309", Outcome: "unclear", What: "could not be judged"}}}
	}
	if _, err := f.Finish(whole); err != nil {
		t.Fatal(err)
	}
	noError(t, f.Close())
	return dir
}

func checkedPair(class string, line, k, i int, text string) *migrate.Result {
	allow, disallow := []migrate.Verdict{{Verdict: engine.Allow}, {Verdict: engine.Allow}}, []migrate.Verdict{{Verdict: engine.Disallow, Line: 2, Rule: "disallow: /" + text}, {Verdict: engine.Allow}}
	file := migrate.File{Name: "https://old.example/robots.txt", Status: 200}
	old, target := fmt.Sprintf("https://old.example/%s/%d%s", class, i, text), fmt.Sprintf("https://new.example/%s/%d%s", class, i, text)
	r := &migrate.Result{Line: line, Old: old, New: target, Clicks: int64(i), Hits: int64(line % 2 * 9000), Important: i == 0, Class: class,
		Hops:   []migrate.Hop{{URL: old, Status: 301, Location: target, Verdicts: allow, File: file}},
		Target: migrate.Target{Hop: migrate.Hop{URL: target, Status: 200, Verdicts: allow, File: file}, Live: allow, Proposed: allow}}
	switch k % 4 {
	case 0:
		r.Hops, r.Target.Reached = append(r.Hops, r.Target.Hop), true
	case 1:
		r.Hops[0] = migrate.Hop{URL: old, Code: migrate.CodeKept, Verdicts: disallow, File: file}
	case 2:
		r.Hops = append(r.Hops, migrate.Hop{URL: target + "x", Status: 503, Verdicts: allow, File: file})
	case 3:
		r.Target.Proposed = disallow
	}
	if class != migrate.ClassOK {
		r.Remarks = []migrate.Remark{{Class: class, Text: "what was met" + text, URL: old, Rule: "disallow: /" + text, Line: 2, File: file.Name}}
	}
	return r
}

// TestMigrationPage compares the page with the results: each class, way, leak and expectation.
func TestMigrationPage(t *testing.T) {
	t.Parallel()
	page := readText(t, checkedMap(t, 2, ""), "index.html")
	checkHas(t, page,
		"Content-Security-Policy", "40 pairs by severity", `data-class="source_blocked"`, `<li class="step redirect">301</li><li class="step answer">200</li>`,
		`<li class="step blocked">blocked</li>`, "pairs lead crawlers to a page with one redirect", "A Sitemap line names the staging host", "https://old.example/forgotten",
		"<b>newly blocked</b> for Googlebot: allow → disallow <code><bdi>disallow: /</bdi></code> in line 2", "2 expectations: 0 met", "could not be judged", "3 pairs not tested yet", `aria-label="Problems"`,
	)
	if empty := readText(t, checkedMap(t, 0, ""), "index.html"); !strings.Contains(empty, "No pair has a result yet.") || strings.Contains(empty, `id="grid"`) {
		t.Error("the page of a check without results does not say so")
	}
}
