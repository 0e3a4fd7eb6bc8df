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
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// tool returns the path of a program, and installs Debian's package of it
// where there is none: the pages are tested in a real browser, always.
func tool(pkg string, names ...string) (string, error) {
	find := func() string {
		for _, name := range names {
			if path, err := exec.LookPath(name); err == nil {
				return path
			}
		}
		return ""
	}
	if path := find(); path != "" {
		return path, nil
	}
	apt := []string{"apt-get"}
	if os.Geteuid() != 0 {
		apt = []string{"sudo", "-n", "apt-get"}
	}
	var said []string
	for _, args := range [][]string{{"update", "-q"}, {"install", "-y", "-q", "--no-install-recommends", pkg}} {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		cmd := exec.CommandContext(ctx, apt[0], append(apt[1:], args...)...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		out, err := cmd.CombinedOutput()
		cancel()
		if err != nil {
			said = append(said, fmt.Sprintf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out))
		}
	}
	if path := find(); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("none of %s is here, and Debian's package %s could not be installed; install it and run the tests again\n%s",
		strings.Join(names, ", "), pkg, strings.Join(said, "\n"))
}

var chromium = sync.OnceValues(func() (string, error) {
	return tool("chromium", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
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
	options := append([]chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1280, 900), chromedp.WSURLReadTimeout(time.Minute),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
	}, flags...)
	allocated, cancelBrowser := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancelTab := chromedp.NewContext(allocated)
	t.Cleanup(func() {
		closing, cancel := context.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		if err := chromedp.Cancel(closing); err != nil { // waits until the browser has gone, and its folder can be removed
			t.Logf("closing the browser: %v", err)
		}
		cancelTab()
		cancelBrowser()
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

// patience bounds every single step in the browser.
const patience = time.Minute

// open goes to a file of a run, as one opened from disk.
func (b *tab) open(path ...string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	address := (&url.URL{Scheme: "file", Path: filepath.Join(path...)}).String()
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		b.t.Fatalf("%s: %v", address, err)
	}
}

// eval returns the value of an expression in the page. A promise is waited for.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("in the browser: %v: %.200s", err, expression)
	}
	return v
}

// drawn does what changes the table, waits until it is drawn again and on the
// screen, and returns the milliseconds that this took by the page's clock.
func (b *tab) drawn(expression string) float64 {
	b.t.Helper()
	return eval[float64](b, `new Promise(done => {
		const grid = document.getElementById("grid"), start = performance.now();
		new MutationObserver((_, o) => { o.disconnect(); requestAnimationFrame(() => done(performance.now() - start)); }).observe(grid, {attributes: true, attributeFilter: ["data-drawn"]});
		`+expression+`;
	})`)
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
	cellsOf   = `Array.from(document.querySelectorAll("#table tbody tr"), r => r.cells[%d].innerText.trim())`
	clickSort = `document.querySelector("#table th[data-sort=%s] button").click()`
	setFilter = `(() => { const e = document.querySelector("#filters [name=%s]"); e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); })()`
)

func (b *tab) column(n int) []string {
	b.t.Helper()
	return eval[[]string](b, fmt.Sprintf(cellsOf, n))
}

func (b *tab) sort(by string) float64 {
	b.t.Helper()
	return b.drawn(fmt.Sprintf(clickSort, by))
}

func (b *tab) filter(name, value string) float64 {
	b.t.Helper()
	return b.drawn(fmt.Sprintf(setFilter, name, value))
}

func (b *tab) place() string {
	b.t.Helper()
	return eval[string](b, `document.getElementById("place").textContent`)
}

// look sets the colours that the reader prefers, and the width of the window.
func (b *tab) look(scheme string, width int) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
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
