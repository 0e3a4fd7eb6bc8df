//go:build browser

package serve

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	shot "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestBrowserDesk opens every view in light and in dark colours, wide and narrow. There must be no errors in the
// console or by the rules of axe-core, nothing wider than the window, and the keyboard must reach everything and leave
// it. TEST_DESK is the address of an open dashboard. TEST_SITES is the number of sites of its newest run to look at
// (1), and TEST_SHOTS a folder for screenshots.
func TestBrowserDesk(t *testing.T) {
	base, shots := os.Getenv("TEST_DESK"), os.Getenv("TEST_SHOTS")
	most, _ := strconv.Atoi(cmp.Or(os.Getenv("TEST_SITES"), "1"))
	if base == "" {
		dir, _ := newHistory(t, shopFirst, shopSecond)
		_, a := newDesk(t, Options{History: dir})
		base = a.base
	}
	a := &asker{t: t, base: strings.TrimSuffix(base, "/")}
	for _, look := range []struct {
		scheme        string
		width, height int
	}{{"light", 1440, 900}, {"dark", 390, 844}} {
		t.Run(fmt.Sprintf("%s %d", look.scheme, look.width), func(t *testing.T) {
			b := openTab(t)
			b.Emulate(look.scheme, look.width, look.height)
			for i, view := range views(a, most) {
				b.open(a.base + view)
				b.until(`document.readyState === "complete"`)
				if strings.HasSuffix(view, "/edit") {
					b.until(`document.getElementById("grid").dataset.state === "done"`)
					eval[bool](b, `Promise.all(document.getAnimations().map(a => a.finished)).then(() => true)`) // until nothing is dimmed any more
				}
				b.accessible(view)
				if look.scheme == "light" && look.width == 1440 && i < 24 {
					b.tabThrough(view)
				}
				if shots != "" {
					picture, err := chromedp.Call(b.Ctx, shot.CaptureScreenshot, shot.CaptureScreenshotParams{Format: "png"})
					if err == nil {
						err = os.WriteFile(filepath.Join(shots, fmt.Sprintf("%02d-%s-%d-%s.png", i, look.scheme, look.width, strings.Trim(strings.Map(plain, view), "_"))), picture.Data, 0o644)
					}
					noError(t, err)
				}
			}
			b.Quiet()
			b.open(a.base + "/runs/none") // the console also reports it
			b.accessible("a trouble")
		})
	}
}

// plain replaces a character of a view's path for the name of a file.
func plain(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
		return r
	}
	return '_'
}

// views are the paths of all kinds of views, of the newest run that is there.
func views(a *asker, sites int) (paths []string) {
	a.t.Helper()
	var all struct {
		Runs []struct {
			Link, Compared string
			Gone           bool
			Error          string
		}
		History bool
	}
	a.json("/", &all)
	paths = append(paths, "/")
	if all.History {
		paths = append(paths, "/alerts", "/time")
	}
	for _, run := range all.Runs {
		if run.Gone || run.Error != "" {
			continue
		}
		paths = append(paths, run.Link+"/report/index.html", run.Link+"/search", run.Link+"/search?q=a", run.Link+"/search?q=nothing-has-that")
		if answer, _ := a.do("GET", run.Link+"/logs", ""); answer.StatusCode < 400 {
			paths = append(paths, answer.Header.Get("Location"))
		}
		if answer, _ := a.do("GET", run.Link+"/crawlers", ""); answer.StatusCode < 400 {
			paths = append(paths, run.Link+"/crawlers")
		}
		if run.Compared != "" {
			paths = append(paths, run.Compared)
		}
		var of struct{ Sites []struct{ Link string } }
		a.json(run.Link+"/sites", &of)
		for i, site := range of.Sites {
			if i == sites {
				break
			}
			var known struct {
				URLs struct{ List []struct{ URL string } }
			}
			base := site.Link[strings.LastIndex(site.Link, "/")+1:]
			for range 100 { // until there is an index
				answer, text := a.do("GET", run.Link+"/search?q=http&site="+base, "", "Accept", "application/json")
				json.Unmarshal([]byte(text), &known)
				if answer.StatusCode != 202 {
					break
				}
				time.Sleep(100 * time.Millisecond)
			}
			one := "/"
			if len(known.URLs.List) > 0 {
				one = known.URLs.List[len(known.URLs.List)-1].URL
			}
			paths = append(paths, run.Link+"/report/pages/"+base+".html", site.Link+"/edit", site.Link+"/versions", site.Link+"/url", site.Link+"/url?u="+url.QueryEscape(one))
		}
		break
	}
	return paths
}

// tabThrough goes from one end of a page to the other by the keyboard. Nothing may keep the focus, the focus is
// visible, and there are as many stops as focusable elements, up to 150.
func (b *tab) tabThrough(view string) {
	b.T.Helper()
	press := func() {
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
			if _, err := chromedp.Call(b.Ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "Tab", Code: "Tab", WindowsVirtualKeyCode: 9}); err != nil {
				b.T.Fatal(err)
			}
		}
	}
	eval[bool](b, `window.seen = new Set(), window.bare = [], document.body.focus(), true`)
	const note = `(() => { const e = document.activeElement;
if (!e || e === document.body) return "out";
const shown = [e, e.closest(".field")].filter(Boolean).some(e => { const s = getComputedStyle(e); return s.outlineStyle !== "none" || s.boxShadow !== "none"; });
if (!shown) window.bare.push(e.outerHTML.slice(0, 120));
if (window.seen.has(e)) return "again";
window.seen.add(e); return "new"; })()`
	again := 0
	for range 150 {
		press()
		switch eval[string](b, note) {
		case "out":
			again = -1
		case "again":
			again++
		}
		if again < 0 || again > 2 {
			break
		}
	}
	if again > 2 && eval[int](b, `window.seen.size`) < eval[int](b, `Array.from(document.querySelectorAll("a[href],button:not(:disabled),input:not([type=hidden]):not(:disabled),select,textarea,summary,[tabindex='0']")).filter(e => e.checkVisibility()).length`)/2 {
		b.T.Errorf("%s: the focus is kept after %d places: %s", view, eval[int](b, `window.seen.size`), eval[string](b, `document.activeElement.outerHTML.slice(0, 200)`))
	}
	if n := eval[int](b, `window.seen.size`); n < 3 {
		b.T.Errorf("%s: the keyboard comes to %d places", view, n)
	}
	for i, bare := range eval[[]string](b, `window.bare`) {
		if i < 3 {
			b.T.Errorf("%s: has the focus and does not show it: %s", view, bare)
		}
	}
}
