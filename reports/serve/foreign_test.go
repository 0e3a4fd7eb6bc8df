package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/reports"
)

// hostilePage is a page that an attacker could leave in a run for others: it allows itself
// everything, and has the form of a page of this program.
const hostilePage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline'; style-src 'self'; script-src * 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HOSTILE</title>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<main id="main">HOSTILE<script>window.harmed=1</script><script src="/runs/monday/report/pages/page-hostile.js"></script></main>
</body>
</html>
`

// foreignHistory is a history and a run in which all pages have been replaced.
func foreignHistory(t testing.TB) (history, run string) {
	t.Helper()
	history, _ = newHistory(t, shopFirst, shopSecond)
	run = filepath.Join(t.TempDir(), "monday")
	auditRun(t, run, map[string]testSite{"shop.example": shop(8)}, reports.Options{})
	comparison := filepath.Join(history, "comparisons", "monday")
	noError(t, os.MkdirAll(comparison, 0o755))
	const told = `{"version":"0.1.0","lead":"<script>window.harmed=1</script>","old":{"id":"a"},"new":{"id":"b"},"notes":["the one called newer here started first"],"totals":{"sites":1,"sites_changed":1},"sites":[
{"domain":"shop.example","changed":true,"lead":"<img src=x onerror=window.harmed=1>","totals":{},"changes":[{"kind":"k","what":"</td><script>window.harmed=1</script>","before":"","after":"","severity":"high"}]}]}`
	for name, text := range map[string]string{
		filepath.Join(run, "index.html"):                 hostilePage,
		filepath.Join(run, "further.html"):               hostilePage,
		filepath.Join(run, "pages", "shop.example.html"): hostilePage,
		filepath.Join(run, "pages", "page-hostile.js"):   "window.harmed=1 // HOSTILE",
		filepath.Join(run, "evidence", "x.svg"):          `<svg xmlns="http://www.w3.org/2000/svg"><script>window.harmed=1</script>HOSTILE</svg>`,
		filepath.Join(comparison, "index.html"):          hostilePage,
		filepath.Join(comparison, "changes.json"):        told,
		filepath.Join(comparison, "changes.md"):          "HOSTILE",
	} {
		noError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return history, run
}

// TestForeignPages checks that no file of a run or a history decides what a browser may do with an
// answer. Pages are made again, whatever file is in their place.
func TestForeignPages(t *testing.T) {
	history, run := foreignHistory(t)
	_, a := newDesk(t, Options{History: history, Runs: []string{run}})
	shown := map[string]string{ // the expected text of each
		"/runs/monday/report/index.html":              "shop.example",
		"/runs/monday/report/pages/shop.example.html": "/shop/private/",
		"/comparisons/monday/index.html":              "the one called newer here started first",
		"/runs/monday/report/pages/page-hostile.js":   "",
		"/runs/monday/report/further.html":            "",
		"/runs/monday/report/evidence/x.svg":          "",
		"/comparisons/monday/changes.md":              "",
		"/runs/monday/report/summary.json":            "",
	}
	for path, want := range shown {
		answer, text := a.do("GET", path, "")
		policy := strings.Join(answer.Header.Values("Content-Security-Policy"), "; ")
		if !strings.Contains(policy, "default-src 'none'") || strings.ContainsAny(policy, "*") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %q", path, policy)
		}
		kind := answer.Header.Get("Content-Type")
		if page := strings.HasPrefix(kind, "text/html"); page && strings.Contains(text, "HOSTILE") || !page && !strings.HasSuffix(policy, "; sandbox") && answer.StatusCode == 200 {
			t.Errorf("%s: %s with the policy %q: %.200s", path, kind, policy, text)
		}
		if want != "" && (answer.StatusCode != 200 || !strings.Contains(text, want)) {
			t.Errorf("%s: %s, without %q: %.300s", path, answer.Status, want, text)
		}
	}
}
