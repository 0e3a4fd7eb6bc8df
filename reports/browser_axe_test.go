//go:build browser

package reports

import (
	"os"
	"testing"
)

// axe returns the script of axe-core, the rules by which the pages are held to
// be fit for those who do not see them, or do not use a mouse. It is another's
// code, and under another licence: .ci/install-browser fetches it.
func axe(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("ROBOTS_AUDIT_BROWSER")
	if dir == "" {
		t.Fatal("ROBOTS_AUDIT_BROWSER names no folder that .ci/install-browser made")
	}
	return readText(t, dir, "node_modules", "axe-core", "axe.min.js")
}

// TestBrowserAccessible holds the pages to all rules of axe-core, in light and in dark
// colours, wide and narrow.
func TestBrowserAccessible(t *testing.T) {
	script := axe(t)
	dir := demoRun(t)
	for _, look := range []struct {
		name, scheme string
		width        int
	}{{"light", "light", 1280}, {"dark and narrow", "dark", 390}} {
		t.Run(look.name, func(t *testing.T) {
			b := openTab(t)
			b.Emulate(look.scheme, look.width, 900)
			for _, page := range []string{"index.html", "pages/www.bookshop.example.html", "pages/fragile.example.html", "pages/silent.example.html"} {
				b.open(dir, page)
				if dark := eval[bool](b, `matchMedia("(prefers-color-scheme: dark)").matches`); dark != (look.scheme == "dark") {
					t.Fatal("the colours are not those asked for")
				}
				eval[bool](b, script+`; true`)
				// preload has axe ask for style sheets, which a page opened from disk may not read.
				found := eval[[]string](b, `axe.run({preload: false, resultTypes: ["violations"]}).then(r => r.violations.map(v => v.impact + " " + v.id + ": " + v.help + " (" + v.nodes.length + "): " + v.nodes[0].html.slice(0, 200) + " " + v.nodes[0].failureSummary))`)
				for _, f := range found {
					t.Errorf("%s: %s", page, f)
				}
				if n := eval[int](b, `axe.run({preload: false, resultTypes: ["passes"]}).then(r => r.passes.length)`); n < 20 {
					t.Errorf("%s: only %d rules looked at anything", page, n)
				}
			}
			b.Quiet()
			if !eval[bool](b, `document.body.append(new Image()), axe.run({preload: false}).then(r => r.violations.some(v => v.id === "image-alt"))`) {
				t.Error("a picture without words was not found")
			}
		})
	}
}
