//go:build browser

package serve

import (
	"fmt"
	"strings"
)

// openRun opens the page of the newest run.
func openRun(h *hand) { h.leave("main table.runs th a", "20261128T060000Z") }

// askURL asks about a URL, from any page.
func askURL(h *hand, url string) {
	h.write(".deskbar input[name=u]", "", url)
	h.enter()
}

// openSite opens the page of a site. Its name is pasted, as in a long list it is far away.
func openSite(h *hand) { askURL(h, jobsHost(3)) }

// openOf opens another page of a site by its link in the bar.
func openOf(h *hand, link string) {
	openSite(h)
	h.leave("nav.deskbar a", link)
}

// openSearch opens the search of the newest run.
func openSearch(h *hand) {
	openRun(h)
	h.leave("nav.deskbar a", "Search")
}

// jobs are the twelve jobs of a week.
var jobs = []job{
	{name: "find why a URL is blocked", steps: func(w *jobsWorld, h *hand) {
		askURL(h, jobsURL)
		h.reads("div.lead p", "Blocked from crawling")
		h.reads("div.lead p", "by line 5 Disallow: /shop/private/")
		h.reads("details.explained[open] td", "decides")
	}},
	{name: "since when", steps: func(w *jobsWorld, h *hand) {
		askURL(h, jobsURL)
		h.reads("div.lead p", "since 28 November 2026")
	}},
	{name: "which rule costs most clicks", steps: func(w *jobsWorld, h *hand) {
		openSite(h)
		h.reads("#todo li:first-child h3", "Line 6 Disallow: /blog/ blocks 100 URLs")
		h.reads("#todo li:first-child .facts", "2,000 (87 % of clicks)")
	}},
	{name: "free a template in the editor and hand it over", steps: func(w *jobsWorld, h *hand) {
		openOf(h, "Edit robots.txt")
		h.reads("#grid[data-state=done]", "")
		h.write("textarea[name=urls]", "", "/blog/post-")
		h.press("input[name=below]", "")
		h.press("button[value=allow]", "")
		h.press("#preview button", "Apply")
		h.reads("#status", "100 newly allowed")
		h.press("#patch", "")
	}, done: func(w *jobsWorld) string {
		if text := w.downloaded(); !strings.Contains(text, "--- a/robots.txt\n+++ b/robots.txt\n") || !strings.Contains(text, "\n-Disallow: /blog/\n") {
			return fmt.Sprintf("downloaded %q", text)
		}
		return ""
	}},
	{name: "accept the alerts of a relaunch", steps: func(w *jobsWorld, h *hand) {
		h.leave("nav.deskbar a", "Alerts")
		h.press("article.alert summary", "Answer")
		h.leave("article.alert button[value=accept]", "Accept all 24")
		h.reads("p.lead[role=status]", "Accepted 24 alerts")
	}, done: func(w *jobsWorld) string {
		if n := w.accepted.Load(); n != 2*jobsSites {
			return fmt.Sprintf("%d alerts are accepted", n)
		}
		return ""
	}},
	{name: "compare two months", steps: func(w *jobsWorld, h *hand) {
		openOf(h, "Versions")
		h.choose("select[name=old]", "", "5 Oct")
		h.leave("main form button", "Compare")
		h.reads("main h2", "From “5 Oct 2026” to “since 28 Nov 2026”")
		h.reads("ul.tiles", "200newly blocked")
	}},
	{name: "download the blocked URLs with clicks", steps: func(w *jobsWorld, h *hand) {
		openSearch(h)
		h.choose("select[name=blocked]", "", "blocked")
		h.press("form.search summary", "More filters")
		h.write("input[name=clicks]", "", "1")
		h.enter()
		h.press("main a", "Download CSV")
	}, done: func(w *jobsWorld) string {
		text := w.downloaded()
		if n := strings.Count(text, ".com/blog/post-"); n != jobsURLs/4*jobsSites {
			return fmt.Sprintf("%d posts in %.300q", n, text)
		}
		return ""
	}},
	{name: "see which sites got worse since the last run", steps: func(w *jobsWorld, h *hand) {
		h.leave("main table.runs a", "What changed")
		h.reads("main", "12 of 13 sites changed")
		h.reads("main", jobsHost(3))
		h.reads("main", "newly blocked")
	}},
	{name: "review a colleague's proposal by link", steps: func(w *jobsWorld, h *hand) {
		h.follow(w.base + w.site(jobsHost(3)) + "/proposals/" + jobsProposal)
		h.reads("ul.tiles", "200newly allowed")
		h.reads("main h2", "Findings in the proposal")
	}},
	{name: "from a To do item to the editor with the edit made", steps: func(w *jobsWorld, h *hand) {
		openSite(h)
		h.leave("main a", "Try it in the editor")
		h.reads("#grid[data-state=done]", "")
		h.reads("#status", "100 newly allowed of 400 URLs")
	}},
	{name: "assign an owner and filter by owner", steps: func(w *jobsWorld, h *hand) {
		h.leave("nav.deskbar a", "Alerts")
		h.press("article.alert summary", "Answer")
		h.write("article.alert input[name=owner]", "", "Ann")
		h.leave("article.alert button[value=assign]", "Assign")
		h.choose("select[name=owner]", "", "Ann")
		h.leave("form.filters button", "Show")
		h.reads("article.alert", "Owner: Ann")
	}},
	{name: "find URLs blocked for Googlebot that it still requests", steps: func(w *jobsWorld, h *hand) {
		openSearch(h)
		h.choose("select[name=blocked]", "", "blocked")
		h.choose("select[name=crawler]", "", "Googlebot")
		h.press("form.search summary", "More filters")
		h.write("input[name=hits]", "", "1")
		h.enter()
		h.reads("main h2", "1,200 URLs blocked for Googlebot")
	}},
}
