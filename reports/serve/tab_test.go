//go:build browser

package serve

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"robots-audit/reports/internal/browsertest"
)

// tab is a page of a browser.
type tab struct{ *browsertest.Tab }

// openTab starts a browser with one tab, for as long as the test runs.
func openTab(t *testing.T) *tab { return &tab{browsertest.Open(t, 1440, 900)} }

// eval returns the value of an expression in the page. A promise is waited for.
func eval[T any](b *tab, expression string) T {
	b.T.Helper()
	return browsertest.Eval[T](b.Tab, expression)
}

// open goes to an address.
func (b *tab) open(address string) {
	b.T.Helper()
	b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(address)) // a fragment alone would not reload the page
}

// until waits for an expression to be true. While the page is being replaced, the evaluation fails and
// is repeated.
func (b *tab) until(expression string) {
	b.T.Helper()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(b.Ctx, browsertest.StepTimeout)
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression, chromedp.EvalAwaitPromise))
		cancel()
		if err == nil && is {
			return
		}
		if time.Since(began) > browsertest.StepTimeout {
			b.T.Fatalf("never true: %s (%v); status %q, message %q", expression, err, b.text("status"), b.text("message"))
		}
	}
}

// text is the text of an element.
func (b *tab) text(id string) string {
	b.T.Helper()
	return eval[string](b, fmt.Sprintf(`(document.getElementById(%q) || {}).innerText || ""`, id))
}

// accessible checks the page with all rules of axe-core, and that it fits its window.
func (b *tab) accessible(what string) {
	b.T.Helper()
	b.Accessible(what, "document")
	if n := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); n > 0 {
		b.T.Errorf("%s: %d pixels wider than the window: %s", what, n, eval[string](b, `Array.from(document.querySelectorAll("body *")).filter(e => !e.closest(".scroll,.field") && e.getBoundingClientRect().right > innerWidth).slice(-1).map(e => e.outerHTML.slice(0, 200)).join()`))
	}
}
