//go:build browser

package reports

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"robots-audit/audit/compare"
)

// TestBrowserChanges sorts, filters and unfolds in the page of a comparison.
func TestBrowserChanges(t *testing.T) {
	dir := someCompared(t)
	b := openPage(t, dir, "index.html")
	checkEqual(t, "sites", b.column(0), []string{"c.example", "b.example"})
	b.sort("name")
	checkEqual(t, "by name", b.column(0), []string{"b.example", "c.example"})
	b.drawn(`document.querySelector("[data-class=vanished]").click()`)
	if got := b.column(0); len(got) != 0 || !eval[bool](b, `document.querySelector("[data-class=vanished]").getAttribute("aria-pressed") === "true"`) {
		t.Errorf("those with URLs that vanished: %q", got)
	}
	b.drawn(`document.querySelector("[data-class=newly_blocked]").click()`)
	if got := b.column(0); len(got) != 2 {
		t.Errorf("those with URLs that are newly blocked: %q", got)
	}
	b.drawn(`document.querySelector("#filters [type=reset]").click()`)
	b.filter("text", "B.EX")
	checkEqual(t, "by text", b.column(0), []string{"b.example"})

	// A site's part opens where a link leads to it, again after it was closed, and from the address.
	closed := `Array.from(document.querySelectorAll("details.compared"), d => (d.open = false, d)).length`
	open := `Array.from(document.querySelectorAll("details.compared[open]"), d => d.id).join()`
	for range 2 {
		eval[int](b, closed)
		b.until(`(() => { const a = document.querySelector('#table a[href="#site-2"]'); if (a) a.click(); return !!a; })()`) // the table may just be redrawn
		b.until(open + ` === "site-2"`)
	}
	b.openWith(dir, "index.html", "#site-1")
	b.until(`document.getElementById("site-1").open`)

	// The samples of a site have filters of their own.
	rows := func() int {
		return eval[int](b, `document.querySelectorAll("#site-2 .urls tbody:not([hidden])").length`)
	}
	for _, step := range []struct {
		field, value string
		rows         int
		said         string
	}{
		{"flip", "newly allowed", 10, "10 URLs of 40 fit"},
		{"crawler", "1", 0, "0 URLs of 40 fit"},
		{"flip", "newly blocked", 10, "10 URLs of 40 fit"},
		{"crawler", "", 20, "20 URLs of 40 fit"},
		{"text", "/NEW/36", 1, "1 URL of 40 fits"},
	} {
		eval[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector("#site-2 form").elements[%q]; e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`, step.field, step.value))
		if got, said := rows(), eval[string](b, `document.querySelector("#site-2 output").textContent`); got != step.rows || said != step.said {
			t.Errorf("%s = %q: %d rows, %q; want %d, %q", step.field, step.value, got, said, step.rows, step.said)
		}
	}
	eval[bool](b, `document.querySelector("#site-2 form").reset(), true`)
	b.until(`document.querySelectorAll("#site-2 .urls tbody:not([hidden])").length === 40`)

	// What is printed is open, and as it was afterwards.
	eval[int](b, closed)
	eval[bool](b, `window.dispatchEvent(new Event("beforeprint")), true`)
	checkEqual(t, "parts are folded where they are printed", eval[int](b, `document.querySelectorAll("details:not([open])").length`), 0)
	eval[bool](b, `window.dispatchEvent(new Event("afterprint")), true`)
	checkEqual(t, "open after printing", eval[string](b, open), "")
	b.Quiet()
}

// TestBrowserChangesAccessible checks the page of a comparison with all rules of axe-core, and that
// it fits its window, in light and in dark colours.
func TestBrowserChangesAccessible(t *testing.T) {
	dir := comparison(t, comparedSite("a.example", 0, false, ""), comparedSite("b.example", 40, false, ""), comparedSite("c.example", 400, true, " "+strings.Repeat("long", 60)), comparedSite("d.example", 12, true, `<b>"&'`+"\u202e"))
	b := openTab(t)
	for _, look := range []struct {
		scheme string
		width  int
	}{{"light", 1440}, {"dark", 390}, {"light", 1024}} {
		b.Emulate(look.scheme, look.width, 900)
		b.open(dir, "index.html")
		eval[int](b, `Array.from(document.querySelectorAll("details"), d => (d.open = true, d)).length`)
		if n := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); n > 0 {
			t.Errorf("the page is %d pixels wider than a window of %d: %s", n, look.width, eval[string](b, `Array.from(document.querySelectorAll("body *")).filter(e => !e.closest(".scroll") && (e.scrollWidth > innerWidth || e.getBoundingClientRect().right > innerWidth)).slice(-1).map(e => e.outerHTML.slice(0, 200)).join()`))
		}
		b.Accessible(fmt.Sprintf("%s, %d", look.scheme, look.width), "document")
	}
	b.Quiet()
}

// TestBrowserChangesOfMany opens the page of 5,000 sites.
func TestBrowserChangesOfMany(t *testing.T) {
	var sites []iter.Seq2[compare.Item, error]
	for i := range 5000 {
		sites = append(sites, comparedSite(fmt.Sprintf("s%04d.example", i), 8+i%120, false, ""))
	}
	dir := comparison(t, sites...)
	b := openTab(t)
	b.busyAtBest("opened", func() {
		b.open(dir, "index.html")
		b.until(`document.getElementById("place").textContent === "Rows 1 to 100 of 5,000"`)
	})
	b.busy("sorted", func() { b.sort("name") })
	b.busy("unfolded", func() { eval[bool](b, `document.querySelector("details.compared").open = true`) })
	b.Quiet()
}
