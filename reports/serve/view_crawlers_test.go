package serve

import (
	"html"
	"strings"
	"testing"

	"robots-audit/audit"
)

// asked adds answers to the site of a host: GPTBot is refused, and a crawler whose name is a text is challenged.
func asked(host string, s testSite, text string) testSite {
	in := audit.Reply{Treatment: audit.LetIn, Status: 200, Asked: 1, Title: "Home " + text}
	a := &audit.Asked{Agents: "2026-10-28", Ours: "robots-audit", URLs: []audit.AskedURL{{URL: "http://" + host + "/", Kind: audit.AskedHome, Ours: in}}}
	for _, c := range []struct {
		name  string
		reply audit.Reply
	}{
		{"Googlebot", in}, {"GPTBot", audit.Reply{Treatment: audit.Refused, Why: audit.WhyStatus, Status: 403, Asked: 1}}, {"Bot" + text, audit.Reply{Treatment: audit.Challenged, Why: audit.WhyChallenge, Status: 403, Asked: 1}},
	} {
		a.Crawlers = append(a.Crawlers, audit.AskedCrawler{Name: c.name, Operator: text, Purpose: text, UserAgent: c.name, Treatment: c.reply.Treatment, Replies: []audit.Reply{c.reply}})
	}
	s.asked = a
	return s
}

// TestCrawlers shows the matrix of a run that asked, as a page and as JSON, and links to it only there.
func TestCrawlers(t *testing.T) {
	_, a := newDesk(t, logsWorld(t))
	const link = `<a href="/runs/several/crawlers"`
	answer, page := a.do("GET", "/runs/several/crawlers", "")
	if policy := answer.Header.Get("Content-Security-Policy"); answer.StatusCode != 200 || answer.Header.Get("Vary") != "Accept" || !strings.Contains(policy, "style-src") || strings.Contains(policy, "unsafe") || strings.Contains(page, "<script") || strings.Contains(page, "<img") {
		t.Errorf("%s, %v, %s", answer.Status, answer.Header, page)
	}
	for _, want := range []string{link + ` aria-current="page">Crawlers</a>`, `<a href="report/pages/` + shopHost + `.html#enforced">`, "(contradictions on 2 sites)", "refused by 2 sites"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if _, site := a.do("GET", "/runs/several/report/pages/"+shopHost+".html", ""); !strings.Contains(site, `id="enforced"`) || !strings.Contains(site, link+">") {
		t.Error("the page of a site has no such section, or no link to the matrix")
	}
	var of struct {
		Crawlers []struct {
			Crawler string
			Sites   map[audit.Treatment]int
		}
		Sites []struct {
			Site, Page  string
			Most_severe string
			Crawlers    []struct {
				Crawler     string
				Treatment   audit.Treatment
				Contradicts bool
			}
		}
	}
	a.json("/runs/several/crawlers", &of)
	if len(of.Crawlers) != 4 || of.Crawlers[1].Crawler != "GPTBot" || of.Crawlers[1].Sites[audit.Refused] != 2 || len(of.Sites) != 2 {
		t.Fatalf("%+v", of)
	}
	shown := html.UnescapeString(page)
	for _, s := range of.Sites {
		if !strings.Contains(shown, s.Site) || !strings.Contains(page, `"`+s.Page+`"`) || !strings.Contains(shown, s.Most_severe) || s.Most_severe == "" || len(s.Crawlers) != 3 || s.Crawlers[1].Treatment != audit.Refused || !s.Crawlers[1].Contradicts {
			t.Errorf("the page has no %+v", s)
		}
	}
	for path, want := range map[string]int{"/runs/one/crawlers": 404, "/runs/one/report/index.html": 200, "/runs/several/crawlers/x": 303, "/runs/several/report/crawlers.html": 404} {
		answer, text := a.do("GET", path, "")
		if answer.StatusCode != want || want == 200 && strings.Contains(text, "/crawlers") || path == "/runs/one/crawlers" && !strings.Contains(text, "-ask-as") {
			t.Errorf("%s: %s: %.500s", path, answer.Status, text)
		}
	}
}
