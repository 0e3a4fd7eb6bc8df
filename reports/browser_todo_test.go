//go:build browser

package reports

import "testing"

// TestBrowserToDo reads the causes on a phone, where nothing may need scrolling sideways, and goes
// from one to its URLs.
func TestBrowserToDo(t *testing.T) {
	dir := demoRun(t)
	b := openTab(t)
	for _, width := range []int{390, 1024} {
		b.Emulate("light", width, 900)
		for _, page := range []string{"www.bookshop.example", "fragile.example", "silent.example"} {
			b.open(dir, "pages", page+".html")
			if n := eval[int](b, `document.querySelectorAll("#todo li").length`); n == 0 {
				t.Errorf("%s has no causes", page)
			}
			if wide := eval[[]string](b, `[...document.querySelectorAll("#todo, #todo *, .lead *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map(e => e.outerHTML.slice(0, 100))`); len(wide) > 0 {
				t.Errorf("%s: wider than %d pixels: %q", page, width, wide)
			}
		}
	}
	b.open(dir, "pages", "www.bookshop.example.html")
	eval[bool](b, `document.querySelectorAll("details.part").forEach(d => { d.open = false; }), true`)
	b.drawn(`document.querySelector("#todo [data-rule]").click()`)
	if !eval[bool](b, `document.getElementById("blocked").closest("details").open`) {
		t.Error("the URLs of a line stay folded")
	}
	if !eval[bool](b, `document.querySelector("#filters [name=rule]").value === document.querySelector("#todo [data-rule]").dataset.rule`) {
		t.Error("a cause does not lead to its URLs")
	}
	b.Quiet()
}
