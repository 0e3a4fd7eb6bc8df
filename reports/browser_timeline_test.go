//go:build browser

package reports

import (
	"fmt"
	"testing"
	"time"
)

// TestBrowserTimeline opens pages with a timeline, light and dark, wide and narrow: nothing
// is wider than the window, axe finds nothing, and the page of a thousand runs opens at once.
func TestBrowserTimeline(t *testing.T) {
	dir := t.TempDir()
	timelineRun(t, dir)
	for _, look := range []struct {
		scheme string
		width  int
	}{{"light", 1280}, {"dark", 390}} {
		b := openTab(t)
		b.Emulate(look.scheme, look.width, 900)
		for name := range histories {
			b.open(dir, "pages", name+".html")
			if n := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); n > 0 {
				t.Errorf("%s is %d pixels wider than a window of %d", name, n, look.width)
			}
			if n := eval[int](b, `(() => { const names = document.querySelector(".tl .names").getBoundingClientRect().right; return Math.max(...Array.from(document.querySelectorAll(".tl .names text"), t => t.getBoundingClientRect().right)) - names | 0; })()`); n > 0 {
				t.Errorf("%s: a label is cut by %d pixels in a window of %d", name, n, look.width)
			}
			took := eval[float64](b, `performance.getEntriesByType("navigation")[0].loadEventEnd`)
			t.Logf("%s %s %d: loaded after %.0f ms", name, look.scheme, look.width, took)
			if limit := 1500 * time.Millisecond; took > float64(limit.Milliseconds()) { // a busy machine's
				t.Errorf("%s took %.0f ms", name, took)
			}
			eval[bool](b, `document.querySelector("#timeline details").open = true`)
			b.Accessible(fmt.Sprintf("%s, %s %d", name, look.scheme, look.width), `"#timeline"`)
		}
		b.Quiet()
	}
}
