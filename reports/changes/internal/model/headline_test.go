package model

import (
	"slices"
	"strings"
	"testing"

	"robots-audit/audit/compare"
)

// TestHeadline checks the totals in a line.
func TestHeadline(t *testing.T) {
	for _, c := range []struct {
		totals Totals
		want   string
	}{
		{Totals{Sites: 43}, "43 sites: nothing changed"},
		{Totals{Sites: 1}, "1 site: nothing changed"},
		{Totals{Sites: 43, SitesChanged: 2}, "43 sites: 2 changed. No verdict changed"},
		{Totals{Sites: 1, SitesChanged: 1}, "1 site: no verdict changed"},
		{Totals{Sites: 1, SitesChanged: 1, Totals: compare.Totals{Counts: compare.Counts{NewlyBlocked: 1}}}, "1 site: 1 URL newly blocked"},
		{Totals{Sites: 43, SitesChanged: 3, Totals: compare.Totals{Counts: compare.Counts{NewlyAllowed: 24635, ClearAgain: 1}}}, "43 sites: 3 changed. 24,635 URLs newly allowed, 1 clear again"},
		{Totals{Sites: 2, SitesChanged: 1, Totals: compare.Totals{Appeared: 1200, AppearedBlocked: 2}}, "2 sites: 1 changed. No verdict changed, 1,200 URLs appeared (2 of them blocked)"},
		{Totals{Sites: 3, SitesChanged: 3, OnlyOld: 1, OnlyNew: 2}, "3 sites: 3 changed. 1 site only in the older run, 2 sites only in the newer run"},
		{Totals{Sites: 4, SitesChanged: 2, OnlyOld: 1, Totals: compare.Totals{Counts: compare.Counts{NewlyBlocked: 2, NewlyAllowed: 1, NowUnclear: 3}, Vanished: 4}},
			"4 sites: 2 changed. 2 URLs newly blocked, 1 newly allowed, 3 now unclear, 4 vanished, 1 site only in the older run"},
	} {
		if got := c.totals.Headline(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestReaders checks that a difference in crawlers is noted once for all sites, and changes none of
// them.
func TestReaders(t *testing.T) {
	page := page{"/a", 0}
	var c Comparison
	for range 3 {
		c.Add(gathered(t, run(t, "Googlebot,Bingbot,YandexBot@yandex-2016", open, page), run(t, "Googlebot,GPTBot,YandexBot", open, page), nil))
	}
	want := []string{
		"Only the older run tested Bingbot, so nothing is compared for it.",
		"Only the newer run tested GPTBot, so nothing is compared for it.",
		"The older run reads YandexBot with the profile yandex-2016, the newer run with the profile yandex. Changes caused by this are not changes of a site.",
	}
	if !slices.Equal(c.Notes, want) || c.Totals.SitesChanged != 0 {
		t.Errorf("%d sites changed, notes %q, want %q", c.Totals.SitesChanged, c.Notes, want)
	}
}

// TestNewsOfSize: a lead names one limit, however many the file passes.
func TestNewsOfSize(t *testing.T) {
	site := gathered(t, run(t, "Googlebot,YandexBot", open, page{"/a", 0}), run(t, "Googlebot,YandexBot", open+strings.Repeat("# x\n", 1<<17), page{"/a", 0}), nil)
	if lead := site.Entry.Lead; !strings.Contains(lead, "beyond the limit of Google") || strings.Contains(lead, "Yandex (") {
		t.Error(lead)
	}
}

// TestNewsOfLabels: the flips of Googlebot do not replace the news that the home page is blocked for
// Googlebot-Image, whose label begins in the same way.
func TestNewsOfLabels(t *testing.T) {
	const bots, robots = "Googlebot,Googlebot-Image", "User-agent: Googlebot\nDisallow: /a\n\nUser-agent: Googlebot-Image\nDisallow: /$\n"
	site := gathered(t, run(t, bots, open, page{"/a", 0}), run(t, bots, robots, page{"/a", 0}), nil)
	if lead := site.Entry.Lead; !strings.Contains(lead, "1 URL is newly blocked for Googlebot.") || !strings.Contains(lead, "The home page is now blocked for Googlebot-Image") {
		t.Error(lead)
	}
}

// TestNews checks which changes a lead describes in addition to the flips, and which it omits.
func TestNews(t *testing.T) {
	const bots = "Googlebot,YandexBot"
	const file = "https://example.com/robots.txt"
	pages := []page{{"/a", 0}, {"/b", 0}, {"/c", 0}, {"/d", 0}}
	change := func(kind, what, before, after string, severity compare.Severity) compare.Change {
		return compare.Change{Kind: kind, What: what, Before: before, After: after, Severity: severity}
	}
	with := func(c compare.Change, add func(*compare.Change)) compare.Change { add(&c); return c }
	lost := change(compare.KindSitemapURLs, "all sitemaps", "4 URLs", "1 URL: 75 % fewer", compare.High)
	lost.Condition = "AL07"
	for _, c := range []struct {
		name    string
		new     string // robots.txt
		pages   []page // on the new side
		changes []compare.Change
		want    string
	}{
		{"small things", open, pages, []compare.Change{change(compare.KindType, file, "text/plain", "text/plain; charset=utf-8", compare.Info), change(compare.KindComments, file, "", "line 3: # x", compare.Info)},
			"No verdict changed. Small changes: comments and Content-Type."},
		{"small things beside flips", open + "Disallow: /a\n", pages, []compare.Change{change(compare.KindType, file, "text/plain", "", compare.Info), change(compare.KindShare, "Googlebot", "a", "b", compare.Medium)},
			"1 URL is newly blocked for Googlebot and YandexBot. New line 3 `Disallow: /a` blocks it."},
		{"what the flips tell", open + "Disallow: /\n", pages, []compare.Change{
			with(change(compare.KindRoot, "Googlebot and YandexBot", "/ may be crawled", "/ is blocked", compare.Critical), func(c *compare.Change) { c.Crawlers = []int{0, 1} }),
			change(compare.KindStaging, file, "", "everything is blocked for all crawlers, by line 3: disallow: /", compare.Critical),
			change(compare.KindPolicy, compare.PolicyAll, "may fetch everything", "may fetch nothing", compare.Medium),
		}, "3 URLs are newly blocked for Googlebot and YandexBot. New line 3 `Disallow: /` blocks all of them."},
		{"what they do not tell", open + "Disallow: /\n", pages, []compare.Change{
			with(change(compare.KindStaging, file, "", "everything is blocked for all crawlers, by line 3: disallow: /; a comment names a test system, line 1: # staging", compare.Critical),
				func(c *compare.Change) { c.Short = "a comment names a test system, line 1: # staging" }),
			change(compare.KindSitemapLine, "sitemap https://example.com/s.xml", "in "+file, "", compare.High),
			change(compare.KindPolicy, "AI training (GPTBot)", "may fetch everything", "may fetch nothing", compare.Medium),
		}, "3 URLs are newly blocked for Googlebot and YandexBot. New line 3 `Disallow: /` blocks all of them. " +
			"robots.txt looks like that of a test system: a comment names a test system, line 1: # staging (and 2 more changes)."},
		{"fewer sitemaps", open, pages[:1], []compare.Change{lost}, "No verdict changed; 3 URLs vanished with their sitemaps."},
		{"a sitemap", open, pages, []compare.Change{change(compare.KindSitemap, "sitemap https://example.com/s.xml", "read: 4 URLs", "HTTP 404 Not Found", compare.High)},
			"Sitemap https://example.com/s.xml can no longer be read: HTTP 404 Not Found."},
		{"a crawler for AI", open, pages, []compare.Change{change(compare.KindPolicy, "AI training (GPTBot)", "may fetch everything", "may fetch nothing", compare.Medium)},
			"Crawlers for AI training (GPTBot) may fetch nothing now."},
	} {
		t.Run(c.name, func(t *testing.T) {
			site := gathered(t, run(t, bots, open, pages...), run(t, bots, c.new, c.pages...), func(s *compare.Site) { s.Changes = c.changes })
			if site.Entry.Lead != c.want {
				t.Errorf("\n%s, want\n%s", site.Entry.Lead, c.want)
			}
		})
	}
}
