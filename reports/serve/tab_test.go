//go:build browser

package serve

import (
	"context"
	"fmt"
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

// tab is a page of a browser that notes everything that goes wrong in it.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	troubles []string
}

// stepTimeout bounds every single step in the browser.
const stepTimeout = 20 * time.Second

// openTab starts a browser with one tab, for as long as the test runs.
func openTab(t *testing.T) *tab {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Fatal("no browser is here; .ci/install-browser installs one")
	}
	profile, err := os.MkdirTemp("", "robots-audit-browser-")
	if err != nil {
		t.Fatal(err)
	}
	allocated, cancelBrowser := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.WindowSize(1440, 900), chromedp.WSURLReadTimeout(stepTimeout),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
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

// do takes a step in the browser.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// open goes to an address.
func (b *tab) open(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address)) // a fragment alone loads nothing anew
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

// until waits for an expression to be true. Where the page is just giving way to another one, there is
// nobody to ask, and it is asked again.
func (b *tab) until(expression string) {
	b.t.Helper()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression, chromedp.EvalAwaitPromise))
		cancel()
		if err == nil && is {
			return
		}
		if time.Since(began) > stepTimeout {
			b.t.Fatalf("never true: %s (%v); status %q, said %q", expression, err, b.text("status"), b.text("said"))
		}
	}
}

// text is what an element says.
func (b *tab) text(id string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf(`(document.getElementById(%q) || {}).innerText || ""`, id))
}

// emulate sets the colours that the reader prefers, and the size of the window.
func (b *tab) emulate(scheme string, width, height int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
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

// accessible holds the page to all rules of axe-core, and to its window.
func (b *tab) accessible(what string) {
	b.t.Helper()
	dir := os.Getenv("ROBOTS_AUDIT_BROWSER")
	script, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		b.t.Fatalf("ROBOTS_AUDIT_BROWSER names no folder that .ci/install-browser made: %v", err)
	}
	eval[bool](b, string(script)+`; true`)
	for _, f := range eval[[]string](b, `axe.run({resultTypes: ["violations"]}).then(r => r.violations.map(v => v.impact + " " + v.id + ": " + v.help + " (" + v.nodes.length + "): " + v.nodes[0].html.slice(0, 200) + " " + v.nodes[0].failureSummary))`) {
		b.t.Errorf("%s: %s", what, strings.ReplaceAll(f, "\n", " "))
	}
	if n := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); n > 0 {
		b.t.Errorf("%s: %d pixels wider than the window: %s", what, n, eval[string](b, `Array.from(document.querySelectorAll("body *")).filter(e => !e.closest(".scroll,.field") && e.getBoundingClientRect().right > innerWidth).slice(-1).map(e => e.outerHTML.slice(0, 200)).join()`))
	}
}
