//go:build browser

package serve

import (
	"context"
	"fmt"
	"testing"
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
		"/", "/alerts", "/alerts?severity=critical&site=" + shopHost, "/alerts?age=older", "/time", "/time?days=365&q=shop", searchPath(ids[3], "", ""), searchPath(ids[3], "b1", ""), searchPath(ids[3], "", "evil.example.com"),
		run + "/sites/" + shopHost + "/url", run + "/sites/" + shopHost + "/url?u=/shop/private/b1", run + "/sites/evil.example.com/url?u=/%3Cscript%3E",
		run + "/sites/" + shopHost + "/versions", run + "/sites/evil.example.com/versions",
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
