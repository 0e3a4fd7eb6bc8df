//go:build browser

package reports

import (
	"strings"
	"testing"
)

// TestBrowserAccessible checks the pages with all rules of axe-core, in light and in dark colours,
// wide and narrow.
func TestBrowserAccessible(t *testing.T) {
	dir, answers := demoRun(t), askedRun(t)
	for _, look := range []struct {
		name, scheme string
		width        int
	}{{"light", "light", 1280}, {"dark and narrow", "dark", 390}} {
		t.Run(look.name, func(t *testing.T) {
			b := openTab(t)
			b.Emulate(look.scheme, look.width, 900)
			for _, page := range []string{"index.html", "pages/www.bookshop.example.html", "pages/fragile.example.html", "pages/silent.example.html", "answers/index.html", "answers/pages/example.com.html", "answers/crawlers.html"} {
				if name, ok := strings.CutPrefix(page, "answers/"); ok {
					b.open(answers, name)
					eval[bool](b, `document.querySelectorAll("details").forEach(d => d.open = true), true`)
				} else {
					b.open(dir, page)
				}
				if dark := eval[bool](b, `matchMedia("(prefers-color-scheme: dark)").matches`); dark != (look.scheme == "dark") {
					t.Fatal("the colours are not those asked for")
				}
				if n := b.Accessible(page, "document"); n < 20 {
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
