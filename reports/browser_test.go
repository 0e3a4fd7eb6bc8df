//go:build browser

package reports

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// chromium is the browser of these tests: with the tag it is there, or they fail.
var chromium = sync.OnceValues(func() (string, error) {
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("none of %s is here; .ci/install-browser installs one", strings.Join(names, ", "))
})

// tab is a page of a browser that notes everything that goes wrong in it.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	troubles []string
}

// openTab starts a browser with one tab, for as long as the test runs.
func openTab(t *testing.T, flags ...chromedp.ExecAllocatorOption) *tab {
	t.Helper()
	path, err := chromium()
	if err != nil {
		t.Fatal(err)
	}
	// Not t.TempDir, which fails the test if a last process of the browser still
	// writes there while the folder is removed.
	profile, err := os.MkdirTemp("", "robots-audit-browser-")
	if err != nil {
		t.Fatal(err)
	}
	options := append([]chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.WindowSize(1280, 900), chromedp.WSURLReadTimeout(stepTimeout),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
	}, flags...)
	allocated, cancelBrowser := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancelTab := chromedp.NewContext(allocated)
	t.Cleanup(func() {
		closing, cancel := context.WithTimeout(ctx, stepTimeout)
		defer cancel()
		if err := chromedp.Cancel(closing); err != nil { // waits until the browser has gone
			t.Logf("closing the browser: %v", err)
		}
		cancelTab()
		cancelBrowser()
		for try := 0; os.RemoveAll(profile) != nil && try < 20; try++ {
			time.Sleep(100 * time.Millisecond)
		}
	})
	b := &tab{t: t, ctx: ctx}
	err = chromedp.Listen(ctx, func(ev any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch ev := ev.(type) {
		case *runtime.EventConsoleAPICalled:
			b.troubles = append(b.troubles, fmt.Sprintf("console.%s", ev.Type))
		case *runtime.EventExceptionThrown:
			b.troubles = append(b.troubles, "exception: "+ev.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			b.troubles = append(b.troubles, fmt.Sprintf("%s: %s", ev.Entry.Level, ev.Entry.Text))
		}
	})
	if err == nil {
		_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	}
	if err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return b
}

// stepTimeout bounds every single step in the browser: a test that hangs is to say
// where, one on a slow machine is to be waited for.
const stepTimeout = 3 * time.Minute

// open goes to a file of a run, as one opened from disk.
func (b *tab) open(path ...string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	address := (&url.URL{Scheme: "file", Path: filepath.Join(path...)}).String()
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		b.t.Fatalf("%s: %v", address, err)
	}
	// Where other browsers keep the machine busy, the page may still be read when its address is there.
	b.until(fmt.Sprintf(`document.readyState === "complete" && decodeURIComponent(location.pathname) === %q`, filepath.ToSlash(filepath.Join(path...))))
}

// eval returns the value of an expression in the page. A promise is waited for.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("in the browser: %v: %.200s", err, expression)
	}
	return v
}

// drawn does what changes the table, and waits until it is drawn again and on
// the screen.
func (b *tab) drawn(expression string) {
	b.t.Helper()
	eval[bool](b, `new Promise(done => {
		const grid = document.getElementById("grid");
		new MutationObserver((_, o) => { o.disconnect(); requestAnimationFrame(() => done(true)); }).observe(grid, {attributes: true, attributeFilter: ["data-drawn"]});
		`+expression+`;
	})`)
}

// usable is how long a step of a large page may keep its reader waiting.
const usable = 2 * time.Second

// busy does a step and holds it against usable: by the processor time that the
// page's own thread takes, which is what the reader waits for on a machine that
// does nothing else, and which does not grow with what else the machine does.
func (b *tab) busy(name string, step func()) {
	b.t.Helper()
	if took := b.costs(name, step); took > usable {
		b.t.Errorf("%s: %v, more than %v", name, took, usable)
	}
}

// busyAtBest is busy for a step that costs the same whenever it is done, such as to open a page:
// the least of three times counts, since a processor that others use, too, is slower at times.
func (b *tab) busyAtBest(name string, step func()) {
	b.t.Helper()
	took := b.costs(name, step)
	for try := 1; try < 3 && took > usable; try++ {
		took = min(took, b.costs(name, step))
	}
	if took > usable {
		b.t.Errorf("%s: %v at best, more than %v", name, took, usable)
	}
}

// costs does a step, and returns the processor time that the page's thread has taken for it.
func (b *tab) costs(name string, step func()) time.Duration {
	b.t.Helper()
	before := b.spent()
	step()
	took := b.spent() - before
	b.t.Logf("%s: %v", name, took.Round(time.Millisecond))
	return took
}

// spent returns the processor time that the page's thread has taken for its tasks.
func (b *tab) spent() time.Duration {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	_, err := chromedp.Call(ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	if err != nil {
		b.t.Fatal(err)
	}
	got, err := chromedp.Call(ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, m := range got.Metrics {
		if m.Name == "TaskDuration" {
			return time.Duration(m.Value * float64(time.Second))
		}
	}
	b.t.Fatal("the browser does not say how long its tasks took")
	return 0
}

// quiet fails the test if anything went wrong in the pages so far.
func (b *tab) quiet() {
	b.t.Helper()
	eval[bool](b, "true") // what was said before has arrived
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.troubles {
		b.t.Errorf("the browser says: %s", s)
	}
	b.troubles = nil
}

// The table's cells, and what chooses among its rows.
const (
	cellsOf   = `Array.from(document.querySelectorAll("#table tbody tr:not(.block)"), r => r.cells[%d].innerText.trim())`
	clickSort = `document.querySelector("#table th[data-sort=%s] button").click()`
	setFilter = `(() => { const e = document.querySelector("#filters [name=%s]"); e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); })()`
)

func (b *tab) column(n int) []string {
	b.t.Helper()
	return eval[[]string](b, fmt.Sprintf(cellsOf, n))
}

func (b *tab) sort(by string) {
	b.t.Helper()
	b.drawn(fmt.Sprintf(clickSort, by))
}

func (b *tab) filter(name, value string) {
	b.t.Helper()
	b.drawn(fmt.Sprintf(setFilter, name, value))
}

func (b *tab) rowsShown() string {
	b.t.Helper()
	return eval[string](b, `document.getElementById("place").textContent`)
}

// emulate sets the colours that the reader prefers, and the width of the window.
func (b *tab) emulate(scheme string, width int) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(int64(width), 900)); err != nil {
		b.t.Fatal(err)
	}
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}
