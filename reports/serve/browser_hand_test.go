//go:build browser

package serve

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// hand works in a tab as a person does, by mouse or by keyboard alone. It counts what the person does: a click, a turn
// of the wheel, a pressed key, a text that is typed or pasted as one.
type hand struct {
	*tab
	keys    bool
	actions int
	failed  string // the first step that did not work; later steps do nothing
}

// openHand starts a browser for a person.
func openHand(t *testing.T, keys bool) *hand { return &hand{tab: openTab(t), keys: keys} }

// fail notes the first step that did not work.
func (h *hand) fail(format string, of ...any) {
	if h.failed == "" {
		h.failed = fmt.Sprintf(format, of...)
	}
}

// handScript marks an element for the next steps: the n-th visible one of a selector that has a text.
const handScript = `(() => {
	const shown = e => e.checkVisibility() && e.getClientRects().length > 0;
	const words = e => (e.getAttribute("aria-label") || "") + " " + (e.labels ? Array.from(e.labels, l => l.textContent).join(" ") : "") + " " + e.textContent;
	const found = Array.from(document.querySelectorAll(%q)).filter(e => shown(e) && words(e).includes(%q));
	window.target = found[0];
	return !!window.target;
})()`

// find waits up to five seconds for a visible element of a selector, with a text in it or in its label.
func (h *hand) find(selector, text string) bool {
	if h.failed != "" {
		return false
	}
	if !h.shows(fmt.Sprintf(handScript, selector, text)) {
		h.fail("there is no %s with %q on %s", selector, text, eval[string](h.tab, `location.pathname`))
		return false
	}
	return true
}

// shows waits up to five seconds for an expression.
func (h *hand) shows(expression string) bool {
	for began := time.Now(); time.Since(began) < 5*time.Second; time.Sleep(10 * time.Millisecond) {
		is, err := chromedp.Run(h.Ctx, chromedp.Evaluate[bool](expression, chromedp.EvalAwaitPromise))
		if err == nil && is {
			return true
		}
	}
	return false
}

// reads is the end of a job, or a result that the next step needs: the page shows a text in an element.
func (h *hand) reads(selector, text string) {
	h.T.Helper()
	h.find(selector, text)
}

// spot is where an element is in the window; it is scrolled to if it is not there.
type spot struct {
	X, Y     float64
	Scrolled bool
	Covered  string
}

const spotScript = `(() => {
	const e = window.target, box = () => e.getClientRects()[0];
	let b = box(), scrolled = false;
	if (b.top < 0 || b.bottom > innerHeight) { e.scrollIntoView({block: "center", behavior: "instant"}); scrolled = true; b = box(); }
	const x = b.left + Math.min(b.width / 2, 40), y = b.top + b.height / 2, at = document.elementFromPoint(x, y);
	const same = at && (e === at || e.contains(at) || at.contains(e) || (e.labels && Array.from(e.labels).some(l => l.contains(at))));
	return {X: x, Y: y, Scrolled: scrolled, Covered: same ? "" : String(at && at.outerHTML).slice(0, 100)};
})()`

// click clicks on the marked element.
func (h *hand) click() {
	p := eval[spot](h.tab, spotScript)
	if p.Covered != "" {
		h.fail("covered by %s", p.Covered)
		return
	}
	if h.actions++; p.Scrolled {
		h.actions++
	}
	h.Do(chromedp.MouseClickXY(p.X, p.Y))
}

// key presses a key, with Control or Shift if they are named.
func (h *hand) key(name string, code int64, modifiers ...chromedp.Modifier) {
	h.actions++
	h.quietKey(name, code, modifiers...)
}

func (h *hand) quietKey(name string, code int64, modifiers ...chromedp.Modifier) {
	var with int64
	for _, m := range modifiers {
		with |= int64(m)
	}
	text := map[string]string{"Enter": "\r", " ": " "}[name]
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		p := input.DispatchKeyEventParams{Type: kind, Key: name, Code: name, WindowsVirtualKeyCode: code, Modifiers: with}
		if kind == input.DispatchKeyEventTypeKeyDown {
			p.Text = text
		}
		if _, err := chromedp.Call(h.Ctx, input.DispatchKeyEvent, p); err != nil {
			h.fail("key %s: %v", name, err)
		}
	}
}

// tabTo reaches the marked element by Tab, or by Shift+Tab if that is shorter.
func (h *hand) tabTo() {
	const back = `(() => {
		const all = Array.from(document.querySelectorAll("a[href],button:not(:disabled),input:not([type=hidden]):not(:disabled),select,textarea,summary,[tabindex='0']")).filter(e => e.checkVisibility());
		const at = all.indexOf(document.activeElement), to = all.indexOf(window.target);
		if (to < 0) return "not reachable";
		return at < 0 ? (to > all.length / 2 ? "back" : "on") : to < at ? (at - to > all.length / 2 ? "on" : "back") : (to - at > all.length / 2 ? "back" : "on");
	})()`
	way := eval[string](h.tab, back)
	if way == "not reachable" {
		h.fail("no Tab reaches %s", eval[string](h.tab, `window.target.outerHTML.slice(0, 120)`))
		return
	}
	// A radio button that is not checked is reached by the arrows from the one that is.
	const at = `document.activeElement === window.target || (window.target.type === "radio" && document.activeElement.name === window.target.name && document.activeElement.form === window.target.form)`
	for range 300 {
		if eval[bool](h.tab, at) {
			for range 10 {
				if eval[bool](h.tab, `document.activeElement === window.target`) {
					return
				}
				h.key("ArrowDown", 40)
			}
			return
		}
		if way == "back" {
			h.key("Tab", 9, chromedp.ModifierShift)
		} else {
			h.key("Tab", 9)
		}
	}
	h.fail("300 keys do not reach %s", eval[string](h.tab, `window.target.outerHTML.slice(0, 120)`))
}

// press follows a link, presses a button, opens or checks: the visible element of a selector with a text.
func (h *hand) press(selector, text string) {
	h.T.Helper()
	if !h.find(selector, text) {
		return
	}
	if !h.keys {
		h.click()
		return
	}
	if h.tabTo(); h.failed != "" || eval[bool](h.tab, `window.target.type === "radio"`) {
		return
	}
	if eval[bool](h.tab, `window.target.type === "checkbox"`) {
		h.key(" ", 32)
	} else {
		h.key("Enter", 13)
	}
}

// leave is press for what leads to another page, which it waits for.
func (h *hand) leave(selector, text string) {
	h.T.Helper()
	h.leaves(func() { h.press(selector, text) })
}

// enter presses Enter in a field, which leads to another page. Whoever uses the mouse does it, too: the hand is on the
// keyboard after typing.
func (h *hand) enter() {
	h.T.Helper()
	h.leaves(func() {
		if h.failed == "" {
			h.key("Enter", 13)
		}
	})
}

func (h *hand) leaves(do func()) {
	h.T.Helper()
	if h.failed != "" {
		return
	}
	before := eval[float64](h.tab, `performance.timeOrigin`)
	if do(); h.failed == "" && !h.shows(fmt.Sprintf(`performance.timeOrigin !== %v && document.readyState === "complete"`, before)) {
		h.fail("it leads nowhere from %s", eval[string](h.tab, `location.pathname`))
	}
}

// write types or pastes a text into a field.
func (h *hand) write(selector, label, text string) {
	h.T.Helper()
	if !h.find(selector, label) {
		return
	}
	if h.keys {
		h.tabTo()
	} else {
		h.click()
	}
	h.actions++
	if _, err := chromedp.Call(h.Ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		h.fail("typing: %v", err)
	}
}

// choose chooses the option of a select that contains a text: two clicks, or its first letters.
func (h *hand) choose(selector, label, option string) {
	h.T.Helper()
	if !h.find(selector, label) {
		return
	}
	if h.keys {
		h.tabTo()
		h.actions++
	} else {
		h.click()
		h.quietKey("Escape", 27)
		h.actions++
	}
	if !eval[bool](h.tab, fmt.Sprintf(`(() => { const e = window.target, o = Array.from(e.options).find(o => o.textContent.includes(%q)); if (!o) return false; e.value = o.value; e.dispatchEvent(new Event("input", {bubbles: true})); e.dispatchEvent(new Event("change", {bubbles: true})); e.focus(); return true; })()`, option)) {
		h.fail("%s has no option %q", selector, option)
	}
}

// follow follows a link in a message.
func (h *hand) follow(address string) {
	h.actions++
	h.open(address)
}
