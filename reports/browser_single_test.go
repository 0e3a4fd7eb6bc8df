//go:build browser

package reports

import (
	"os"
	"path/filepath"
	"testing"
)

// TestBrowserSingleFile opens a single file away from its run: a site's name leads to
// its page, whose script runs in its frame.
func TestBrowserSingleFile(t *testing.T) {
	o := testOptions(t.TempDir())
	o.SingleFile = true
	dir := writeRun(t, o, threeSites())
	alone := t.TempDir()
	text, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err == nil {
		err = os.WriteFile(filepath.Join(alone, "report.html"), text, 0o666)
	}
	noError(t, err)
	b := openPage(t, alone, "report.html")
	eval[bool](b, `new Promise(done => {
		[...document.querySelectorAll("#table a")].find(a => a.textContent === "example.com").click();
		const look = () => {
			const held = document.getElementById("page-example.com"), inside = held.querySelector("iframe").contentDocument;
			if (held.open && inside && inside.querySelectorAll("#table tbody tr").length === 100) done(true); else setTimeout(look, 20);
		};
		look();
	})`)
	if n := eval[int](b, `document.querySelectorAll("details[open]:not(.part)").length`); n != 1 {
		t.Errorf("%d pages are open", n)
	}
	if title := eval[string](b, `document.querySelector("#page-example\\.com iframe").contentDocument.querySelector("h1 bdi").textContent`); title != "example.com" {
		t.Errorf("the page is of %q", title)
	}
	b.Quiet()
}
