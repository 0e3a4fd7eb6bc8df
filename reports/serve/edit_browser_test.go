//go:build browser

package serve

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"robots-audit/reports"
)

// TestBrowserFix follows a link from an item to the editor: the edit is made, one step of undo, and never over a draft
// without a question.
func TestBrowserFix(t *testing.T) {
	e := openEditor(t)
	original := e.robots()
	page := e.asker.base + "/runs/monday/report/pages/shop.example.html"
	follow := func() {
		t.Helper()
		e.open(page)
		e.accessible("the page of a site")
		e.click(`#todo a[href*="edit?do="]`)
		e.until(`!!document.getElementById("grid") && document.getElementById("grid").dataset.state === "done"`)
	}
	follow()
	edited := e.robots()
	if _, allowed := e.changes(); edited == original || allowed == 0 || !strings.HasPrefix(e.text("message"), "The edit of the link is in the text") || eval[string](e.tab, `location.search`) != "" {
		t.Errorf("%q: %q", e.text("message"), edited)
	}
	e.click("#message button")
	if e.robots() != original {
		t.Errorf("undone: %q", e.robots())
	}
	e.changes()

	// A draft stays until the user agrees.
	e.caret("User-agent: *\n")
	e.Do(chromedp.KeyEvent("Disallow: /mine\r"))
	e.changes()
	draft := e.robots()
	follow()
	e.until(`document.getElementById("replace").open`)
	e.click(`#replace button[value=""]`)
	if e.robots() != draft {
		t.Errorf("the draft is gone: %q", e.robots())
	}
	follow()
	e.until(`document.getElementById("replace").open`)
	e.click(`#replace button[value="yes"]`)
	e.until(`document.getElementById("message").textContent.startsWith("The edit of the link")`)
	if e.robots() != edited {
		t.Errorf("replaced: %q", e.robots())
	}

	// A link to a line selects it.
	e.open(page)
	e.click(`a[href$="edit?line=6"]`)
	e.until(`!!document.getElementById("grid") && document.getElementById("grid").dataset.state === "done"`)
	e.until(`document.getElementById("here").textContent.startsWith("Line 6 of")`)
	e.Quiet()
}

// TestBrowserQuestion asks before Load replaces an edited text, only then, and can be left by Escape.
func TestBrowserQuestion(t *testing.T) {
	e := openEditor(t)
	eval[bool](e.tab, `document.getElementById("start").value = "empty", document.getElementById("begin").focus(), true`)
	e.Do(chromedp.KeyEvent("\r"))
	e.until(`document.getElementById("robots").value === ""`)
	e.changes()
	e.Do(chromedp.Focus("#robots"), chromedp.KeyEvent("User-agent: *\rDisallow: /blog/"))
	e.changes()
	edited := e.robots()
	e.Do(chromedp.Focus("#begin"), chromedp.KeyEvent("\r"))
	e.until(`document.getElementById("replace").open`)
	e.Do(chromedp.KeyEvent("\u001b"))
	e.until(`!document.getElementById("replace").open`)
	if at := eval[string](e.tab, `document.activeElement.id`); at != "begin" || e.robots() != edited {
		t.Errorf("after Escape: focus at %q, %q", at, e.robots())
	}
	e.Do(chromedp.KeyEvent("\r"))
	e.until(`document.getElementById("replace").open`)
	e.Do(chromedp.KeyEvent("\t"), chromedp.KeyEvent("\t"), chromedp.KeyEvent("\t"))
	e.click(`#replace button[value="yes"]`)
	e.until(`document.getElementById("robots").value === ""`)
	e.click("#undo")
	if e.robots() != edited {
		t.Errorf("undone: %q", e.robots())
	}
	e.changes()

	// The changes can be compared with another text.
	eval[bool](e.tab, `(() => { const s = document.getElementById("sift").elements.against; s.value = "empty"; s.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`)
	e.settled()
	if got := e.text("status") + e.text("lead"); !strings.HasPrefix(got, "100 newly blocked, 0 newly allowed") || !strings.Contains(got, "Before: an empty file") {
		t.Errorf("compared with an empty file: %q", got)
	}
	e.Quiet()
}

// TestBrowserShared opens the editor with a wish, and tests the edit on all sites with the same file.
func TestBrowserShared(t *testing.T) {
	dir := t.TempDir()
	sites := map[string]testSite{}
	for _, name := range []string{"a.example", "b.example", "shop.example"} {
		site := shop(40)
		site.robots = "User-agent: *\nDisallow: /shop/private/\nDisallow: /search\n"
		sites[name] = site
	}
	auditRun(t, filepath.Join(dir, "monday"), sites, reports.Options{})
	_, a := newDesk(t, Options{Runs: []string{filepath.Join(dir, "monday")}})
	e := &editor{tab: openTab(t), asker: a, path: "/runs/monday/sites/shop.example/"}
	e.open(a.base + e.path + "edit?wish=allow&url=/shop/private/b1")
	e.settled()
	e.apply("This edit alone: 1 URL newly allowed")
	e.settled()
	if got := e.text("status"); !strings.HasPrefix(got, "0 newly blocked, 1 newly allowed") {
		t.Errorf("status: %q", got)
	}
	e.click("#test-all")
	e.until(`document.getElementById("shared-words").textContent.startsWith("0 newly blocked, 3 newly allowed on 3 sites with 120 URLs")`)
	e.accessible("several sites")
	e.caret("User-agent: *\n")
	e.Do(chromedp.KeyEvent("Disallow: /blog/\r"))
	e.until(`document.getElementById("shared-words").textContent.startsWith("30 newly blocked, 3 newly allowed on 3 sites")`)
	if rows := eval[string](e.tab, `Array.from(document.querySelectorAll("#shared tbody tr"), r => r.textContent).join(" ")`); strings.Count(rows, "4010") != 3 {
		t.Errorf("rows: %q", rows)
	}

	// Without a folder for proposals, the link contains the text.
	e.click("#share")
	e.until(`!!document.querySelector("#message input")`)
	address := eval[string](e.tab, `document.querySelector("#message input").value`)
	another := &editor{tab: openTab(t), asker: a, path: e.path}
	another.open(address)
	another.settled()
	if another.robots() != e.robots() || eval[string](another.tab, `location.hash`) != "" {
		t.Errorf("the address %s leads to %q", address, another.robots())
	}
	another.Quiet()
	eval[bool](e.tab, `(() => { const a = document.getElementById("robots"); let s = 1; a.value = Array.from({length: 12000}, () => "# " + (s = s * 16807 % 2147483647)).join("\n"); a.dispatchEvent(new InputEvent("input", {inputType: "insertFromPaste"})); return true; })()`)
	e.click("#share")
	e.until(`document.getElementById("message").textContent.includes("too long for an address")`)
	e.settled()
	e.Quiet()
}
