package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"robots-audit/crawl"
)

// askedOf are answers to a few crawlers, all for the same URLs. A treatment ends with its status.
func askedOf(urls []AskedURL, replies map[string][]Reply) *Asked {
	a := &Asked{URLs: urls, Edge: []string{"Cloudflare"}}
	for _, c := range []struct{ name, purpose string }{{"Bingbot", "search"}, {"Googlebot", "search"}, {"Googlebot-Image", "image search"}, {"GPTBot", "AI training"}} {
		a.Crawlers = append(a.Crawlers, AskedCrawler{Name: c.name, Purpose: c.purpose, Replies: replies[c.name]})
	}
	return a
}

// TestAskedFindings: what search crawlers are refused, and this program gets, is a finding. Its nearest good
// sibling is none.
func TestAskedFindings(t *testing.T) {
	const host = "http://a.example"
	urls := []AskedURL{
		{URL: host + "/robots.txt", Kind: AskedRobots}, {URL: host + "/", Kind: AskedHome}, {URL: host + "/sitemap.xml", Kind: AskedSitemap},
		{URL: host + "/1", Kind: AskedPage}, {URL: host + "/2", Kind: AskedPage}, {URL: host + "/a.css", Kind: AskedStyleSheet}, {URL: host + "/a.js", Kind: AskedScript},
	}
	all := func(r Reply) []Reply { return slices.Repeat([]Reply{r}, len(urls)) }
	in, no := Reply{Treatment: LetIn, Status: 200}, Reply{Treatment: Refused, Why: WhyStatus, Status: 403}
	only := func(i int, r Reply) []Reply { list := all(in); list[i] = r; return list }
	for name, c := range map[string]struct {
		replies map[string][]Reply
		want    []string // findings
		state   State
	}{
		"let in":     {map[string][]Reply{"Googlebot": all(in), "Bingbot": all(in)}, nil, OK},
		"AI crawler": {map[string][]Reply{"GPTBot": all(no), "Googlebot-Image": all(no)}, nil, OK},
		"unclear":    {map[string][]Reply{"Googlebot": all(Reply{Treatment: Unclear, Why: WhyRefusesUs, Status: 403})}, nil, OK},
		"other page": {map[string][]Reply{"Googlebot": all(Reply{Treatment: Otherwise, Why: WhyTitle, Status: 200})}, nil, OK},
		"sitemap": {map[string][]Reply{"Googlebot": only(2, no), "Bingbot": only(2, no)}, []string{
			"FET017 asked as Googlebot and Bingbot from here, the server refuses the sitemap http://a.example/sitemap.xml (HTTP 403 Forbidden), and serves it to this program",
		}, Warn},
		"no answer": {map[string][]Reply{"Bingbot": only(1, Reply{Treatment: Refused, Why: WhyNoAnswer, Code: crawl.CodeTimeout})}, []string{
			"FET018 asked as Bingbot from here, the server refuses the home page http://a.example/ (no answer: " + Meaning(crawl.CodeTimeout) + "), and serves it to this program",
		}, Warn},
		"style sheet": {map[string][]Reply{"Googlebot": only(5, Reply{Treatment: Challenged, Why: WhyChallenge, Status: 503})}, []string{
			"FET019 asked as Googlebot from here, the server asks for proof of a person for the style sheet http://a.example/a.css (HTTP 503 Service Unavailable), and serves it to this program",
		}, OK},
		"everything": {map[string][]Reply{"Googlebot": all(no), "Bingbot": only(3, Reply{Treatment: AskedToPay, Why: WhyPayment, Status: 402})}, []string{
			"FET018 asked as Bingbot from here, the server asks for payment for the page http://a.example/1 (HTTP 402 Payment Required), and serves it to this program",
			"FET018 asked as Googlebot from here, the server refuses robots.txt, the home page, 2 pages and 3 other files (HTTP 403 Forbidden), and serves them to this program",
		}, Warn},
		"parts": {map[string][]Reply{"Googlebot": {in, in, no, in, in, in, no}, "Bingbot": {in, in, in, no, no, in, in}}, []string{
			"FET017 asked as Googlebot from here, the server refuses the sitemap and the script (HTTP 403 Forbidden), and serves them to this program",
			"FET018 asked as Bingbot from here, the server refuses 2 pages such as http://a.example/1 (HTTP 403 Forbidden), and serves them to this program",
		}, Warn},
	} {
		t.Run(name, func(t *testing.T) {
			a := world(t, map[string]string{"a.example/robots.txt": "User-agent: *\nDisallow: /private/\n", "a.example/sitemap.xml": urlset(host + "/1")})
			got, state := askedSite(t, a, askedOf(urls, c.replies))
			checkEqual(t, "findings", got, c.want)
			if state != c.state {
				t.Errorf("state %s, want %s", state, c.state)
			}
		})
	}
}

// What the second look says about a URL is not said twice.
func TestAskedFindingsOnce(t *testing.T) {
	a := askedOf([]AskedURL{{URL: "http://a.example/sitemap.xml", Kind: AskedSitemap}, {URL: "http://a.example/2.xml", Kind: AskedSitemap}},
		map[string][]Reply{"Googlebot": slices.Repeat([]Reply{{Treatment: Refused, Status: 403}}, 2)})
	list := a.refusals(func(id, url string) bool { return id == "FET014" && url == "http://a.example/sitemap.xml" })
	if len(list) != 1 || len(list[0].urls) != 1 || list[0].urls[0].URL != "http://a.example/2.xml" {
		t.Errorf("%+v", list)
	}
}

// askedSite audits a site whose answers to crawlers are these, and returns its findings about them.
func askedSite(t *testing.T, a *Auditor, asked *Asked) (said []string, state State) {
	s := newSite(t.Context(), a, Domain{Name: "a.example", Host: "a.example", Scheme: "http"}, 0, func(rec Record) bool {
		if rec.Findings != nil {
			for _, f := range rec.Findings.List {
				if !strings.HasPrefix(f.ID, "FET01") {
					continue
				}
				said = append(said, fmt.Sprint(f.ID, " ", f.What))
				if !strings.HasSuffix(f.Fix, " "+EdgeAdvice([]string{"Cloudflare"})) || f.Counted || f.Severity.String() != "warning" || len(f.Samples) == 0 {
					t.Errorf("%+v", f)
				}
			}
		}
		return true
	})
	defer s.fetch.Close()
	s.run()
	s.askedFindings(asked)
	s.emitFindings()
	s.finish()
	slices.Sort(said)
	return said, s.done.State
}

func TestEdgeAdvice(t *testing.T) {
	for products, want := range map[string]string{
		"":                      anyEdge,
		"Varnish":               anyEdge,
		"Amazon CloudFront,AWS": aws,
		"Cloudflare":            edges[0].advice,
		"Fastly,Cloudflare":     edges[0].advice + " " + edges[4].advice,
	} {
		if got := EdgeAdvice(strings.Split(products, ",")); got != want {
			t.Errorf("%q: %q, want %q", products, got, want)
		}
	}
	if got := EdgeAdvice(nil); got != anyEdge {
		t.Error(got)
	}
	for _, of := range edges {
		for sentence := range strings.SplitSeq(of.advice, ". ") {
			if n := len(strings.Fields(sentence)); n > 25 {
				t.Errorf("%d words: %s", n, sentence)
			}
		}
	}
}
