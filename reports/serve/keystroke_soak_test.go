//go:build browser && soak

package serve

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// TestBrowserKeystrokes types fifty characters into the editor of a site of 100,000 and of 1,000,000 known
// URLs. It measures in the page how long it takes until the changes are shown, and how long typing is blocked.
// Then it tests the greatest changes: everything is blocked, and nothing.
func TestBrowserKeystrokes(t *testing.T) {
	for _, n := range []int{100_000, 1_000_000} {
		_, a := newDesk(t, Options{Runs: []string{largeRun(t, n)}})
		b := openTab(t)
		b.open(fmt.Sprintf("%s/runs/run%d/sites/large.example/edit", a.base, n))
		const done = `document.getElementById("grid").dataset.state === "done"`
		b.until(done)
		eval[bool](b, `window.took = [], window.long = [],
new PerformanceObserver(list => list.getEntries().forEach(e => long.push(e.duration))).observe({type: "longtask"}),
document.getElementById("robots").addEventListener("keydown", () => { window.began = performance.now(); }, true),
new MutationObserver(() => { if (window.began && document.getElementById("grid").dataset.state === "done") { took.push(performance.now() - began); window.began = 0; } })
  .observe(document.getElementById("grid"), {attributes: true, attributeFilter: ["data-state"]}), true`)
		eval[bool](b, `(() => { const a = document.getElementById("robots"), at = a.value.indexOf("Disallow: /search"); a.focus(); a.setSelectionRange(at, at); return true; })()`)
		shown := func(wanted int) {
			b.until(fmt.Sprintf(`%s && took.length >= %d`, done, wanted))
		}
		line := "Disallow: /shop/1\nDisallow: /p/2\nAllow: /de/pro\n\nDisal"
		for i, c := range line[:50] {
			if c == '\n' {
				b.Do(chromedp.KeyEvent("\r"))
			} else {
				b.Do(chromedp.KeyEvent(string(c)))
			}
			shown(i + 1)
		}
		took := eval[[]float64](b, `took`)
		slices.Sort(took)
		t.Logf("%d URLs: from a keystroke to what it flips, median %.0f ms, worst %.0f ms of %d; %d long tasks", n, took[len(took)/2], took[len(took)-1], len(took), len(eval[[]float64](b, `long`)))

		eval[bool](b, `took = [], document.getElementById("robots").select(), true`)
		var most []float64
		for range 5 {
			for _, text := range []string{"User-agent: *\nDisallow: /\n", "#"} {
				eval[bool](b, `window.before = took.length, document.getElementById("robots").select(), window.began = performance.now(), true`)
				if _, err := chromedp.Call(b.Ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
					t.Fatal(err)
				}
				b.until(done + ` && took.length > before`)
				most = append(most, eval[float64](b, `took[took.length - 1]`))
				time.Sleep(20 * time.Millisecond)
			}
		}
		t.Logf("%d URLs: everything blocked, then nothing: worst %.0f ms of %.0f", n, slices.Max(most), most)
		b.Quiet()
	}
}
