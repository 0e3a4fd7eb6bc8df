//go:build browser

package reports

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// manyIndex is index.html of a run of 25,000 sites, in files up to no. 3.
func manyIndex(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	o := testOptions(dir)
	o.Reports = []string{levelBlocked}
	r := openRun(t, o)
	enterMany(t, r, 25_000)
	closeRun(t, r)
	return dir
}

// TestBrowserFinder: the finder of sites is accessible, wide and narrow, even while it lists many,
// and when a row is marked.
func TestBrowserFinder(t *testing.T) {
	dir := manyIndex(t)
	for _, look := range []struct {
		scheme string
		width  int
	}{{"light", 1280}, {"dark", 390}} {
		b := openTab(t)
		b.Emulate(look.scheme, look.width, 900)
		b.open(dir, "index.html")
		for _, text := range []string{"s00", "s0012345"} {
			eval[bool](b, `new Promise(done => {
				const status = document.getElementById("found-status"), e = document.querySelector("#find [name=host]");
				status.textContent = "";
				new MutationObserver((_, o) => { o.disconnect(); done(true); }).observe(status, {childList: true});
				e.value = "`+text+`"; e.dispatchEvent(new Event("input", {bubbles: true}));
			})`)
			if got := eval[string](b, `(() => {
				const field = document.querySelector("#find input").getBoundingClientRect(), list = document.getElementById("found").getBoundingClientRect();
				return (list.top >= field.bottom ? "below" : "beside") + (list.top - field.bottom < 100 ? ", near" : ", far") + (list.height < 300 ? "" : ", high") + (document.documentElement.scrollWidth > innerWidth ? ", too wide" : "");
			})()`); got != "below, near" {
				t.Errorf("%d wide: what is found stands %s the field", look.width, got)
			}
			if text == "s0012345" {
				b.drawn(`document.querySelector("#found button").click()`)
			}
			b.Accessible(fmt.Sprintf("%s, %d wide", look.scheme, look.width), "document")
		}
		checkEqual(t, "the row in focus", eval[string](b, `document.activeElement.className + " " + document.activeElement.cells[0].innerText`), "sought "+manyName(12_345)+"\nworkbook")
		b.Quiet()
	}
}

// TestBrowserBeyondMemory filters and sorts an index of more sites than a browser keeps in memory,
// with the same result as one file of rows.
func TestBrowserBeyondMemory(t *testing.T) {
	dir := manyIndex(t)
	const of, to = `"files":3,`, `"files":3,"searched":1,`
	name := filepath.Join(dir, "index.html")
	text := readText(t, name)
	if strings.Count(text, of) != 1 {
		t.Fatalf("index.html has not 3 files: %.300s", text[strings.Index(text, `"kind"`):])
	}
	noError(t, os.WriteFile(name, []byte(strings.Replace(text, of, to, 1)), 0o644))
	b := openPage(t, dir, "index.html")
	status := func() string { return eval[string](b, `document.getElementById("status").textContent`) }

	b.filter("text", "S00249")
	if got := status(); got != "100 sites of 25,000 fit" || b.rowsShown() != "Rows 1 to 100 of 100" {
		t.Errorf("filtered: %s; %s", got, b.rowsShown())
	}
	b.sort("name")
	if got := b.column(0); len(got) != 100 || !slices.IsSorted(got) {
		t.Errorf("sorted: %d, %q", len(got), got)
	}
	b.drawn(`document.querySelector("#filters [type=reset]").click()`)
	b.drawn(`document.querySelector("[data-go=last]").click()`)
	if got := b.rowsShown(); got != "Rows 24,901 to 25,000 of 25,000" || status() != "" {
		t.Errorf("all: %s; %s", got, status())
	}

	fine := eval[string](b, `document.querySelector("[data-state=ok] b").textContent`)
	b.drawn(`document.querySelector("[data-state=ok]").click()`)
	if got := status(); got != fine+" sites of 25,000 fit; the first 11,000 of them are here" || b.rowsShown() != "Rows 1 to 100 of 11,000" {
		t.Errorf("more than there is memory for: %s; %s", got, b.rowsShown())
	}
	b.drawn(`document.querySelector("[data-state=ok]").click(); document.querySelector("[data-state=critical]").click()`) // of two queries the last is answered
	bad := eval[string](b, `document.querySelector("[data-state=critical] b").textContent`)
	checkEqual(t, "asked anew", status(), bad+" sites of 25,000 fit")
	b.drawn(`document.querySelector("#filters [type=reset]").click()`)
	b.sort("name")
	checkEqual(t, "sorted", status(), "In this order are the first 11,000 sites of 25,000")
	b.Quiet()
}
