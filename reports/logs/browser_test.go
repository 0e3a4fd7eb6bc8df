//go:build browser

package logs

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"robots-audit/reports/internal/browsertest"
)

// TestBrowser checks the page with all rules of axe-core, folded and unfolded, and that it fits its window, in light
// and in dark colours. A link to a crawler unfolds its part.
func TestBrowser(t *testing.T) {
	several, _ := write(t, head(""), shop("shop.example", ""), crowd(), shop("two.example", ""))
	text := hostile + strings.Repeat("long", 60)
	long, _ := write(t, head(text), shop("long.example", text))
	none, _ := write(t, head(""), quiet())
	b := browsertest.Open(t, 1280, 900)
	for _, look := range []struct {
		scheme string
		width  int
	}{{"light", 1440}, {"dark", 390}, {"light", 1024}} {
		for _, dir := range []string{several, long, none} {
			b.Emulate(look.scheme, look.width, 900)
			b.Do(chromedp.Navigate("file://" + filepath.ToSlash(filepath.Join(dir, pageName))))
			for _, open := range []bool{false, true} {
				browsertest.Eval[bool](b, fmt.Sprintf(`document.querySelectorAll("details").forEach(d => d.open = %v), true`, open))
				if n := browsertest.Eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); n > 0 {
					t.Errorf("the page is %d pixels wider than a window of %d: %s", n, look.width, browsertest.Eval[string](b, `Array.from(document.querySelectorAll("body *")).filter(e => !e.closest(".scroll") && e.getBoundingClientRect().right > innerWidth).slice(-1).map(e => e.outerHTML.slice(0, 200)).join()`))
				}
				b.Accessible(fmt.Sprintf("%s, %d, open %v", look.scheme, look.width, open), "document")
			}
		}
	}
	b.Do(chromedp.Navigate("file://" + filepath.ToSlash(filepath.Join(several, pageName))))
	if !browsertest.Eval[bool](b, `new Promise(done => { document.querySelector("a[href^='#site-1-']").click(); setTimeout(() => done(document.querySelector(location.hash).closest("details").open), 200) })`) {
		t.Error("the link to a crawler does not unfold it")
	}
	b.Quiet()
}
