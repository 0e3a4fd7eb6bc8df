//go:build browser

package serve

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserViews checks the views with all rules of axe-core, in light and dark, on a phone and
// on a desktop, with hostile data.
func TestBrowserViews(t *testing.T) {
	dir, ids := newHistory(t, shopFirst, shopFirst, shopSecond, shopThird)
	acknowledge := func(context.Context, Answer) (string, error) { return "done", nil }
	_, a := newDesk(t, Options{History: dir, Acknowledge: acknowledge, Runs: logsWorld(t).Runs})
	run := "/runs/" + ids[3]
	b := openTab(t)
	for _, path := range []string{
		"/", "/alerts", "/alerts?severity=critical&site=" + shopHost, "/alerts?age=older", "/alerts?state=open&owner=-", "/alerts/answer", "/time", "/time?only=changed&sort=blocked&schedule=shops", "/time?days=365&q=shop", searchPath(ids[3], "", ""), searchPath(ids[3], "b1", ""), searchPath(ids[3], "", "evil.example.com"), run + "/search?blocked=any&rule=2&sort=-clicks&status=none", run + "/search?blocked=unknown&q=none",
		run + "/sites/" + shopHost + "/url", run + "/sites/" + shopHost + "/url?u=/shop/private/b1", run + "/sites/evil.example.com/url?u=/%3Cscript%3E",
		"/url", run + "/sites/" + shopHost + "/url?u=http://www." + shopHost + "/blog/post-2", run + "/sites/" + shopHost + "/versions?lines=changing", run + "/sites/" + shopHost + "/versions", run + "/sites/evil.example.com/versions",
		"/runs/several/report/index.html", "/runs/several/crawlers", "/runs/several/report/pages/evil.example.com.html", "/runs/several/logs/index.html", "/runs/several/sites/evil.example.com/logs/index.html", "/runs/one/sites/" + shopHost + "/logs/index.html",
	} {
		for _, look := range []struct {
			scheme string
			width  int
		}{{"light", 1440}, {"dark", 390}} {
			b.Emulate(look.scheme, look.width, 900)
			b.open(a.base + path)
			eval[bool](b, `document.querySelectorAll("details").forEach(d => d.open = true), true`)
			b.accessible(fmt.Sprint(path, " ", look.scheme, " ", look.width))
			if eval[bool](b, `window.harmed === 1`) {
				t.Errorf("%s: what a site has said is run", path)
			}
		}
		b.Quiet()
	}
}

// TestBrowserSearch searches with filters by mouse and keyboard, sorts by a header, and relaxes a search without a result.
func TestBrowserSearch(t *testing.T) {
	_, a := newDesk(t, Options{Runs: []string{searchedRun(t, 300)}})
	b := openTab(t)
	heading := `(document.querySelector("main section h2") || {}).innerText || ""`
	shows := func(words string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.readyState === "complete" && (%s) === %q`, heading, words))
	}
	choose := func(name, value string) {
		t.Helper()
		eval[bool](b, fmt.Sprintf(`(() => { document.querySelector("[name=%s]").value = %q; return true; })()`, name, value))
	}
	press := func(selector string) {
		t.Helper()
		b.Do(chromedp.Focus(selector), chromedp.KeyEvent("\r"))
	}
	b.open(a.base + filtered("", ""))
	shows("Sites")
	if eval[bool](b, `document.querySelector("details").open`) {
		t.Error("further filters are open before any is set")
	}
	choose("blocked", "any")
	choose("crawler", "Googlebot")
	press("[name=q]")
	shows("150 URLs blocked for Googlebot")
	b.Do(chromedp.Click("summary"))
	choose("rule", "2")
	choose("clicks", "30")
	press("[name=rule]")
	shows("60 URLs blocked for Googlebot by line 2 with at least 30 clicks")
	if !eval[bool](b, `document.querySelector("details").open`) {
		t.Error("further filters are closed, but two are set")
	}
	press("thead th:nth-child(4) a")
	b.until(`(document.querySelector("th[aria-sort=descending]") || {}).innerText === "Clicks"`)
	if top := eval[string](b, `document.querySelector("tbody td[data-label=Clicks]").innerText`); top != "48" {
		t.Errorf("the most clicks are %q", top)
	}
	shows("60 URLs blocked for Googlebot by line 2 with at least 30 clicks")
	choose("q", "nothing")
	press("[name=q]")
	shows("No URL blocked for Googlebot by line 2 with at least 30 clicks that contains nothing")
	b.Do(chromedp.Click("main section p a"))
	shows("60 URLs blocked for Googlebot by line 2 with at least 30 clicks")
	if !eval[bool](b, `fetch(document.querySelector("a[download]").href).then(r => r.text()).then(t => t.trim().split("\r\n").length === 61)`) {
		t.Error("the file has other rows")
	}
	b.Quiet()
	for _, width := range []int{390, 1024, 1440} {
		for _, scheme := range []string{"light", "dark"} {
			b.Emulate(scheme, width, 900)
			b.accessible(fmt.Sprint("search ", scheme, " ", width))
		}
	}
}

// TestBrowserPaste tests a URL by the bar with the keyboard alone, from the dashboard's own pages and from those of runs.
func TestBrowserPaste(t *testing.T) {
	dir, ids := newHistory(t, shopThird)
	_, a := newDesk(t, Options{History: dir})
	b := openTab(t)
	for _, path := range []string{"/", "/alerts", "/url", "/runs/" + ids[0] + "/report/index.html", "/runs/" + ids[0] + "/report/pages/evil.example.com.html", "/runs/" + ids[0] + "/sites/evil.example.com/edit"} {
		for _, width := range []int{390, 1024, 1440} {
			b.Emulate("light", width, 900)
			b.open(a.base + path)
			if eval[bool](b, `document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("%s: it is wider than %d", path, width)
			}
		}
		for range 25 {
			b.Do(chromedp.KeyEvent("\t"))
			if eval[bool](b, `document.activeElement.matches(".deskbar input")`) {
				break
			}
		}
		b.Do(chromedp.KeyEvent("https://www." + shopHost + "/shop/private/b5\r"))
		b.until(`location.pathname.endsWith("/sites/` + shopHost + `/url") && document.readyState === "complete"`)
		if text := eval[string](b, `document.querySelector(".lead").textContent`); !strings.Contains(text, "would be blocked from crawling for Googlebot") {
			t.Errorf("%s: %s", path, text)
		}
	}
	b.Quiet()
}
