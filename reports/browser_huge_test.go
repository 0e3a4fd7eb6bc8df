//go:build browser

package reports

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"robots-audit/engine/wording"
	"robots-audit/reports/internal/browsertest"
)

// TestBrowserHugeIndex opens an index.html of 20,000 sites (TEST_SITES) from disk, finds one by its name
// and follows its link, finds one without a page and shows its row, and filters the rows. It logs the
// time of each step, and the page's memory. TEST_RUN is a run that TestSoakSummaries has kept in its
// TEST_DIR; pictures go to TEST_PICTURES:
//
//	TEST_SITES=100000 TEST_PICTURES=/tmp go test -tags browser -run '^TestBrowserHugeIndex$' -v ./reports
func TestBrowserHugeIndex(t *testing.T) {
	sites, dir := 20_000, os.Getenv("TEST_RUN")
	for _, text := range []string{os.Getenv("TEST_SITES"), filepath.Base(dir)} {
		if n, err := strconv.Atoi(text); err == nil {
			sites = n
		}
	}
	if dir == "" {
		dir = t.TempDir()
		o := testOptions(dir)
		o.Reports = []string{levelBlocked}
		r := openRun(t, o)
		enterMany(t, r, sites)
		writeAll(t, r, siteRecords("demanded.example", sites, 100))
		closeRun(t, r)
	}
	b := openTab(t)
	find := func(text string) []string {
		t.Helper()
		return eval[[]string](b, fmt.Sprintf(`new Promise(done => {
			const status = document.getElementById("found-status");
			status.textContent = "";
			new MutationObserver((_, o) => { o.disconnect(); done(Array.from(document.querySelectorAll("#found li"), e => e.innerText.trim())); }).observe(status, {childList: true});
			const e = document.querySelector("#find [name=host]"); e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true}));
		})`, text))
	}
	b.busyAtBest("opened", func() { b.open(dir, "index.html") })
	t.Logf("painted and usable after %s", eval[string](b, `new Promise(done => new PerformanceObserver(list => {
		for (const e of list.getEntriesByName("first-contentful-paint")) done(e.startTime.toFixed() + " and " + performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd.toFixed() + " ms");
	}).observe({type: "paint", buffered: true}))`))
	b.memory("opened")
	b.pictures("opened")
	total := wording.Thousands(int64(sites + 1))
	checkEqual(t, "rows", b.rowsShown(), "Rows 1 to 100 of "+total)
	b.busy("last page", func() { b.drawn(`document.querySelector("[data-go=last]").click()`) })
	checkEqual(t, "rows", b.rowsShown(), fmt.Sprintf("Rows %s to %s of %s", wording.Thousands(int64(sites/100*100+1)), total, total))
	last, middle := manyName(sites-2), manyName(sites*8/9/5*5+2) // of sites with nothing to report
	for text, want := range map[string]string{
		"nothing": "", "s0000001.ex": "s0000001.example", "https://" + last + "/a": last, "S0000000": "www.s0000000.example",
		strings.TrimPrefix(middle, "www."): middle, "demanded": "demanded.example",
	} {
		var got []string
		began := time.Now()
		b.busy("found "+text, func() { got = find(text) })
		t.Logf("answered after %v", time.Since(began).Round(time.Millisecond))
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], want)) {
			t.Errorf("%s: %q", text, got)
		}
	}
	if got := find("s00"); len(got) != 50 || !strings.HasPrefix(got[0], "www.s0000000.example") || !strings.HasPrefix(got[49], "s0000049.example") {
		t.Errorf("s00: %q", got)
	}
	b.pictures("found")
	find(middle)
	b.drawn(`document.querySelector("#found button").click()`)
	if got := eval[string](b, `(() => {
		const row = document.activeElement, box = row.closest(".scroll").getBoundingClientRect(), at = row.getBoundingClientRect();
		return row.className + " " + row.cells[0].innerText + (at.top >= Math.max(0, box.top) && at.bottom <= Math.min(innerHeight, box.bottom) ? " in sight" : " out of sight");
	})()`); got != "sought "+middle+" in sight" {
		t.Errorf("its row: %s", got)
	}
	b.pictures("row")
	b.memory("names found")
	// Rows that do not stay in memory are read again, with progress.
	patience := usable * time.Duration(max(1, sites/200_000))
	if took := b.costs("filtered", func() { b.filter("text", "s00007") }); took > patience {
		t.Errorf("filtered: %v, more than %v", took, patience)
	}
	b.memory("filtered")
	checkEqual(t, "status", eval[string](b, `document.getElementById("status").textContent`), "100 sites of "+total+" fit")
	b.pictures("filtered")
	checkEqual(t, "rows", b.rowsShown(), "Rows 1 to 100 of 100")
	find("demanded.example")
	b.drawn(`document.querySelector("#filters [type=reset]").click()`)
	checkEqual(t, "without filters", b.rowsShown(), "Rows 1 to 100 of "+total)
	if took := b.costs("those that are fine", func() { b.drawn(`document.querySelector("[data-state=ok]").click()`) }); took > patience {
		t.Errorf("those that are fine: %v, more than %v", took, patience)
	}
	b.memory("those that are fine")
	t.Log(b.rowsShown(), eval[string](b, `document.getElementById("status").textContent`))
	b.drawn(`document.querySelector("#filters [type=reset]").click()`)
	b.busy("sorted", func() { b.sort("urls") })
	t.Log(b.rowsShown(), eval[string](b, `document.getElementById("status").textContent`))
	checkEqual(t, "the link leads to", eval[string](b, `document.querySelector("#found a").href`), "file://"+filepath.Join(dir, "pages", "demanded.example.html"))
	b.open(dir, "pages", "demanded.example.html")
	if got := eval[string](b, `new Promise(done => document.readyState === "complete" ? done(document.title) : addEventListener("load", () => done(document.title)))`); !strings.Contains(got, "demanded.example") {
		t.Errorf("it leads to %s", got)
	}
	b.Quiet()
}

// pageMemory is the maximum memory for a page's script.
const pageMemory = 512 << 20

// memory compares the page's used memory with pageMemory.
func (b *tab) memory(name string) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, browsertest.StepTimeout)
	defer cancel()
	if _, err := chromedp.Call(ctx, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
		b.T.Fatal(err)
	}
	got, err := chromedp.Call(ctx, performance.GetMetrics, cdp.Empty{})
	noError(b.T, err)
	for _, m := range got.Metrics {
		if m.Name == "JSHeapUsedSize" {
			b.T.Logf("%s: %.0f MB", name, m.Value/1e6)
			if m.Value > pageMemory {
				b.T.Errorf("%s: the page has %.0f MB in use, more than %d", name, m.Value/1e6, pageMemory/1_000_000)
			}
		}
	}
}

// pictures takes screenshots of a desktop and a phone for people to look at, if TEST_PICTURES names
// a folder.
func (b *tab) pictures(name string) {
	b.T.Helper()
	dir := os.Getenv("TEST_PICTURES")
	if dir == "" {
		return
	}
	for _, width := range []int{1280, 390} {
		b.Emulate("light", width, 900)
		eval[bool](b, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
		ctx, cancel := context.WithTimeout(b.Ctx, browsertest.StepTimeout)
		picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		cancel()
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.png", name, width)), picture, 0o644)
		}
		noError(b.T, err)
	}
	b.Emulate("light", 1280, 900)
}
