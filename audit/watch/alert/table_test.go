package alert

import (
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/compare"
)

const robots = "User-agent: *\nDisallow: /private\n\nSitemap: http://shop.example/sitemap.xml\n"

// plain is a site with nothing amiss.
func plain() served {
	return served{robots: robots, sitemaps: map[string][]string{"/sitemap.xml": {"/", "/a", "/b", "/c/d", "/private/x", "/e", "/f", "/g", "/h", "/i"}}}
}

func with(change func(*served)) served {
	now := plain()
	change(&now)
	return now
}

func body(text string) served { return with(func(s *served) { s.robots = text }) }

// conditionCases bring each condition, and those that come with it: testdata/conditions.txt says which.
var conditionCases = []struct {
	name      string
	base, bad served
	back      string // a condition that begins when these end, and the reverse; it is also in the base
	options   compare.Options
	text      string // of the first of them
}{
	{name: "AL01", bad: body(robots + "User-agent: Googlebot\nDisallow: /\nAllow: /a\nAllow: /b\nAllow: /c\nAllow: /e\nAllow: /f\nAllow: /g\nAllow: /h\nAllow: /i\n"),
		text: "shop.example: the home page is blocked for Googlebot by line 6 (disallow: /). 1 URL is newly blocked."},
	{name: "AL01 of the watch list", bad: body(robots + "User-agent: Bingbot\nDisallow: /$\nDisallow: /private\n"), options: compare.Options{Watch: []string{"bingbot"}},
		text: "shop.example: the home page is blocked for Bingbot by line 6 (disallow: /$). 1 URL is newly blocked."},
	{name: "AL01 of another crawler", bad: body(robots + "User-agent: Bingbot\nDisallow: /$\nDisallow: /private\n"), options: compare.Options{Watch: []string{"Googlebot"}, Share: 20}},
	{name: "AL02", bad: body(strings.Replace(robots, "/private", "/private\nDisallow: /b", 1)), options: compare.Options{Share: 20, Important: func(url string) bool { return strings.HasSuffix(url, "/b") }},
		text: "shop.example: 1 important URL is newly blocked for Googlebot, Bingbot and YandexBot, such as http://shop.example/b."},
	{name: "AL03", bad: with(func(s *served) { s.status = 503 }),
		text: "shop.example: robots.txt has been unavailable since 08:00 CET: HTTP 503 Service Unavailable. Everything is blocked for Googlebot until 20:00 CET at the latest."},
	{name: "AL03 by 429", bad: with(func(s *served) { s.status = 429 }),
		text: "shop.example: robots.txt has been unavailable since 08:00 CET: HTTP 429 Too Many Requests. Everything is blocked for Googlebot until 20:00 CET at the latest."},
	{name: "AL03 without an answer", bad: with(func(s *served) { s.hangUp = true })},
	{name: "AL04", bad: with(func(s *served) { s.status = 404 }),
		text: "shop.example: robots.txt is gone, so everything is allowed: HTTP 404 Not Found. 1 URL is newly allowed."},
	{name: "AL04 by 403", bad: with(func(s *served) { s.status = 403 })},
	{name: "AL05", bad: with(func(s *served) { s.html = true })},
	{name: "AL05 by nothing", bad: body(""),
		text: "shop.example: robots.txt is now empty: everything is allowed. 1 URL has a different verdict."},
	{name: "AL06", bad: with(func(s *served) { s.bots = "User-agent: *\nDisallow: /\n" })},
	{name: "AL07 by a line", bad: body("User-agent: *\nDisallow: /private\n"),
		text: "shop.example: robots.txt no longer lists the sitemap http://shop.example/sitemap.xml."},
	{name: "AL07 by an answer", bad: with(func(s *served) { s.sitemaps = nil }),
		text: "shop.example: sitemap http://shop.example/sitemap.xml can no longer be read: HTTP 404 Not Found."},
	{name: "AL07 by a rule", bad: body(strings.Replace(robots, "/private", "/private\nDisallow: /sitemap.xml", 1))},
	{name: "AL07 by URLs", bad: with(func(s *served) {
		s.sitemaps = map[string][]string{"/sitemap.xml": {"/", "/a", "/b", "/c/d", "/private/x"}}
	}),
		options: compare.Options{Share: 20}, text: "shop.example: all sitemaps together list 5 URLs: 50 % fewer."},
	{name: "AL08", bad: body(robots + strings.Repeat("# a comment of forty bytes, more or less\n", 12_000))},
	{name: "AL09", bad: body("# staging: do not crawl\n" + robots)},
	{name: "AL10", bad: body(robots + "\nUser-agent: GPTBot\nDisallow: /\n")},
	{name: "AL11", bad: body(strings.Replace(robots, "/private", "/private\nDisallow: /e\nDisallow: /f", 1)),
		text: "shop.example: more URLs are blocked for Googlebot, Bingbot and YandexBot: 30 % of 10 URLs, before 10 %."},
	{name: "AL11 by less", bad: body("User-agent: *\nDisallow:\n\nSitemap: http://shop.example/sitemap.xml\n"), back: "AL12",
		text: "shop.example: fewer URLs are blocked for Googlebot, Bingbot and YandexBot: 0 % of 10 URLs, before 10 %."},
	{name: "AL11 of other URLs", bad: with(func(s *served) {
		s.robots += "Disallow: /e\nDisallow: /f\n"
		s.sitemaps = map[string][]string{"/sitemap.xml": {"/", "/a", "/b", "/c/d", "/private/x", "/e", "/f", "/g"}}
	}), options: compare.Options{Share: 20},
		text: "shop.example: more URLs are blocked for Googlebot, Bingbot and YandexBot: 38 % of 8 URLs, before 10 % of 10 URLs."},
	{name: "AL12", bad: body(robots + "Disalow: /x\n")},
	{name: "AL12 by URLs", bad: body(strings.Replace(robots, "/private", "/private\nDisallow: /b", 1)), options: compare.Options{Share: 20},
		text: `shop.example: robots.txt has a new issue: SM005 URLs in sitemap are blocked: line 3: disallow: /b (this line blocks 1 URL of the sitemaps).`},
	{name: "AL13", bad: with(func(s *served) { s.crawlers = "Googlebot,Bingbot,YandexBot,PerplexityBot" }),
		text: "shop.example: robots.txt has no group for PerplexityBot, new in the audit."},
	{name: "AL15", base: logged(nothingLogged), bad: logged(disobeyedAgo(10 * time.Minute)),
		text: "shop.example: Googlebot does not obey robots.txt: 12 requests for blocked URLs since 06:50 CET, by line 2 (disallow: /private)."},
	{name: "AL16", base: logged(nothingLogged), bad: logged(waitingFor(50 * time.Hour)),
		text: "shop.example: Googlebot has not read the robots.txt of 20 Nov 2026 06:00 CET yet."},
	{name: "AL17", base: logged(nothingLogged), bad: logged(answeredAgo(503, 10*time.Minute)),
		text: "shop.example: robots.txt answered errors to Googlebot: HTTP 503 to 4 requests for robots.txt, from 07:45 CET to 07:50 CET."},
	{name: "AL18", base: treats("Googlebot llll, GPTBot llll"), bad: treats("Googlebot rrrl, GPTBot rrrl"),
		text: "shop.example: now refused when asked as Googlebot from here: HTTP 403 for 3 of 4 URLs (robots.txt, home page and page). Before: let in. 1 more change of this kind."},
	{name: "all of it", bad: body("User-agent: *\nDisallow: /\n")},
}

// TestConditions lets each condition begin, last for two more runs, and end. Only its begin and its
// end are reported.
func TestConditions(t *testing.T) {
	covered := map[string]bool{}
	goldens := openGoldens(t, "testdata/conditions.txt")
	for _, test := range conditionCases {
		t.Run(test.name, func(t *testing.T) {
			if test.base.robots == "" {
				test.base = plain()
			}
			s := newSite(t, test.base)
			s.options = test.options
			var raised []string
			for run, want := range []struct {
				now    served
				prefix string
			}{{test.base, ""}, {test.bad, "raised "}, {test.bad, ""}, {test.bad, ""}, {test.base, "ended "}, {test.base, ""}, {test.bad, "raised "}} {
				j := s.next(want.now)
				if run == 1 {
					goldens.check(t, test.name, tell(j))
					raised = told(j)
				}
				var due []string
				if want.prefix != "" {
					for _, c := range raised {
						due = append(due, want.prefix+strings.TrimPrefix(c, "raised "))
					}
				}
				if test.back != "" && run >= 4 && want.prefix != "" {
					due = append(due, map[string]string{"ended ": "raised ", "raised ": "ended "}[want.prefix]+test.back)
				}
				slices.Sort(due)
				if got := told(j); !slices.Equal(got, due) {
					t.Errorf("run %d: told %q, due %q", run, got, due)
				}
				for _, e := range j.Events {
					if len(e.Details) == 0 || !strings.HasPrefix(e.Text, host+": ") || !strings.HasSuffix(e.Text, ".") || strings.Contains(e.Cause, host) {
						t.Errorf("run %d: told as %+v", run, e)
					}
					if e.Kind == Ended && e.Condition != test.back && (e.Length != "3 h" || e.Severity != compare.Info || !strings.Contains(e.Text, ", after 3 h (first seen at 08:00 CET)")) {
						t.Errorf("run %d: ended as %q", run, e.Text)
					}
					if e.Kind == Raised && e.Severity != conditionOf(e.Condition).level {
						t.Errorf("run %d: %s is %s, and the manual says %s", run, e.Condition, e.Severity, conditionOf(e.Condition).level)
					}
					covered[e.Condition] = true
				}
				if run == 1 && test.text != "" && !slices.ContainsFunc(j.Events, func(e Event) bool { return e.Text == test.text }) {
					t.Errorf("no event says %q: %+v", test.text, j.Events)
				}
			}
			ids := map[string]bool{}
			for _, a := range s.all {
				ids[a.ID] = true
			}
			if want := 2*len(raised) + len(strings.Fields(test.back)); len(ids) != want {
				t.Errorf("%d alerts, want %d", len(ids), want)
			}
		})
	}
	for _, c := range conditions {
		if !covered[c.code] {
			t.Errorf("no case brings %s", c.code)
		}
	}
}

// TestConditionsAgain lets each condition exist on the first day, disappear and return. Its return
// is reported, or, if the condition works both ways, the end of the change between.
func TestConditionsAgain(t *testing.T) {
	t.Parallel()
	raised := readGoldens(t, "testdata/conditions.txt")
	for _, test := range conditionCases {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.base.robots == "" {
				test.base = plain()
			}
			s := newSite(t, test.bad)
			s.options = test.options
			s.run(0, false, nil)
			for run := range 2 {
				s.next(test.base)
				got := told(s.next(test.bad))
				for raised := range strings.SplitSeq(raised[test.name], ", ") {
					_, c, _ := strings.Cut(raised, " ")
					if !slices.Contains(got, raised) && !(conditionOf(c).eitherWay && slices.Contains(got, "ended "+c)) {
						t.Errorf("time %d: %s is not in %q", run+1, raised, got)
					}
				}
			}
		})
	}
}

// TestSubjectsAgain lets some subjects of an alert disappear and return, while the others stay.
func TestSubjectsAgain(t *testing.T) {
	important := compare.Options{Share: 90, Important: func(url string) bool { return strings.HasSuffix(url, "/a") || strings.HasSuffix(url, "/b") }}
	listed := []string{"/", "/a", "/b"}
	rules := func(list ...string) served {
		return with(func(s *served) {
			s.robots += "\nUser-agent: Googlebot\nDisallow: /private\n" + strings.Join(list, "\n")
			s.sitemaps["/sitemap.xml"] = listed
		})
	}
	const a, b, wrong = "Disallow: /a", "Disallow: /b", "Disalow: /x"
	gone, none, both := with(func(s *served) { s.status, s.sitemaps["/sitemap.xml"] = 404, listed }), rules(), rules(a, b)
	unmapped := both
	unmapped.sitemaps = nil
	for _, test := range []struct {
		name string
		runs []served
		want string // by run
	}{
		{"one of two", []served{none, both, rules(b), both, both, none}, "/raised AL02, raised AL12//worse AL02//ended AL02, ended AL12"},
		{"one of two, from the first day on", []served{rules(a), both, rules(b), both, both, rules(a), none, both},
			"raised AL02/raised AL12, worse AL02/ended AL12/raised AL12, worse AL02//ended AL12/ended AL02/raised AL02, raised AL12"},
		{"the file goes meanwhile", []served{none, both, gone, both, none}, "/raised AL02, raised AL12/ended AL02, ended AL12, raised AL04/ended AL04, raised AL02, raised AL12/ended AL02, ended AL12"},
		{"an error likewise", []served{none, rules(wrong), gone, rules(wrong), none}, "/raised AL12/ended AL12, raised AL04/ended AL04, raised AL12/ended AL12"},
		{"the file of the first day is there again", []served{rules(a, wrong), gone, rules(a, wrong), none, rules(a, wrong)}, "raised AL02/ended AL02, raised AL04/ended AL04, raised AL02/ended AL02/raised AL02, raised AL12"},
		{"the sitemap of the first day is there again", []served{both, unmapped, both, none, both}, "raised AL02/ended AL02, raised AL07/ended AL07, raised AL02/ended AL02/raised AL02, raised AL12"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSite(t, test.runs[0])
			s.options = important
			var got []string
			for _, now := range test.runs {
				list := slices.DeleteFunc(told(s.next(now)), func(s string) bool { return strings.HasSuffix(s, "AL10") || strings.HasSuffix(s, "AL11") })
				got = append(got, strings.Join(list, ", "))
			}
			if got := strings.Join(got, "/"); got != test.want {
				t.Errorf("told %s\ndue  %s", got, test.want)
			}
		})
	}
}
