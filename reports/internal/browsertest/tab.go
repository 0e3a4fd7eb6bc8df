//go:build browser

// Package browsertest opens pages in Chromium for tests, and records their errors.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
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

// StepTimeout bounds every single step in the browser: a test that hangs shows the step, and a slow
// machine has enough time.
const StepTimeout = 3 * time.Minute

// Tab is a page of a browser that records all errors in it.
type Tab struct {
	T   *testing.T
	Ctx context.Context

	mu       sync.Mutex
	troubles []string
}

// Open starts a browser with one tab, for as long as the test runs. Without a browser the test fails.
func Open(t *testing.T, width, height int, flags ...chromedp.ExecAllocatorOption) *Tab {
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
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.WindowSize(width, height), chromedp.WSURLReadTimeout(StepTimeout),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
	}, flags...)
	allocated, cancelBrowser := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancelTab := chromedp.NewContext(allocated)
	t.Cleanup(func() {
		closing, cancel := context.WithTimeout(ctx, StepTimeout)
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
	b := &Tab{T: t, Ctx: ctx}
	if err = chromedp.Listen(ctx, b.note); err == nil {
		_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	}
	if err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return b
}

// chromium finds the browser.
func chromium() (string, error) {
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("none of %s is here; .ci/install-browser installs one", strings.Join(names, ", "))
}

// note records a message of a page on its console.
func (b *Tab) note(ev any) {
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
}

// Troubles returns the errors in the pages since the last call.
func (b *Tab) Troubles() []string {
	b.T.Helper()
	Eval[bool](b, "true") // waits until earlier events have arrived
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.troubles
	b.troubles = nil
	return list
}

// Quiet fails the test if there were errors in the pages so far.
func (b *Tab) Quiet() {
	b.T.Helper()
	for _, s := range b.Troubles() {
		b.T.Errorf("the browser says: %s", s)
	}
}

// Do runs steps in the browser.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, StepTimeout)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.T.Fatal(err)
	}
}

// Eval returns the value of an expression in the page. It waits for a promise.
func Eval[V any](b *Tab, expression string) V {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, StepTimeout)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[V](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.T.Fatalf("in the browser: %v: %.200s", err, expression)
	}
	return v
}

// Emulate sets the reader's preferred colours, "light" or "dark", and the size of the window.
func (b *Tab) Emulate(scheme string, width, height int) {
	b.T.Helper()
	b.Do(chromedp.EmulateViewport(int64(width), int64(height)))
	_, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	if err != nil {
		b.T.Fatal(err)
	}
}
