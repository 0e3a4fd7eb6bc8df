//go:build browser

package reports

import (
	"fmt"
	"strings"
	"testing"
)

// TestBrowserMigration sorts and filters in the page of a pre-migration check.
func TestBrowserMigration(t *testing.T) {
	b := openPage(t, checkedMap(t, 2, ""), "index.html")
	if got := b.column(0); len(got) != 38 || !strings.HasPrefix(got[0], "https://old.example/loop/0") {
		t.Errorf("pairs: %q", got)
	}
	b.drawn(`document.querySelector("[data-class=source_blocked]").click()`)
	if got := b.column(0); len(got) != 2 || !strings.Contains(got[0], "/source_blocked/") {
		t.Errorf("of a class: %q", got)
	}
	b.drawn(`document.querySelector("[data-state=unknown]").click()`)
	if got := b.column(0); len(got) != 2 || !strings.Contains(got[0], "/unknown/") || !eval[bool](b, `document.querySelector("[data-state=unknown]").getAttribute("aria-pressed") === "true"`) {
		t.Errorf("of a severity: %q", got)
	}
	b.drawn(`document.querySelector("#filters [type=reset]").click()`)
	b.filter("text", "NEW.EXAMPLE/temporary/1")
	if got := b.column(0); len(got) != 1 {
		t.Errorf("by text: %q", got)
	}
	b.drawn(`document.querySelector("#filters [type=reset]").click()`)
	b.sort("hits")
	if got := b.column(6); got[0] != "9,000" || got[len(got)-1] != "–" {
		t.Errorf("by hits: %q", got)
	}
	b.Quiet()
}

// TestBrowserMigrationAccessible checks the page of a pre-migration check with all rules of
// axe-core, and that it fits its window, in light and in dark colours.
func TestBrowserMigrationAccessible(t *testing.T) {
	dirs := []string{checkedMap(t, 3, ""), checkedMap(t, 1, " "+strings.Repeat("long", 60)+`<b>"&'`+"\u202e"), checkedMap(t, 0, "")}
	b := openTab(t)
	for _, look := range []struct {
		scheme string
		width  int
	}{{"light", 1440}, {"dark", 390}, {"light", 1024}} {
		for _, dir := range dirs {
			b.Emulate(look.scheme, look.width, 900)
			b.open(dir, "index.html")
			if n := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); n > 0 {
				t.Errorf("the page is %d pixels wider than a window of %d: %s", n, look.width, eval[string](b, `Array.from(document.querySelectorAll("body *")).filter(e => !e.closest(".scroll") && (e.scrollWidth > innerWidth || e.getBoundingClientRect().right > innerWidth)).slice(-1).map(e => e.outerHTML.slice(0, 200)).join()`))
			}
			b.Accessible(fmt.Sprintf("%s, %d", look.scheme, look.width), "document")
		}
	}
	b.Quiet()
}
