//go:build browser

package reports

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"robots-audit/reports/internal/browsertest"
)

// openWith opens a page of a run with a query or fragment in its address.
func (b *tab) openWith(dir, page, rest string) {
	b.T.Helper()
	noError(b.T, chromedp.Do(b.Ctx, chromedp.Navigate("about:blank"))) // else a fragment alone would load nothing
	noError(b.T, chromedp.Do(b.Ctx, chromedp.Navigate("file://"+filepath.Join(dir, page)+rest)))
}

// until waits until an expression is true, on this page or the next.
func (b *tab) until(expression string) {
	b.T.Helper()
	for began := time.Now(); time.Since(began) < browsertest.StepTimeout; time.Sleep(20 * time.Millisecond) {
		if is, err := chromedp.Run(b.Ctx, chromedp.Evaluate[bool](expression)); err == nil && is { // an error: between two pages
			return
		}
	}
	b.T.Fatalf("it never came to %s", expression)
}

// query waits until the address has been written, and returns its query.
func (b *tab) query() string {
	b.T.Helper()
	return eval[string](b, `new Promise(done => setTimeout(() => done(location.search + location.hash), 300))`)
}

// blocksShown are the headings between the sites.
func (b *tab) blocksShown() []string {
	b.T.Helper()
	return eval[[]string](b, `Array.from(document.querySelectorAll("#table tr.block"), r => r.textContent)`)
}

// orderedRun is a run of the sites of TestSummaryOrder.
func orderedRun(t *testing.T) string {
	dir := t.TempDir()
	r := openRun(t, testOptions(dir))
	for i := range orderedSites {
		writeAll(t, r, orderedRecords(i, len(orderedSites)-i))
	}
	closeRun(t, r)
	return dir
}

// TestBrowserOrder shows the sites in the order of all summaries, in a block for each state; the
// headings go where a reader sorts, and come back with Clear.
func TestBrowserOrder(t *testing.T) {
	dir := orderedRun(t)
	b := openPage(t, dir, "index.html")
	var want []string
	for _, of := range orderedSites {
		want = append(want, of.name)
	}
	names := func() (list []string) {
		for _, name := range b.column(0) {
			name, _, _ = strings.Cut(name, "\n")
			list = append(list, name)
		}
		return list
	}
	blocks := []string{"Critical", "Warnings", "Unknown: could not be checked, and not counted as OK", "OK"}
	check := func(when string) {
		t.Helper()
		if diff := cmp.Diff(want, names()); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
		if diff := cmp.Diff(blocks, b.blocksShown()); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	check("at first")
	b.sort("name")
	if got := b.blocksShown(); !slices.IsSorted(names()) || len(got) != 0 {
		t.Errorf("by name: %q, %q", names(), got)
	}
	b.drawn(`document.querySelector("#filters [type=reset]").click()`)
	check("after Clear")
	b.filter("state", "unknown")
	checkEqual(t, "the unknown ones", b.blocksShown(), blocks[2:3])
	b.Quiet()
}

// TestBrowserAddress keeps filters, order and page in the address, of index.html and of
// a site's page, and finds them there again: when it is opened, and on the way back.
func TestBrowserAddress(t *testing.T) {
	dir := writeRun(t, testOptions(t.TempDir()), siteRecords("example.com", 0, 5000), siteRecords("example.org", 1, 50))
	b := openTab(t)

	b.open(dir, "index.html")
	checkEqual(t, "at first", b.query(), "")
	b.filter("text", "example.o&=#?")
	b.filter("text", "example.o")
	b.sort("share")
	b.sort("share")
	checkEqual(t, "the address", b.query(), "?text=example.o&sort=-share")
	b.drawn(`document.querySelector("#filters [type=reset]").click()`)
	checkEqual(t, "after Clear", b.query(), "")

	b.openWith(dir, "index.html", "?state=warn&crawler=1&sort=-name")
	if got := b.column(0); len(got) != 2 || !strings.HasPrefix(got[0], "example.org") {
		t.Errorf("opened: %q", got)
	}
	if !eval[bool](b, `document.querySelector("[data-state=warn]").getAttribute("aria-pressed") === "true" && document.querySelector("#table th[data-sort=name]").getAttribute("aria-sort") === "descending"`) {
		t.Error("the state or the order does not say that it is chosen")
	}
	eval[bool](b, `setTimeout(() => document.querySelector("#table tbody a").click()), true`)
	b.until(`location.pathname.endsWith("example.org.html")`)
	eval[bool](b, `setTimeout(() => history.back()), true`)
	b.until(`location.pathname.endsWith("index.html") && document.getElementById("place").textContent !== ""`)
	if got := b.column(0); len(got) != 2 || !strings.HasPrefix(got[0], "example.org") || b.query() != "?state=warn&crawler=1&sort=-name" {
		t.Errorf("back again: %q, %q", got, b.query())
	}

	page := filepath.Join("pages", "example.com.html")
	b.openWith(dir, page, "#blocked")
	b.drawn(`document.querySelector('.heat [data-rule="0:2"]').click()`)
	b.drawn(`document.querySelector("[data-go=on]").click()`)
	checkEqual(t, "the address", b.query(), "?rule=0%3A2&page=2#blocked")
	b.openWith(dir, page, "?rule=0%3A2&page=2#blocked")
	checkEqual(t, "a rule's second page", b.rowsShown(), "Rows 101 to 200 of 1,000")
	// The page ignores values that it does not have.
	b.openWith(dir, page, "?rule=9%3A9&sort=constructor&page=-3&dir=%3Cb%3E&nonsense=1")
	checkEqual(t, "an address of nothing", b.rowsShown(), "Rows 1 to 100 of 2,000")
	b.Quiet()
}

// TestBrowserWidths: index.html shows site, state, reason and share on a phone without scrolling
// sideways. The table of crawlers fits on a small screen even if everything is blocked.
func TestBrowserWidths(t *testing.T) {
	dir := demoRun(t)
	b := openTab(t)
	for _, width := range []int{390, 1024, 1440} {
		b.Emulate("light", width, 900)
		b.open(dir, "index.html")
		if n := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); n > 0 {
			t.Errorf("index.html is %d pixels wider than a window of %d", n, width)
		}
		if n := eval[int](b, `(() => { const e = document.querySelector("#sites .rows"); return e.scrollWidth - e.clientWidth; })()`); n > 0 && width != 1024 {
			t.Errorf("the sites are %d pixels wider than their place in a window of %d", n, width)
		}
		if width == 390 {
			shown := eval[[]bool](b, `Array.from(document.querySelector("#table tbody tr:not(.block)").cells, c => c.offsetWidth > 0 && c.innerText.trim() !== "")`)
			if len(shown) < 6 || !shown[0] || !shown[1] || !shown[2] || !shown[3] || slices.Contains(shown[4:], true) {
				t.Errorf("cells that are shown: %v", shown)
			}
			continue
		}
		b.open(dir, "pages", "relaunched.example.html")
		if n := eval[int](b, `(() => { const e = document.querySelector("#crawlers .scroll"); return e.scrollWidth - e.clientWidth; })()`); n > 0 {
			t.Errorf("who may crawl what is %d pixels wider than its place in a window of %d", n, width)
		}
	}
	b.Quiet()
}
