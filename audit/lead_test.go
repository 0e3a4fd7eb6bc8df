package audit

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"robots-audit/crawl"
)

// numbered returns n URLs of a folder.
func numbered(folder string, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("%s%d", folder, i))
	}
	return list
}

// TestLead checks the sentence with which all reports begin: the greatest effect first, each
// crawler with its own figure, and the line that causes it.
func TestLead(t *testing.T) {
	const (
		at   = "http://a.example"
		also = "http://b.example"
	)
	pages := func(lists ...[]string) string {
		var all []string
		for _, list := range lists {
			all = append(all, list...)
		}
		return urlset(all...)
	}
	for name, c := range map[string]struct {
		crawlers string // "" = Googlebot,Bingbot,YandexBot
		robots   string
		sitemap  string            // "" = 1,000 pages below /p/ and 10 below /q/
		pages    map[string]string // further ones
		list     string            // the user's own
		links    bool
		state    State
		ground   string
		lead     string
	}{
		"half and more": {robots: "User-agent: *\nDisallow: /p/\n", state: Critical, ground: GroundShare,
			lead: "1,000 of 1,010 URLs (99.0 %) are blocked for Googlebot, Bingbot and YandexBot. Line 2 `Disallow: /p/` blocks all of them. Is this intended?"},
		"half": {robots: "User-agent: *\nDisallow: /a\n", sitemap: urlset(at+"/a", at+"/b"), state: Critical, ground: GroundShare,
			lead: "1 of 2 URLs (50 %) is blocked for Googlebot, Bingbot and YandexBot. Line 2 `Disallow: /a` blocks it. Is this intended?"},
		"a part": {robots: "User-agent: *\nDisallow: /q/\n", state: Warn, ground: GroundBlocked,
			lead: "10 of 1,010 URLs (1.0 %) are blocked for Googlebot, Bingbot and YandexBot. Line 2 `Disallow: /q/` blocks all of them. Is this intended?"},
		"a different extent for each": {robots: "User-agent: *\nDisallow: /p/1\n\nUser-agent: Googlebot\nDisallow: /p/\n\nUser-agent: YandexBot\nDisallow: /none/\n", state: Critical, ground: GroundShare,
			lead: "1,000 of 1,010 URLs (99.0 %) are blocked for Googlebot, 111 for Bingbot. Line 5 `Disallow: /p/` blocks all of them. Nothing is blocked for YandexBot. Is this intended?"},
		"most for one that is not the first": {robots: "User-agent: *\nDisallow: /p/\n\nUser-agent: Googlebot\nDisallow: /q/1\n", state: Critical, ground: GroundShare,
			lead: "1,000 of 1,010 URLs (99.0 %) are blocked for Bingbot and YandexBot, 1 for Googlebot. Line 2 `Disallow: /p/` blocks all of them. Is this intended?"},
		"as many, but other pages": {crawlers: "Googlebot,Bingbot", robots: "User-agent: *\nDisallow: /q/1\n\nUser-agent: Googlebot\nDisallow: /q/2\n", state: Warn, ground: GroundBlocked,
			lead: "1 of 1,010 URLs (less than 0.1 %) is blocked for Googlebot, 1 for Bingbot. Line 5 `Disallow: /q/2` blocks it. Is this intended?"},
		"the same pages by other lines": {crawlers: "Googlebot,Bingbot", robots: "User-agent: *\nDisallow: /q/1\n\nUser-agent: Googlebot\nDisallow: /q/1\n", state: Warn, ground: GroundBlocked,
			lead: "1 of 1,010 URLs (less than 0.1 %) is blocked for Googlebot and Bingbot. Lines 2 and 5 `Disallow: /q/1` block it. Is this intended?"},
		"the same pages by other rules": {crawlers: "Googlebot,Bingbot", robots: "User-agent: *\nDisallow: /q/1\n\nUser-agent: Googlebot\nDisallow: /q/1$\n", state: Warn, ground: GroundBlocked,
			lead: "1 of 1,010 URLs (less than 0.1 %) is blocked for Googlebot and Bingbot. Line 5 `Disallow: /q/1$` blocks it for Googlebot. Is this intended?"},
		"everything by two lines": {crawlers: "Googlebot,Bingbot,GPTBot", robots: "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /p/\n", state: Critical, ground: GroundHome,
			lead: "Everything on this site is blocked for Googlebot and Bingbot (1,010 URLs found). Lines 2 and 5 `Disallow: /` block it. Is this intended?"},
		"more crawlers than are told": {crawlers: "Googlebot,Bingbot,YandexBot,Applebot,DuckDuckBot,Baiduspider",
			robots: "User-agent: *\nDisallow: /q/\n\nUser-agent: Bingbot\nDisallow: /q/1\nDisallow: /q/2\n\nUser-agent: YandexBot\nDisallow: /p/10\n\nUser-agent: Applebot\nDisallow: /p/2\n\nUser-agent: DuckDuckBot\nDisallow: /none/\n\nUser-agent: Baiduspider\nDisallow: /p/3$\n", state: Warn, ground: GroundBlocked,
			lead: "111 of 1,010 URLs (11 %) are blocked for Applebot, 11 for YandexBot, 10 for Googlebot, 2 for Bingbot, as many or fewer for 2 others. Line 12 `Disallow: /p/2` blocks all of them. Is this intended?"},
		"lines of which none does most": {robots: "User-agent: *\nDisallow: /q/1\nDisallow: /q/2\nDisallow: /q/3\n", state: Warn, ground: GroundBlocked,
			lead: "3 of 1,010 URLs (0.3 %) are blocked for Googlebot, Bingbot and YandexBot. 3 lines block them, 1 each. The first is line 2 `Disallow: /q/1`. Is this intended?"},
		"the home page of one": {robots: "User-agent: Bingbot\nDisallow: /$\n\nUser-agent: *\nDisallow: /q/\n", state: Critical, ground: GroundHome,
			lead: "The home page, but none of the 1,010 URLs found, is blocked for Bingbot, 10 for Googlebot and YandexBot. Line 2 `Disallow: /$` blocks it. Is this intended?"},
		"the home page and more": {robots: "User-agent: *\nDisallow: /$\nDisallow: /q/\n", sitemap: pages([]string{at + "/"}, numbered(at+"/p/", 99), numbered(at+"/q/", 10)), state: Critical, ground: GroundHome,
			lead: "11 of 110 URLs (10 %) are blocked, the home page among them, for Googlebot, Bingbot and YandexBot. Line 3 `Disallow: /q/` blocks most of them (10). Is this intended?"},
		"the home page that is not known counts beside the others": {robots: "User-agent: *\nDisallow: /$\nDisallow: /q/1\n", state: Critical, ground: GroundHome,
			lead: "The home page and 1 of 1,010 URLs (less than 0.1 %) are blocked for Googlebot, Bingbot and YandexBot. Line 2 `Disallow: /$` blocks 1 of them. Is this intended?"},
		"the only URL is the home page": {robots: "User-agent: *\nDisallow: /$\n", sitemap: urlset(at + "/"), state: Critical, ground: GroundHome,
			lead: "The home page, the only URL found, is blocked for Googlebot, Bingbot and YandexBot. Line 2 `Disallow: /$` blocks it. Is this intended?"},
		"everything": {robots: "User-agent: *\nDisallow: /p/\nDisallow: /\n", state: Critical, ground: GroundHome,
			lead: "Everything on this site is blocked for Googlebot, Bingbot and YandexBot (1,010 URLs found). Line 3 `Disallow: /` blocks it. Is this intended?"},
		"everything, but for one": {robots: "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow:\n", state: Critical, ground: GroundHome,
			lead: "Everything on this site is blocked for Bingbot and YandexBot (1,010 URLs found). Line 2 `Disallow: /` blocks it. Nothing is blocked for Googlebot. Is this intended?"},
		"everything of one host": {robots: "User-agent: *\nDisallow: /\n", sitemap: pages(numbered(at+"/p/", 9), numbered(also+"/", 11)), pages: map[string]string{"b.example/robots.txt": "status 404"}, state: Critical, ground: GroundHome,
			lead: "Everything on http://a.example is blocked for Googlebot, Bingbot and YandexBot: 9 of 20 URLs (45 %). Line 2 `Disallow: /` blocks it. Is this intended?"},
		"by the same file of two hosts": {robots: "User-agent: *\nDisallow: /p/\n", sitemap: pages(numbered(at+"/p/", 3), numbered(also+"/p/", 4), numbered(at+"/q/", 30)),
			pages: map[string]string{"b.example/robots.txt": "User-agent: *\nDisallow: /p/\n"}, state: Warn, ground: GroundBlocked,
			lead: "7 of 37 URLs (19 %) are blocked for Googlebot, Bingbot and YandexBot. Line 2 `Disallow: /p/` blocks all of them. Is this intended?"},
		"by another host's file": {robots: "User-agent: *\nDisallow: /p/\n", sitemap: pages(numbered(at+"/p/", 3), numbered(also+"/p/", 4), numbered(at+"/q/", 30)),
			pages: map[string]string{"b.example/robots.txt": "User-agent: *\n\nDisallow: /p/\n"}, crawlers: "Googlebot", state: Warn, ground: GroundBlocked,
			lead: "7 of 37 URLs (19 %) are blocked for Googlebot. Line 3 `Disallow: /p/` of the robots.txt of http://b.example blocks most of them (4). Is this intended?"},
		"by another host's answer": {robots: "User-agent: *\nDisallow: /p/1\n", sitemap: pages(numbered(at+"/p/", 30), numbered(also+"/", 12)),
			pages: map[string]string{"b.example/robots.txt": "status 503"}, crawlers: "Googlebot", state: Critical, ground: GroundShare,
			lead: "23 of 42 URLs (55 %) are blocked for Googlebot. Most of them are blocked by the answer to the request for robots.txt of http://b.example: HTTP 503: for the first 12 hours Google stops crawling and keeps trying."},
		"by clicks": {robots: "User-agent: *\nDisallow: /q/1\n", list: "Page,Clicks\n" + at + "/q/1,60\n" + at + "/q/2,40\n", state: Critical, ground: GroundShare,
			lead: "1 of 1,010 URLs (less than 0.1 %, 60 % of clicks) is blocked for Googlebot, Bingbot and YandexBot. Line 2 `Disallow: /q/1` blocks it. Is this intended?"},
		"the line of most clicks": {robots: "User-agent: *\nDisallow: /p/1\nDisallow: /q/1\n", list: "Page,Clicks\n" + at + "/q/1,60\n" + at + "/p/1,20\n" + at + "/q/2,920\n", state: Warn, ground: GroundBlocked,
			lead: "112 of 1,010 URLs (11 %, 8.0 % of clicks) are blocked for Googlebot, Bingbot and YandexBot. Line 3 `Disallow: /q/1` blocks 1 of them, with 75 % of their clicks. Is this intended?"},
		"clicks on nothing that is blocked": {robots: "User-agent: *\nDisallow: /p/1\nDisallow: /q/1\n", list: "Page,Clicks\n" + at + "/q/2,40\n", state: Warn, ground: GroundBlocked,
			lead: "112 of 1,010 URLs (11 %, 0 % of clicks) are blocked for Googlebot, Bingbot and YandexBot. Line 2 `Disallow: /p/1` blocks most of them (111). Is this intended?"},
		"one that does not lead": {crawlers: "Googlebot,GPTBot,Bingbot", robots: "User-agent: GPTBot\nDisallow: /\n", state: Warn, ground: GroundBlocked,
			lead: "Everything on this site is blocked for GPTBot (1,010 URLs found). Line 2 `Disallow: /` blocks it. Nothing is blocked for Googlebot and Bingbot. Is this intended?"},
		"many alike": {crawlers: "Googlebot,Bingbot,YandexBot,Applebot,DuckDuckBot,Baiduspider,Slurp,GPTBot", robots: "User-agent: *\nDisallow: /q/\n\nUser-agent: GPTBot\nDisallow: /q/\n", state: Warn, ground: GroundBlocked,
			lead: "10 of 1,010 URLs (1.0 %) are blocked for Googlebot, Bingbot, YandexBot, Applebot and 3 more. Line 2 `Disallow: /q/` blocks all of them. Is this intended?"},
		"some that do not lead": {crawlers: "Googlebot,GPTBot,ClaudeBot,CCBot,Googlebot@rep-1994", robots: "User-agent: GPTBot\nUser-agent: ClaudeBot\nDisallow: /q/\n\nUser-agent: GPTBot\nDisallow: /p/1\n", state: Warn, ground: GroundBlocked,
			lead: "121 of 1,010 URLs (12 %) are blocked for GPTBot, 10 for ClaudeBot. Line 6 `Disallow: /p/1` blocks most of them (111). Nothing is blocked for Googlebot. Is this intended?"},
		"more for one that does not lead": {crawlers: "Googlebot,Googlebot@rep-1994,GPTBot", robots: "User-agent: *\nDisallow: /q/1\n\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /p/2\nDisallow: /p/2\nDisallow: /q/1\n", state: Warn, ground: GroundBlocked,
			lead: "1 of 1,010 URLs (less than 0.1 %) is blocked for Googlebot. Line 10 `Disallow: /q/1` blocks it. Is this intended?"},
		"what only pages link to": {robots: "User-agent: *\nDisallow: /cart\n", sitemap: urlset(at+"/", at+"/1"), links: true,
			pages: map[string]string{"a.example/": `<!doctype html><a href="/cart">x</a><a href="/1">1</a>`, "a.example/1": "<!doctype html>"}, state: OK, ground: GroundNone,
			lead: "1 of 3 URLs (33 %) is blocked for Googlebot, Bingbot and YandexBot. Line 2 `Disallow: /cart` blocks it. No sitemap lists the blocked URLs, but pages link to them."},
		"what pages link to and the user asks for": {robots: "User-agent: *\nDisallow: /cart\n", sitemap: urlset(at+"/", at+"/1"), links: true, list: at + "/cart\n",
			pages: map[string]string{"a.example/": `<!doctype html><a href="/cart">x</a><a href="/1">1</a>`, "a.example/1": "<!doctype html>"}, state: Warn, ground: GroundBlocked,
			lead: "1 of 3 URLs (33 %) is blocked for Googlebot, Bingbot and YandexBot. Line 2 `Disallow: /cart` blocks it. Is this intended? 1 blocked URL is linked from the site's pages."},
		"a rule that misses what it means": {robots: "User-agent: *\nDisallow: /Q/\n", state: Warn, ground: GroundFinding,
			lead: "All 1,010 URLs are allowed for every crawler tested. 10 of them may be allowed by mistake (line 2): 10 URLs differ from this path only in upper and lower case, so the rule does not match."},
		"a rule that changes nothing": {robots: "User-agent: *\nDisallow: /none/\nAllow: /none/\n", state: OK, ground: GroundNone,
			lead: "All 1,010 URLs are allowed for every crawler tested."},
		"two sitemaps of which one is empty": {robots: "User-agent: *\nDisallow: /none/\nSitemap: " + at + "/sitemap.xml\nSitemap: " + at + "/gone.xml\n", sitemap: strings.Replace(urlset(), "<url><loc></loc></url>", "", 1), state: Undetermined, ground: GroundNoURLs,
			lead: "1 of 2 sitemaps could not be read. The other one lists no URL that could be tested. The home page is allowed for every crawler tested."},
		"a sitemap that cannot be read": {robots: "User-agent: *\nDisallow: /none/\nSitemap: " + at + "/sitemap.xml\nSitemap: " + at + "/gone.xml\n", state: Warn, ground: GroundSitemaps,
			lead: "The 1,010 URLs tested are allowed for every crawler of this audit, but 1 of 2 sitemaps could not be read."},
		"a page in place of the sitemap": {robots: "Sitemap: " + at + "/sitemap.xml\n", sitemap: "<html><body>not here</body></html>", state: Undetermined, ground: GroundNoURLs, lead: "No sitemap could be read, so no URL was tested. The home page is allowed for every crawler tested."},
		"a sitemap within the network":   {robots: "Sitemap: http://10.0.0.1/sitemap.xml\n", sitemap: "status 404", state: Undetermined, ground: GroundNoURLs, lead: "No sitemap could be read, so no URL was tested. The host of http://10.0.0.1/sitemap.xml is not public: the base address of its generator is wrong. The home page is allowed for every crawler tested."},
		"no sitemap, and no rule":        {robots: "User-agent: *\nAllow: /\n", sitemap: "status 404", state: OK, ground: GroundNone, lead: "robots.txt blocks nothing for the crawlers tested. No URLs were found: no sitemap lists any."},
		"no sitemap, and no file":        {robots: "status 404", sitemap: "status 404", state: OK, ground: GroundNone, lead: "There is no robots.txt (HTTP 404 Not Found), so nothing is blocked. No URLs were found: no sitemap lists any."},
		"no sitemap, and rules":          {robots: "User-agent: *\nDisallow: /p/\n", sitemap: "status 404", state: Undetermined, ground: GroundNoURLs, lead: "No URLs were found: no sitemap lists any. The home page is allowed for every crawler tested."},
		"no sitemap, but a list":         {robots: "User-agent: *\nDisallow: /p/\n", sitemap: "status 404", list: at + "/q/1\n", state: OK, ground: GroundNone, lead: "The only URL found is allowed for every crawler tested. No sitemap was found, so the site may have more URLs."},
		"a page of HTML":                 {robots: "<!doctype html><title>x</title>", state: Critical, ground: GroundBody, lead: "robots.txt is an HTML page, and crawlers find no rule in it. All 1,010 URLs are allowed for every crawler tested."},
		"a page of HTML that blocks":     {robots: "<!doctype html>\nUser-agent: *\nDisallow: /q/\n", state: Critical, ground: GroundBody, lead: "robots.txt is an HTML page, and crawlers follow only the lines that look like rules. 10 of 1,010 URLs (1.0 %) are blocked for Googlebot, Bingbot and YandexBot. Line 3 `Disallow: /q/` blocks all of them. Is this intended?"},
		"a server that is down":          {robots: "status 503", list: at + "/1\n" + at + "/2\n", state: Critical, ground: GroundAccess, lead: "robots.txt answers with HTTP 503 Service Unavailable. Until this is fixed, everything on this site is blocked for Googlebot and Bingbot (1,012 URLs found). Nothing is blocked for YandexBot."},
		"a robots.txt behind a login":    {robots: "status 403", state: Warn, ground: GroundProblem, lead: "All 1,010 URLs are allowed for every crawler tested, but there was a problem: robots.txt: HTTP 403."},
	} {
		t.Run(name, func(t *testing.T) {
			served := map[string]string{"a.example/robots.txt": c.robots, "a.example/sitemap.xml": c.sitemap}
			if c.sitemap == "" {
				served["a.example/sitemap.xml"] = pages(numbered(at+"/p/", 1000), numbered(at+"/q/", 10))
			}
			for path, text := range c.pages {
				served[path] = text
			}
			a := world(t, served)
			a.Crawlers = crawlersOf(t, cmp.Or(c.crawlers, "Googlebot,Bingbot,YandexBot"))
			if c.links {
				a.Links = new(crawl.LinkBudget)
			}
			if c.list != "" {
				a.Known = knownOf(t, c.list)
			}
			d := finished(t, a, at)
			if d.State != c.state || d.Ground != c.ground || d.Why != c.lead {
				t.Errorf("%s by %s: %s\nwant %s by %s: %s", d.State, d.Ground, d.Why, c.state, c.ground, c.lead)
			}
		})
	}
}
