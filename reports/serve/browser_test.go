//go:build browser

package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"robots-audit/reports"
)

// hostileRobots has comments that would run, end an element, or mislead.
const hostileRobots = testRobots + "# </script></textarea><script>hacked = 1</script><img src=x onerror='hacked = 1'>\n# left \u202e right\n"

// editor is a dashboard over one site, with its editor in a browser.
type editor struct {
	*tab
	asker     *asker
	path      string // of the editor
	proposals string
}

func openEditor(t *testing.T) *editor {
	t.Helper()
	return openEditorWith(t, "")
}

// openEditorWith opens the editor with a query.
func openEditorWith(t *testing.T, query string) *editor {
	t.Helper()
	dir := t.TempDir()
	site := shop(400)
	site.robots = hostileRobots
	site.paths = append(site.paths, "/shop/<img src=x onerror=hacked=1>", "/shop/private/\u202egpj.exe")
	auditRun(t, filepath.Join(dir, "monday"), map[string]testSite{"shop.example": site}, reports.Options{})
	proposals := filepath.Join(dir, "proposals")
	_, a := newDesk(t, Options{Runs: []string{filepath.Join(dir, "monday")}, Proposals: proposals})
	e := &editor{openTab(t), a, "/runs/monday/sites/shop.example/", proposals}
	e.open(a.base + e.path + "edit" + query)
	e.settled()
	return e
}

// settled waits until the page shows results for the text of the field.
func (e *editor) settled() {
	e.T.Helper()
	e.until(`document.getElementById("grid").dataset.state === "done"`)
}

// robots is the text of the field.
func (e *editor) robots() string {
	e.T.Helper()
	return eval[string](e.tab, `document.getElementById("robots").value`)
}

// caret puts the caret behind a part of the text.
func (e *editor) caret(behind string) {
	e.T.Helper()
	if !eval[bool](e.tab, fmt.Sprintf(`(() => { const a = document.getElementById("robots"), at = a.value.indexOf(%q); a.focus(); a.setSelectionRange(at + %d, at + %[2]d); return at >= 0; })()`, behind, len(behind))) {
		e.T.Fatalf("the text has no %q: %q", behind, e.robots())
	}
}

// click clicks on an element, by an event of the script.
func (e *editor) click(selector string) {
	e.T.Helper()
	if !eval[bool](e.tab, fmt.Sprintf(`(() => { const b = document.querySelector(%q); if (b) b.click(); return !!b; })()`, selector)) {
		e.T.Fatalf("there is no %s", selector)
	}
}

// apply applies the edit of the preview, which must not have changed the text.
func (e *editor) apply(words string) {
	e.T.Helper()
	before := e.robots()
	e.until(`!document.getElementById("preview").hidden && document.getElementById("grid").dataset.wish === "done"`)
	if got := e.text("preview"); !strings.Contains(got, words) || eval[string](e.tab, `document.activeElement.textContent`) != "Apply" {
		e.T.Errorf("preview: %q", got)
	}
	if e.robots() != before {
		e.T.Errorf("the preview has changed the text: %q", e.robots())
	}
	eval[bool](e.tab, `document.activeElement.click(), true`)
}

// press presses a key together with Control.
func (e *editor) press(key string) {
	e.T.Helper()
	e.Do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// changes compares the figures of the page with the answer for the text of the field.
func (e *editor) changes() (blocked, allowed int) {
	e.T.Helper()
	e.settled()
	var want struct {
		Told struct {
			Totals struct {
				Blocked int `json:"newly_blocked"`
				Allowed int `json:"newly_allowed"`
			}
		}
	}
	if status := e.asker.post(e.path+"try", map[string]string{"robots": e.robots()}, &want); status != 200 {
		e.T.Fatalf("try: status %d", status)
	}
	got := eval[[]int](e.tab, `Array.from(document.querySelectorAll("#tiles b"), b => +b.textContent.replace(/,/g, ""))`)
	totals := want.Told.Totals
	if len(got) < 2 || got[0] != totals.Blocked || got[1] != totals.Allowed {
		e.T.Errorf("shown %v, want %+v", got, totals)
	}
	if status := e.text("status"); totals.Blocked+totals.Allowed > 0 && !strings.HasPrefix(status, fmt.Sprintf("%d newly blocked, %d newly allowed of 402 URLs", totals.Blocked, totals.Allowed)) {
		e.T.Errorf("status: %q", status)
	}
	return totals.Blocked, totals.Allowed
}

// TestBrowserEditor edits like a person: types, undoes, starts again, unblocks, fixes, saves and shares.
func TestBrowserEditor(t *testing.T) {
	e := openEditor(t)
	original := e.robots()
	if original != strings.ReplaceAll(hostileRobots, "%s", "shop.example") || !strings.HasPrefix(e.text("status"), "As in this run") {
		t.Errorf("at the beginning: %q, %q", e.text("status"), original)
	}
	if !eval[bool](e.tab, `document.querySelector("#paint .t-hidden").textContent === "\u202e" && document.getElementById("paint").textContent.includes("</textarea><script>")`) {
		t.Error("what hides is not marked")
	}

	// Typing changes verdicts, and is one step of undo and redo.
	e.caret("/shop/private/")
	for range len("private/") {
		e.Do(chromedp.KeyEvent("\b"))
	}
	e.until(`document.getElementById("status").textContent.includes("newly blocked")`)
	if blocked, allowed := e.changes(); blocked != 101 || allowed != 0 {
		t.Errorf("/shop/: %d newly blocked, %d newly allowed", blocked, allowed)
	}
	if got := eval[string](e.tab, `document.querySelector("#effects [data-line='2']").textContent.trim()`); got != "−101" {
		t.Errorf("at its line: %q", got)
	}
	if got := eval[string](e.tab, `document.querySelector("#examples tbody").textContent + document.querySelector("#directories tbody").textContent`); !strings.Contains(got, "/shop/") || !strings.Contains(got, "line 2") {
		t.Errorf("examples: %.500q", got)
	}
	edited := e.robots()
	e.press("z")
	if e.robots() != original {
		t.Errorf("undone: %q", e.robots())
	}
	e.until(`document.getElementById("status").textContent.startsWith("As in this run")`)
	e.press("y")
	if e.robots() != edited {
		t.Errorf("done again: %q", e.robots())
	}
	e.changes()

	// One crawler's changes: Bingbot has a group of its own, so it has none.
	eval[bool](e.tab, `(() => { const s = document.querySelector("#sift select"); s.value = "Bingbot"; s.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`)
	if got := e.text("status"); !strings.HasPrefix(got, "0 newly blocked, 0 newly allowed for Bingbot") {
		t.Errorf("of Bingbot: %q", got)
	}
	eval[bool](e.tab, `(() => { const s = document.querySelector("#sift select"); s.value = ""; s.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`)

	// A URL is unblocked in the list of changes, and blocked by the form; both can be undone.
	e.click("#examples .act button")
	e.apply("This edit alone: 1 URL newly allowed, 0 newly blocked.")
	if blocked, _ := e.changes(); blocked != 100 || !strings.Contains(e.text("message"), "This gives both verdicts asked for") {
		t.Errorf("freed: %d newly blocked; %q", blocked, e.text("message"))
	}
	e.click("#message button")
	if e.robots() != edited {
		t.Errorf("freed and undone: %q", e.robots())
	}
	eval[bool](e.tab, `(() => { const f = document.getElementById("wish").elements; f.urls.value = "/blog/post-2"; f.whom.value = "some"; f.crawler[2].checked = true; f.want[1].click(); return true; })()`)
	e.apply("This blocks the URL for the crawler")
	if blocked, _ := e.changes(); blocked != 102 {
		t.Errorf("blocked for one crawler: %d newly blocked; %q", blocked, e.text("message"))
	}
	e.click("#undo")
	e.changes()

	// So is a directory.
	eval[bool](e.tab, `(() => { const f = document.getElementById("wish").elements; f.urls.value = "/blog/"; f.urls.dispatchEvent(new Event("input", {bubbles: true})); f.whom.value = ""; f.want[1].click(); return true; })()`)
	e.apply("Disallow: /blog/")
	if blocked, _ := e.changes(); blocked != 201 || !strings.Contains(e.robots(), "\nDisallow: /blog/\n") {
		t.Errorf("a directory blocked: %d newly blocked; %q", blocked, e.text("message"))
	}
	e.click("#undo")
	e.changes()

	// F8 goes to a finding, which is shown at its line, and fixed.
	e.caret("Disallow: /search")
	e.Do(chromedp.KeyEvent("\rDisalow: /x"))
	e.until(`document.getElementById("here").textContent.includes("Disalow")`)
	e.caret("User-agent: *")
	for range 20 {
		eval[bool](e.tab, `document.dispatchEvent(new KeyboardEvent("keydown", {key: "F8"}))`)
		if eval[string](e.tab, `(a => a.value.slice(a.selectionStart, a.selectionEnd))(document.getElementById("robots"))`) == "Disalow" {
			break
		}
	}
	if got := eval[string](e.tab, `(a => a.value.slice(a.selectionStart, a.selectionEnd))(document.getElementById("robots"))`); got != "Disalow" {
		t.Errorf("F8 leads to %q", got)
	}
	e.settled()
	e.click(`#findings button[aria-label*="Disalow"]`)
	if !strings.Contains(e.robots(), "\nDisallow: /x\n") {
		t.Errorf("mended: %q", e.robots())
	}
	e.changes()
	shared := e.robots()

	// A draft survives a reload; an address contains the text for another tab.
	e.Do(chromedp.Reload())
	e.settled()
	if e.robots() != shared || !strings.Contains(e.text("message"), "draft") {
		t.Errorf("loaded again: %q", e.text("message"))
	}

	// It is saved with its note and its changes, and can be a starting text. The link for a review leads to it.
	e.click("#share")
	e.until(`document.getElementById("saving").open`)
	eval[bool](e.tab, `(() => { const f = document.querySelector("form#save"); f.elements.note.value = "less"; f.requestSubmit(); return true; })()`)
	e.until(`document.getElementById("message").textContent.startsWith("Saved") && !document.getElementById("saving").open`)
	address := eval[string](e.tab, `document.querySelector("#message input").value`)
	another := &editor{openTab(t), e.asker, e.path, e.proposals}
	another.open(address)
	if got := eval[string](another.tab, `document.querySelector("main").textContent`); !strings.Contains(got, "less") || !strings.Contains(got, "newly blocked") {
		t.Errorf("the address %s leads to %q", address, got)
	}
	another.accessible("a proposal")
	another.click(`main a[href*="edit?start=proposal"]`)
	another.until(`!!document.getElementById("grid")`)
	another.settled()
	if another.robots() != shared || eval[string](another.tab, `location.search`) != "" {
		t.Errorf("the proposal in the editor: %q", another.robots())
	}
	another.changes()
	another.Quiet()
	saved, _ := filepath.Glob(filepath.Join(e.proposals, "shop.example", "*"))
	if len(saved) != 3 {
		t.Fatalf("saved: %q", saved)
	}
	if text, err := os.ReadFile(strings.TrimSuffix(saved[0], filepath.Ext(saved[0])) + ".txt"); err != nil && !strings.HasSuffix(saved[0], ".expect.csv") || err == nil && string(text) != shared {
		t.Errorf("saved: %q, %v", text, err)
	}
	if starts := eval[string](e.tab, `Array.from(document.getElementById("start").options, o => o.value.split(":")[0]).join()`); starts != "live,proposal,empty" {
		t.Errorf("what may be begun with: %s", starts)
	}
	eval[bool](e.tab, `(() => { document.getElementById("start").value = "empty"; document.getElementById("begin").click(); return true; })()`)
	e.until(`document.getElementById("robots").value === ""`)
	if blocked, allowed := e.changes(); blocked != 0 || allowed == 0 {
		t.Errorf("empty: %d newly blocked, %d newly allowed", blocked, allowed)
	}
	e.click("#undo")
	if e.robots() != shared {
		t.Error("a beginning cannot be undone")
	}
	e.settled()

	// A file from disk keeps its line ends; a text that is too long for an address gives a message.
	const lines = "User-agent: *\r\nDisallow: /ä\r\n"
	eval[bool](e.tab, `(() => { const d = new DataTransfer(), f = document.getElementById("file"); d.items.add(new File(["User-agent: *\r\nDisallow: /ä\r\n"], "mine.txt")); f.files = d.files; f.dispatchEvent(new Event("change")); return true; })()`)
	e.until(`document.getElementById("message").textContent.includes("mine.txt")`)
	e.settled()
	e.caret("Disallow: /")
	e.Do(chromedp.KeyEvent("x"))
	e.settled()
	eval[bool](e.tab, `(() => { const f = document.querySelector("form#save"); f.elements.expect.checked = false; f.elements.note.value = ""; f.requestSubmit(); return true; })()`)
	e.until(`document.getElementById("message").textContent.startsWith("Saved")`)
	texts, _ := filepath.Glob(filepath.Join(e.proposals, "shop.example", "*Z.txt"))
	if len(texts) != 2 {
		t.Fatalf("saved: %q", texts)
	}
	if text, err := os.ReadFile(texts[1]); err != nil || string(text) != strings.Replace(lines, "/", "/x", 1) {
		t.Errorf("saved: %q, %v", text, err)
	}
	eval[bool](e.tab, `(() => { const a = document.getElementById("robots"); let s = 1; a.value = Array.from({length: 12000}, () => "# " + (s = s * 16807 % 2147483647)).join("\n"); a.dispatchEvent(new InputEvent("input", {inputType: "insertFromPaste"})); return true; })()`)
	e.changes()
	if n := eval[int](e.tab, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelectorAll("#paint > div > div").length))))`); n == 0 || n > 100 {
		t.Errorf("%d lines of 12,000 are drawn", n)
	}
	e.settled()
	if eval[bool](e.tab, `"hacked" in window`) {
		t.Error("what the site says has run")
	}
	e.Quiet()
}

// TestBrowserEditorKeys uses the editor only by keys, and leaves it.
func TestBrowserEditorKeys(t *testing.T) {
	e := openEditor(t)
	at := func() string {
		return eval[string](e.tab, `document.activeElement.id || document.activeElement.name || document.activeElement.localName`)
	}
	var reached []string
	tabTo := func(id string) {
		t.Helper()
		for range 40 {
			e.Do(chromedp.KeyEvent("\t"))
			reached = append(reached, at())
			if at() == id {
				return
			}
		}
		t.Fatalf("no Tab leads to %s: %q", id, reached)
	}
	tabTo("robots")
	e.Do(chromedp.KeyEvent("Disallow: /blog/\r"))
	e.until(`document.getElementById("robots").value.startsWith("Disallow: /blog/\n")`)
	e.changes()
	tabTo("next")
	e.Do(chromedp.KeyEvent("\r"))
	if at() != "robots" {
		t.Errorf("the next finding is at %s", at())
	}
	if !strings.Contains(e.text("here"), "before the first User-agent line") {
		t.Errorf("here: %q", e.text("here"))
	}
	tabTo("urls")
	e.Do(chromedp.KeyEvent("/shop/private/b1"))
	for eval[string](e.tab, `document.activeElement.value || ""`) != "allow" {
		e.Do(chromedp.KeyEvent("\t"))
	}
	e.Do(chromedp.KeyEvent("\r"))
	e.apply("This gives both verdicts asked for")
	if _, allowed := e.changes(); allowed != 1 {
		t.Errorf("%d newly allowed", allowed)
	}
	e.Quiet()
}

// TestBrowserEditorLooks checks the editor with the rules of axe-core and that it fits its window,
// with changes and findings. It also checks the message after the dashboard has ended.
func TestBrowserEditorLooks(t *testing.T) {
	e := openEditor(t)
	for _, look := range []struct {
		scheme string
		width  int
	}{{"light", 1440}, {"dark", 390}} {
		e.Emulate(look.scheme, look.width, 900)
		e.open(e.asker.base + e.path + "edit")
		e.settled()
		e.caret("Disallow: /s")
		e.Do(chromedp.KeyEvent("/"))
		e.caret("User-agent: *\n")
		e.Do(chromedp.KeyEvent("Disalow: /blog\rDisallow: /shop/"))
		e.until(`document.getElementById("status").textContent.includes("newly blocked")`)
		e.changes()
		eval[bool](e.tab, `document.getElementById("all-findings").open = true; document.getElementById("wish").elements.whom.value = "some"; document.getElementById("whom").hidden = false; true`)
		eval[bool](e.tab, `Promise.all(document.getAnimations().map(a => a.finished)).then(() => true)`)
		e.accessible(fmt.Sprintf("%s, %d", look.scheme, look.width))
		// The painted text is below the same text of the field.
		if got := eval[string](e.tab, `(() => {
			const of = s => ["fontFamily", "fontSize", "lineHeight", "letterSpacing", "wordSpacing", "tabSize", "whiteSpace"].map(n => getComputedStyle(s)[n]).join();
			const plain = s => ["paddingLeft", "paddingRight", "marginLeft", "marginRight", "borderLeftWidth", "borderRightWidth"].every(n => parseFloat(getComputedStyle(s)[n]) === 0);
			const field = of(document.getElementById("robots")), spans = Array.from(document.querySelectorAll("#paint span"));
			return spans.length > 10 ? spans.filter(s => of(s) !== field || !plain(s) || getComputedStyle(s).fontWeight !== "400").map(s => s.className + ": " + of(s)).join("; ") : "nothing is painted";
		})()`); got != "" {
			t.Errorf("painted otherwise than the text: %s", got)
		}
		e.click("#begin")
		e.until(`document.getElementById("replace").open`)
		e.accessible("the question, " + look.scheme)
		e.click(`#replace button[value="yes"]`)
		e.until(`document.getElementById("status").textContent.startsWith("As in this run")`)
	}
	e.Quiet()

	// The run's own text may change something, too: it is tested as if all addresses responded with
	// it.
	eval[bool](e.tab, `(() => { const ask = window.fetch; window.fetch = (name, o) => ask(name, o).then(a => name !== "try" ? a : a.json().then(j => { j.same = true; return new Response(JSON.stringify(j)); })); return true; })()`)
	e.caret("User-agent: *\n")
	e.Do(chromedp.KeyEvent("Disallow: /shop/\r"))
	e.changes()
	if got := e.text("status") + e.text("lead"); !strings.Contains(got, "101 newly blocked") || !strings.Contains(got, "as if each address") {
		t.Errorf("the run's own text: %q", got)
	}

	e.open(e.asker.base + e.path + "edit")
	e.settled()
	eval[bool](e.tab, `window.fetch = () => Promise.reject(new TypeError("gone")); true`)
	e.caret("Disallow: /s")
	e.Do(chromedp.KeyEvent("x"))
	e.until(`document.getElementById("grid").dataset.state === "trouble"`)
	if got := e.text("status"); !strings.Contains(got, "does not answer") {
		t.Errorf("without a desk: %q", got)
	}
}
