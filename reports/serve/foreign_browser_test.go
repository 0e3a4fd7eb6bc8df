//go:build browser

package serve

import "testing"

// TestBrowserForeignPages opens what lies in a foreign run and history: no script of it is run, and
// what the desk makes instead can be used.
func TestBrowserForeignPages(t *testing.T) {
	history, run := foreignHistory(t)
	_, a := newDesk(t, Options{History: history, Runs: []string{run}})
	b := openTab(t)
	for _, path := range []string{
		"/", "/runs/monday/report/index.html", "/runs/monday/report/pages/shop.example.html", "/comparisons/monday/index.html", "/comparisons/monday/changes.md", "/runs/monday/report/summary.json", "/runs/monday/sites/shop.example/versions",
	} {
		b.open(a.base + path)
		if eval[bool](b, `window.harmed === 1`) {
			t.Errorf("%s: what somebody has left in a run is run", path)
		}
	}
	b.open(a.base + "/comparisons/monday/index.html")
	b.accessible("a comparison")
	for _, path := range []string{"/runs/monday/report/index.html", "/runs/monday/report/pages/shop.example.html"} {
		b.open(a.base + path)
		b.until(`document.querySelectorAll("#grid tbody tr").length > 0`)
		b.quiet()
	}
}
