package alert

import (
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/compare"
)

// initialCases are sites in their first run: testdata/initial.txt has what is reported about each,
// and what after the fix.
var initialCases = []struct {
	name    string
	first   served
	options compare.Options
}{
	{name: "nothing is wrong", first: plain()},
	{name: "the home page is blocked for Googlebot", first: body(robots + "User-agent: Googlebot\nDisallow: /\nAllow: /a\n")},
	{name: "the home page alone is blocked", first: body(strings.Replace(robots, "/private", "/private\nDisallow: /$", 1))},
	{name: "everything is blocked", first: body("User-agent: *\nDisallow: /\n\nSitemap: http://shop.example/sitemap.xml\n")},
	{name: "the home page is blocked for a watched crawler", first: body(robots + "User-agent: Bingbot\nDisallow: /\n"), options: compare.Options{Watch: []string{"bingbot"}}},
	{name: "the home page is blocked for a crawler that is not watched", first: body(robots + "User-agent: Bingbot\nDisallow: /\n"), options: compare.Options{Watch: []string{"Googlebot"}}},
	{name: "the home page is blocked for an AI crawler", first: with(func(s *served) {
		s.robots, s.crawlers = robots+"User-agent: GPTBot\nDisallow: /\n", "Googlebot,Bingbot,GPTBot"
	})},
	{name: "two of two important URLs are blocked", first: body(strings.Replace(robots, "/private", "/private\nDisallow: /b\nDisallow: /e", 1)), options: important("/b", "/e")},
	{name: "an important URL is blocked for one crawler", first: body(robots + "User-agent: YandexBot\nDisallow: /b\n"), options: important("/b", "/e")},
	{name: "important URLs are allowed", first: plain(), options: important("/b", "/e")},
	{name: "the server has an error", first: with(func(s *served) { s.status = 503 })},
	{name: "the server is busy", first: with(func(s *served) { s.status = 429 })},
	{name: "the server does not answer", first: with(func(s *served) { s.hangUp = true })},
	{name: "there is no robots.txt", first: with(func(s *served) { s.status = 404 })},
	{name: "robots.txt is gone for good", first: with(func(s *served) { s.status = 410 })},
	{name: "robots.txt is forbidden", first: with(func(s *served) { s.status = 403 })},
	{name: "robots.txt is a page", first: with(func(s *served) { s.html = true })},
	{name: "robots.txt is empty", first: body("")},
	{name: "robots.txt is UTF-16", first: body("\xff\xfeU\x00s\x00e\x00r\x00")},
	{name: "Googlebot gets another file", first: with(func(s *served) { s.bots = "User-agent: *\nDisallow: /\n" })},
	{name: "a sitemap is missing", first: with(func(s *served) { s.sitemaps = nil })},
	{name: "no sitemap is named, and none is there", first: with(func(s *served) { s.robots, s.sitemaps = "User-agent: *\nDisallow: /private\n", nil })},
	{name: "a sitemap is blocked", first: body(strings.Replace(robots, "/private", "/private\nDisallow: /sitemap.xml", 1))},
	{name: "a sitemap on another host is blocked there", first: with(func(s *served) {
		s.robots, s.far = strings.Replace(robots, "http://shop.example/", "http://"+farHost+"/", 1), "User-agent: *\nDisallow: /\n"
	})},
	{name: "a sitemap on another host is blocked there for one crawler", first: with(func(s *served) {
		s.robots, s.far = strings.Replace(robots, "http://shop.example/", "http://"+farHost+"/", 1), "User-agent: Bingbot\nDisallow: /\n"
	})},
	{name: "robots.txt is near a limit", first: body(robots + strings.Repeat("# a comment of forty bytes, more or less\n", 10_500))},
	{name: "robots.txt is beyond a limit", first: body(robots + strings.Repeat("# a comment of forty bytes, more or less\n", 14_000))},
	{name: "a test system's comment", first: body("# staging: do not crawl\n" + robots)},
	{name: "the file of a test system", first: body("# staging: do not crawl\nUser-agent: *\nDisallow: /\n")},
	{name: "a test system's sitemap", first: body(strings.Replace(robots, "Sitemap:", "Sitemap: http://staging.shop.example/sitemap.xml\nSitemap:", 1))},
	{name: "Googlebot disobeys", first: logged(disobeyedAgo(10 * time.Minute))},
	{name: "Googlebot has not read a new robots.txt", first: logged(waitingFor(50 * time.Hour))},
	{name: "robots.txt answered errors to Googlebot", first: logged(answeredAgo(503, 10*time.Minute))},
	{name: "Googlebot is refused where robots.txt allows it", first: treats("Googlebot rrrr, GPTBot llcl, CCBot lllr")},
	{name: "another host is down", first: with(func(s *served) {
		s.farDown = 503
		s.sitemaps["/sitemap.xml"] = append(s.sitemaps["/sitemap.xml"], "http://"+farHost+"/a")
	})},
	{name: "another host has no robots.txt", first: with(func(s *served) {
		s.farDown = 404
		s.sitemaps["/sitemap.xml"] = append(s.sitemaps["/sitemap.xml"], "http://"+farHost+"/a")
	})},
	{name: "an AI policy, a line with an error, many blocked URLs", first: body(robots + "Disalow: /x\nUser-agent: GPTBot\nDisallow: /\nUser-agent: *\nDisallow: /e\nDisallow: /f\nDisallow: /g\n")},
}

func important(paths ...string) compare.Options {
	return compare.Options{Share: 100, Important: func(url string) bool {
		return slices.ContainsFunc(paths, func(p string) bool { return strings.HasSuffix(url, p) })
	}}
}

// TestInitial has sites on which something is wrong in the first run. It is reported then, not by
// the next runs, and its end is reported once.
func TestInitial(t *testing.T) {
	goldens := openGoldens(t, "testdata/initial.txt")
	for _, test := range initialCases {
		t.Run(test.name, func(t *testing.T) {
			s := newSite(t, test.first)
			s.options = test.options
			j := s.run(0, false, nil)
			var lines, ended []string
			for _, e := range j.Events {
				lines = append(lines, strings.Join(append([]string{e.Condition, e.Severity.Word(), e.Text, e.Next}, e.Details...), " | "))
				ended = append(ended, "ended "+e.Condition)
				if e.Kind != Raised || !e.Initial || e.Counts.NewlyBlocked > 0 || strings.Contains(e.Text+strings.Join(e.Details, ""), "before:") || strings.Contains(e.Text, "newly") {
					t.Errorf("told as %+v", e)
				}
			}
			slices.Sort(ended)
			for run := range 2 {
				if got := tell(s.next(test.first)); got != "" {
					t.Errorf("run %d of the same state: told %q again", run+2, got)
				}
			}
			base := plain()
			if test.first.logs != nil {
				base = logged(nothingLogged)
			}
			if test.first.asked != "" {
				base = treats("Googlebot llll, GPTBot llll, CCBot lllr")
			}
			over := s.next(base)
			for _, e := range over.Events {
				if e.Kind == Ended && strings.Contains(e.Text, "as before") {
					t.Errorf("its end speaks of a time before the first run: %s", e.Text)
				}
			}
			then := told(over)
			if got := slices.DeleteFunc(slices.Clone(then), func(e string) bool { return strings.HasPrefix(e, "raised ") }); !slices.Equal(got, ended) {
				t.Errorf("after the fix: told %q, due %q", got, ended)
			}
			goldens.check(t, test.name, strings.Join(lines, " || ")+" => "+strings.Join(then, ", "))
			if got := tell(s.next(base)); got != "" {
				t.Errorf("the run after the fix: told %q", got)
			}
			s.next(test.first)
			for _, a := range s.open {
				if a.Base == "" && a.Condition != Unreachable {
					t.Errorf("%s has no base, though the site is known", a.Condition)
				}
			}
		})
	}
}
