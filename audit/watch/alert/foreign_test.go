package alert

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// TestForeignHiccups has another host of a site with a different answer in one run that is not
// confirmed, with and without other changes on the site. Results that do not depend on that host
// are reported at once, the rest by the next run.
func TestForeignHiccups(t *testing.T) {
	const farSitemap = "http://" + farHost + "/map.xml"
	far := func(change func(*served)) served { // a site with a page on another host
		return with(func(s *served) {
			s.far = "User-agent: *\nDisallow: /f\n"
			s.sitemaps["/sitemap.xml"] = append(s.sitemaps["/sitemap.xml"], "http://"+farHost+"/a", "http://"+farHost+"/f/x")
			change(s)
		})
	}
	nothing := func(*served) {}
	goldens := openGoldens(t, "testdata/hiccups.txt") // what the run with the hiccup reports, and the next one without it
	text := func(body string) func(*served) { return func(s *served) { s.robots = body } }
	mapped := func(change func(*served)) func(*served) { // and a sitemap
		return func(s *served) {
			s.robots += "Sitemap: " + farSitemap + "\n"
			s.sitemaps["/map.xml"] = []string{"/m/1", "/m/2"}
			change(s)
		}
	}
	for _, test := range []struct {
		name        string
		before, now func(*served)
	}{
		{"nothing else", nothing, nothing},
		{"AL01", nothing, text(robots + "User-agent: Googlebot\nDisallow: /$\nDisallow: /private\n")},
		{"a smaller share", text(robots + "User-agent: Googlebot\nDisallow: /$\nDisallow: /private\n"), nothing},
		{"AL04", nothing, func(s *served) { s.status = 404 }},
		{"AL05", nothing, func(s *served) { s.html = true }},
		{"AL03", nothing, func(s *served) { s.status = 503 }},
		{"AL06", nothing, func(s *served) { s.bots = "User-agent: *\nDisallow: /\n" }},
		{"AL07 by a line", nothing, text("User-agent: *\nDisallow: /private\n")},
		{"AL09 and all of it", nothing, text("User-agent: *\nDisallow: /\n")},
		{"AL10 of pages that a sitemap there may name", mapped(nothing), mapped(func(s *served) { s.robots += "\nUser-agent: GPTBot\nDisallow: /\n" })},
		{"preferences", mapped(nothing), mapped(func(s *served) {
			s.robots = strings.Replace(s.robots, "Disallow", "Content-Signal: ai-train=no\nDisallow", 1)
		})},
		{"a sitemap of its own", mapped(nothing), mapped(func(s *served) { delete(s.sitemaps, "/map.xml") })},
		{"a sitemap of the site", mapped(nothing), mapped(func(s *served) { delete(s.sitemaps, "/sitemap.xml") })},
		{"AL12", nothing, text(robots + "Disalow: /x\n")},
		{"AL13", nothing, func(s *served) { s.crawlers = "Googlebot,Bingbot,YandexBot,PerplexityBot" }},
	} {
		for _, status := range []int{503, 404} {
			t.Run(test.name, func(t *testing.T) {
				s := settledSite(t, far(test.before))
				settled := s.settled
				bad := far(test.now)
				bad.farDown = status
				s.serves(bad)
				well := []served{far(test.now), far(test.now)}
				j := s.run(time.Hour, false, well)
				at := tell(j)
				for _, e := range j.Events { // what the other host's pages would be by its hiccup is in no count
					if e.Condition == "AL04" && (e.Counts.Concerned != 1 || e.Counts.NewlyAllowed != 1 || !strings.Contains(strings.Join(e.Details, " "), "1 URL newly allowed")) || e.Counts.NewlyBlocked > 0 && test.name == "AL04" {
						t.Errorf("%d: %+v", status, e)
					}
				}
				if j.Settled || s.settled != settled {
					t.Errorf("%d: a run with a hiccup is settled", status)
				}
				goldens.check(t, fmt.Sprintf("%s, by %d", test.name, status), at+"; then "+tell(s.next(far(test.now))))
			})
		}
	}
}

// TestHiccupBesideAlerts: an alert that may be about another host does not end while the host's
// answer is a hiccup; one that is not, does.
func TestHiccupBesideAlerts(t *testing.T) {
	state := func(robots, far string, down int) served {
		return with(func(s *served) {
			s.robots, s.far, s.farDown = robots, far, down
			s.sitemaps["/sitemap.xml"] = append(s.sitemaps["/sitemap.xml"], "http://"+farHost+"/a")
		})
	}
	const well, wrong = "User-agent: *\nDisallow: /f\n", "User-agent: *\nDisallow: /f\nDisalow: /x\n"
	s := newSite(t, state(robots, well, 0))
	for i, step := range []struct {
		now, again served
		want       string
	}{
		{state(robots, well, 0), served{}, ""},
		{state(robots+"Disalow: /x\n", well, 0), served{}, "raised AL12"},
		{state(robots, well, 503), state(robots, well, 0), "ended AL12"}, // of the site's own file
		{state(robots, well, 0), served{}, ""},
		{state(robots, wrong, 0), served{}, "raised AL12"},
		{state(robots, wrong, 503), state(robots, wrong, 0), ""}, // of a file that was not read
		{state(robots, wrong, 0), served{}, ""},
		{state(robots, well, 503), state(robots, well, 0), ""},
		{state(robots, well, 0), served{}, "ended AL12"},
		{state(robots, well, 404), served{}, "raised AL04"}, // confirmed
		{state(robots, well, 503), state(robots, well, 404), ""},
		{state(robots, well, 404), served{}, ""},
		{state(robots, well, 0), served{}, "ended AL04"},
	} {
		s.serves(step.now)
		var after []served
		if step.again.robots != "" {
			after = []served{step.again, step.again}
		}
		if got := tell(s.run(time.Hour, false, after)); got != step.want {
			t.Errorf("run %d: told %q, due %q", i, got, step.want)
		}
	}
}

// TestHiccupOfAnAsker: what one asker is given is held back by itself.
func TestHiccupOfAnAsker(t *testing.T) {
	s := settledSite(t, plain())
	broken := robots + "Disalow: /x\n"
	s.serves(with(func(s *served) { s.bots, s.robots = "User-agent: *\nDisallow: /\n", broken }))
	j := s.run(time.Hour, false, []served{body(broken), body(broken)})
	if got := tell(j); got != "raised AL12" || j.Settled {
		t.Errorf("told %q, settled %v", got, j.Settled)
	}
	if j := s.next(body(broken)); len(j.Events) > 0 || !j.Settled {
		t.Errorf("after it: %+v", j)
	}
}

// TestHiccupOfTwins: origins of one host with the same file are requested once. A hiccup of one is
// one of both, even if they differed in an alert's base.
func TestHiccupOfTwins(t *testing.T) {
	const twin = "https://img.shop.example"
	well, gone := &compare.Answer{Status: 200, Kind: compare.BodyText, SHA256: "x"}, &compare.Answer{Status: 404, Kind: compare.BodyNone}
	site := func(sameAs string, about ...string) *compare.Site {
		c := &compare.Site{Name: host, Old: &compare.Side{}, New: &compare.Side{Finished: time.Now()}, Origins: []compare.Origin{
			{Name: "http://" + host, Old: well, New: well}, {Name: "http://" + farHost, Old: well, New: gone}, {Name: twin, Old: well, New: gone, SameAs: sameAs},
		}}
		for _, o := range about {
			c.Changes = append(c.Changes, compare.Change{Kind: compare.KindStatus, What: o + "/robots.txt", After: "HTTP 404 Not Found", Severity: compare.High, Condition: "AL04", Subjects: []string{o}})
		}
		return c
	}
	in := Input{Site: host, Run: "3", Started: time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC), Settled: "2", Compared: site("http://"+farHost, "http://"+farHost)}
	in.Open = []Open{{Alert: history.Alert{ID: "x", Condition: "AL04", Severity: "high", Base: "1", Text: "told", Subjects: []string{"http://other.example"}}, Compared: site("", "http://"+farHost, twin)}}
	if j := Judge(in); len(j.Events) != 1 || j.Events[0].Kind != Worse || !j.Settled {
		t.Errorf("confirmed: %+v", j)
	}
	in.Hiccups = []string{"http://" + farHost}
	if j := Judge(in); len(j.Events) != 1 || j.Events[0].Kind != Ended || j.Settled {
		t.Errorf("a hiccup: %+v", j)
	}
}
