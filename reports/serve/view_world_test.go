package serve

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"robots-audit/audit/watch/history"
	"robots-audit/reports"
)

const shopHost = "shop.example.com"

// hostileTexts are texts of sites that would run.
var hostileTexts = []string{
	`<script>window.harmed=1</script>`, `"><img src=x onerror="window.harmed=1">`, `</script><script>window.harmed=1</script>`, `' onmouseover='window.harmed=1`,
	`</title></textarea></style><svg onload=window.harmed=1>`, "`x`", `{{.}}`, `javascript:window.harmed=1`, "\u202egpj", `&lt;b&gt;`, `--><b>`,
}

// evil is a site with hostile texts in every place.
func evil() testSite {
	s := testSite{robots: "User-agent: *\n"}
	for _, text := range hostileTexts {
		s.robots += "Disallow: /" + text + "\n# " + text + "\n"
		s.paths = append(s.paths, "/"+text)
	}
	s.robots += "Sitemap: http://%s/sitemap.xml\n"
	return s
}

// newHistory makes a history with one run a day, each with one of the texts as the shop's robots.txt.
func newHistory(t testing.TB, robots ...string) (dir string, ids []string) {
	t.Helper()
	dir = t.TempDir()
	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	defer db.Close()
	start := time.Date(2026, 11, 3, 6, 0, 0, 0, time.UTC)
	for day, text := range robots {
		at := start.AddDate(0, 0, day)
		id := at.Format("20060102T150405Z")
		folder := filepath.Join(dir, "runs", id)
		noError(t, os.MkdirAll(filepath.Dir(folder), 0o755))
		site := shop(40)
		site.robots = text
		auditRun(t, folder, map[string]testSite{shopHost: site, "evil.example.com": evil()}, reports.Options{Started: at})
		enter(t, db, history.Run{ID: id, Folder: "runs/" + id, Schedule: "shops", Started: at, Finished: at.Add(time.Minute), Program: "0.1.0"}, folder)
		ids = append(ids, id)
	}
	tx, err := db.Begin(t.Context())
	noError(t, err)
	for i, text := range hostileTexts {
		a := history.Alert{ID: fmt.Sprintf("alert%d", i), Site: shopHost, Condition: fmt.Sprintf("AL%02d", i+1), Severity: "critical", Raised: ids[0], Since: start, URLs: 3, Text: "important URLs " + text}
		if i > 2 { // the third is AL03, which cannot be accepted
			a.EndedRun, a.Ended = ids[len(ids)-1], start
		}
		noError(t, tx.SaveAlert(a))
	}
	noError(t, tx.Commit())
	return dir, ids
}

// enter enters a run in a history.
func enter(t testing.TB, db *history.DB, run history.Run, folder string) {
	t.Helper()
	stored, err := reports.OpenStored(folder, "0.1.0")
	noError(t, err)
	tx, err := db.Begin(t.Context())
	noError(t, err)
	defer tx.Rollback()
	noError(t, tx.AddRun(run))
	for _, s := range stored.Sites {
		collector := history.NewCollector(nil)
		for rec, err := range s.Records() {
			noError(t, err)
			collector.Add(rec)
		}
		of, err := collector.Site()
		noError(t, err)
		noError(t, tx.AddSite(t.Context(), history.Entry{Site: of, Settled: true}))
	}
	noError(t, tx.Commit())
}

// harmless parses a page, and fails if text from a site is more than text in it.
func harmless(t testing.TB, what, text string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	noError(t, err)
	scripts := 0
	for n := range root.Descendants() {
		if strings.ContainsRune(n.Data, '\u202e') {
			t.Errorf("%s: a character that misleads is not shown: %q", what, n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "img", "iframe", "object", "style", "b":
			if n.Data != "b" || n.Parent.Data != "span" { // a number
				t.Errorf("%s: there is an element %s", what, n.Data)
			}
		case "script":
			scripts++
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				t.Errorf("%s: %s has an attribute %s", what, n.Data, a.Key)
			}
			if (a.Key == "href" || a.Key == "src" || a.Key == "action") && !strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "#") && a.Val != "data:," {
				t.Errorf("%s: %s leads to %q", what, n.Data, a.Val)
			}
		}
	}
	if scripts != 1 {
		t.Errorf("%s: %d scripts, want the desk's own alone", what, scripts)
	}
}

// searchPath is the search of a run.
func searchPath(run, query, site string) string {
	return "/runs/" + run + "/search?" + url.Values{"q": {query}, "site": {site}}.Encode()
}
