//go:build browser

package serve

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserBasePath uses a dashboard below a path of a proxy like a person, from the form for the token on:
// the browser requests nothing outside of the dashboard.
func TestBrowserBasePath(t *testing.T) {
	p := newProxied(t, allViews(t))
	b := openTab(t)
	b.open(p.base + belowPath)
	b.Do(chromedp.Focus("input[name=token]"), chromedp.KeyEvent(testToken+"\r"))
	b.until(`document.title.startsWith("Runs") && document.readyState === "complete"`)
	b.Troubles() // the first page needed a token
	follow := func(link, then string) {
		t.Helper()
		if !eval[bool](b, fmt.Sprintf(`(() => { const a = Array.from(document.querySelectorAll("a")).find(a => a.textContent.trim().startsWith(%q)); if (a) a.click(); return !!a; })()`, link)) {
			t.Fatalf("%s has no link %s", eval[string](b, `location.pathname`), link)
		}
		b.until(`document.readyState === "complete" && (` + then + `)`)
	}
	b.until(`document.querySelector("[data-progress] [role=status]").textContent.includes("40 URLs")`)
	follow("mon day", `document.querySelectorAll("#grid tbody tr").length > 0`)
	follow("shop.example", `document.querySelectorAll("#grid tbody tr").length > 0 && location.pathname.includes("/pages/")`)
	follow("Edit robots.txt", `(document.getElementById("grid") || {dataset: {}}).dataset.state === "done"`)
	eval[bool](b, `(() => { const f = document.querySelector("form#save"); f.requestSubmit(); return true; })()`)
	b.until(`document.getElementById("message").textContent.startsWith("Saved")`)
	follow("Versions", `document.title.startsWith("Versions")`)
	eval[bool](b, `(() => { const f = document.querySelector(".deskbar form"); f.elements.u.value = "/shop/private/b1"; f.requestSubmit(); return true; })()`)
	b.until(`document.readyState === "complete" && document.body.textContent.includes("Relevant lines")`)
	follow("Search", `document.title.startsWith("Search")`)
	eval[bool](b, `(() => { const f = document.querySelector("main form"); f.elements.q.value = "/shop/"; f.requestSubmit(); return true; })()`)
	b.until(`document.readyState === "complete" && Array.from(document.querySelectorAll("h2")).some(e => e.textContent.includes("URLs that begin with"))`)
	follow("Next", `location.search.includes("from=100") && document.body.textContent.includes("Previous")`)
	follow("Alerts", `document.title.startsWith("Alerts")`)
	eval[bool](b, `(() => { const d = document.querySelector("article details"); d.open = true; const f = d.querySelector("form"); f.elements.until.value = "2030-01-01"; f.querySelector("button").click(); return true; })()`)
	b.until(`document.readyState === "complete" && document.querySelector(".lead[role=status]") !== null`)
	follow("Runs", `document.title.startsWith("Runs")`)
	follow("What changed", `document.title.startsWith("What changed")`)
	b.Quiet()
	if len(p.outside) > 0 {
		t.Errorf("outside of the desk: %q", p.outside)
	}
}
