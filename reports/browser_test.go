//go:build browser

package reports

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"robots-audit/reports/internal/browsertest"
)

// tab is a page of a browser.
type tab struct{ *browsertest.Tab }

// openTab starts a browser with one tab, for as long as the test runs.
func openTab(t *testing.T, flags ...chromedp.ExecAllocatorOption) *tab {
	return &tab{browsertest.Open(t, 1280, 900, flags...)}
}

// openPage starts a browser with a file of a run.
func openPage(t *testing.T, path ...string) *tab {
	t.Helper()
	b := openTab(t)
	b.open(path...)
	return b
}

// eval returns the value of an expression in the page. A promise is waited for.
func eval[T any](b *tab, expression string) T {
	b.T.Helper()
	return browsertest.Eval[T](b.Tab, expression)
}

// open goes to a file of a run, as one opened from disk.
func (b *tab) open(path ...string) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, browsertest.StepTimeout)
	defer cancel()
	address := (&url.URL{Scheme: "file", Path: filepath.Join(path...)}).String()
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		b.T.Fatalf("%s: %v", address, err)
	}
	// If other browsers keep the machine busy, the page may still be loading when its address is set.
	b.until(fmt.Sprintf(`document.readyState === "complete" && decodeURIComponent(location.pathname) === %q`, filepath.ToSlash(filepath.Join(path...))))
	b.unfold()
}

// unfold opens the folded parts of a page.
func (b *tab) unfold() {
	b.T.Helper()
	eval[bool](b, `document.querySelectorAll("details.part").forEach(d => { d.open = true; }), true`)
}

// drawn runs an expression that changes the table, and waits until it is drawn again and on the
// screen.
func (b *tab) drawn(expression string) {
	b.T.Helper()
	eval[bool](b, `new Promise(done => {
		const grid = document.getElementById("grid");
		new MutationObserver((_, o) => { o.disconnect(); requestAnimationFrame(() => done(true)); }).observe(grid, {attributes: true, attributeFilter: ["data-drawn"]});
		`+expression+`;
	})`)
}

// usable is the maximum time for a step of a large page.
const usable = 2 * time.Second

// busy runs a step and compares its time with usable. It measures the processor time of the page's
// own thread, which is what a reader waits for on an idle machine, and which does not depend on
// other load.
func (b *tab) busy(name string, step func()) {
	b.T.Helper()
	if took := b.costs(name, step); took > usable {
		b.T.Errorf("%s: %v, more than %v", name, took, usable)
	}
}

// busyAtBest is busy for a step that always costs the same, such as opening a page: the least of
// three times counts, since a shared processor is slower at times.
func (b *tab) busyAtBest(name string, step func()) {
	b.T.Helper()
	took := b.costs(name, step)
	for try := 1; try < 3 && took > usable; try++ {
		took = min(took, b.costs(name, step))
	}
	if took > usable {
		b.T.Errorf("%s: %v at best, more than %v", name, took, usable)
	}
}

// costs runs a step, and returns the processor time of the page's thread for it.
func (b *tab) costs(name string, step func()) time.Duration {
	b.T.Helper()
	before := b.spent()
	step()
	took := b.spent() - before
	b.T.Logf("%s: %v", name, took.Round(time.Millisecond))
	return took
}

// spent returns the processor time that the page's thread has used for its tasks.
func (b *tab) spent() time.Duration {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, browsertest.StepTimeout)
	defer cancel()
	_, err := chromedp.Call(ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	noError(b.T, err)
	got, err := chromedp.Call(ctx, performance.GetMetrics, cdp.Empty{})
	noError(b.T, err)
	for _, m := range got.Metrics {
		if m.Name == "TaskDuration" {
			return time.Duration(m.Value * float64(time.Second))
		}
	}
	b.T.Fatal("the browser does not say how long its tasks took")
	return 0
}

// The table's cells, and the filters of its rows.
const (
	cellsOf   = `Array.from(document.querySelectorAll("#table tbody tr:not(.block)"), r => r.cells[%d].innerText.trim())`
	clickSort = `document.querySelector("#table th[data-sort=%s] button").click()`
	setFilter = `(() => { const e = document.querySelector("#filters [name=%s]"); e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); })()`
)

func (b *tab) column(n int) []string {
	b.T.Helper()
	return eval[[]string](b, fmt.Sprintf(cellsOf, n))
}

func (b *tab) sort(by string) {
	b.T.Helper()
	b.drawn(fmt.Sprintf(clickSort, by))
}

func (b *tab) filter(name, value string) {
	b.T.Helper()
	b.drawn(fmt.Sprintf(setFilter, name, value))
}

func (b *tab) rowsShown() string {
	b.T.Helper()
	return eval[string](b, `document.getElementById("place").textContent`)
}
