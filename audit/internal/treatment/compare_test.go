package treatment

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"robots-audit/crawl"
)

// answer is an answer with a status, a body and header fields.
func answer(status int, body string, fields ...string) *crawl.Answer {
	h := http.Header{}
	for i := 0; i < len(fields); i += 2 {
		h.Add(fields[i], fields[i+1])
	}
	a := &crawl.Answer{Header: h, Body: []byte(body)}
	a.URL, a.Status, a.Type, a.Bytes = "http://a.example/", status, h.Get("Content-Type"), int64(len(body))
	if status/100 != 2 {
		a.Code = crawl.CodeHTTPStatus
	}
	return a
}

// facts is a page with some of its facts changed.
func facts(change func(f *Facts)) *Facts {
	f := &Facts{Status: 200, Where: "http://a.example/", Type: "text/html", Bytes: 3000, Title: "Shoes"}
	if change != nil {
		change(f)
	}
	return f
}

func code(status int) func(*Facts) {
	return func(f *Facts) { f.Status, f.Code, f.Bytes, f.Title = status, crawl.CodeHTTPStatus, 10, "" }
}

func lost(f *Facts) { *f = Facts{Code: crawl.CodeTimeout} }

// TestCompare: an answer differs only from what was the same in all answers to us.
func TestCompare(t *testing.T) {
	title := func(s string) func(*Facts) { return func(f *Facts) { f.Title = s } }
	where := func(s string) func(*Facts) { return func(f *Facts) { f.Where = s } }
	sum := func(s string) func(*Facts) { return func(f *Facts) { f.Sum = s } }
	sitemap := func(s string) func(*Facts) { return func(f *Facts) { f.Sum, f.changes = s, true } }
	size := func(n int64) func(*Facts) { return func(f *Facts) { f.Bytes = n } }
	kind := func(s string) func(*Facts) { return func(f *Facts) { f.Type = s } }
	noindex := func(names ...string) func(*Facts) { return func(f *Facts) { f.NoIndex = names } }
	stray := func(code, where string) func(*Facts) {
		return func(f *Facts) { f.Status, f.Code, f.Where, f.moved, f.Bytes = 302, code, where, true, 0 }
	}
	challenged := func(f *Facts) { f.Status, f.Code, f.Challenge = 403, crawl.CodeHTTPStatus, "Cloudflare" }
	pays := func(f *Facts) { f.Status, f.Code, f.Pays = 402, crawl.CodeHTTPStatus, true }
	moved := func(to string, n int64) func(*Facts) {
		return func(f *Facts) { f.Where, f.moved, f.Title, f.Bytes = to, true, "Cookies", n }
	}
	page := func(title string, n int64, links int) func(*Facts) {
		return func(f *Facts) { f.Title, f.Bytes, f.links = title, n, links }
	}
	widget := func(f *Facts) { f.widget, f.Title = "hCaptcha", "?" }
	for _, c := range []struct {
		name   string
		theirs func(*Facts)
		ours   []func(*Facts)
		want   string
	}{
		{"same", nil, []func(*Facts){nil}, ""},
		{"403", code(403), []func(*Facts){nil, nil}, Status},
		{"403, sometimes for us", code(403), []func(*Facts){nil, code(403)}, Unstable},
		{"403, always for us", code(403), []func(*Facts){code(403)}, RefusesUs},
		{"403, another error for us", code(403), []func(*Facts){code(503)}, RefusesUs},
		{"we alone", nil, []func(*Facts){code(403)}, ""},
		{"we alone, sometimes", nil, []func(*Facts){code(403), nil}, ""},
		{"no answer", lost, []func(*Facts){nil}, NoAnswer},
		{"no answer for us", lost, []func(*Facts){lost}, RefusesUs},
		{"404", code(404), []func(*Facts){nil}, Status},
		{"404 for us", code(404), []func(*Facts){code(410)}, ""},
		{"404, sometimes for us", code(404), []func(*Facts){code(404), nil}, Unstable},
		{"404, 403 for us", code(404), []func(*Facts){code(403)}, RefusesUs},
		{"403, 404 for us", code(403), []func(*Facts){code(404)}, Status},
		{"200, 404 for us", nil, []func(*Facts){code(404)}, ""},
		{"robots.txt, 404 for us", sum("a"), []func(*Facts){code(404)}, Content},
		{"200, sometimes 404 for us", nil, []func(*Facts){code(404), nil}, Unstable},
		{"304", code(304), []func(*Facts){nil}, Status},
		{"challenge", challenged, []func(*Facts){nil}, Challenge},
		{"challenge for us", challenged, []func(*Facts){challenged}, RefusesUs},
		{"payment", pays, []func(*Facts){nil}, Payment},
		{"payment, 403 for us", pays, []func(*Facts){code(403)}, Payment},
		{"payment for us", pays, []func(*Facts){pays}, RefusesUs},
		{"payment, sometimes for us", pays, []func(*Facts){pays, nil}, Unstable},
		{"redirect", where("http://a.example/bots"), []func(*Facts){nil}, Redirect},
		{"redirect for us", where("http://a.example/b"), []func(*Facts){where("http://a.example/b")}, ""},
		{"query", where("http://a.example/?s=2"), []func(*Facts){where("http://a.example/?s=1")}, ""},
		{"each another path", where("http://a.example/3"), []func(*Facts){where("http://a.example/1"), where("http://a.example/2")}, Unstable},
		{"one of two paths", where("http://a.example/2"), []func(*Facts){where("http://a.example/1"), where("http://a.example/2")}, ""},
		{"to a challenge", where("http://a.example/captcha/"), []func(*Facts){nil}, Challenge},
		{"to a challenge for us", where("http://a.example/challenge"), []func(*Facts){where("http://a.example/challenge")}, ""},
		{"redirect to www", moved("https://www.a.example/", 3000), []func(*Facts){page("Cookies", 3000, 0)}, ""},
		{"we alone are redirected", nil, []func(*Facts){moved("http://a.example/consent", 500)}, ""},
		{"we alone, to another site", nil, []func(*Facts){stray(crawl.CodeDisallowed, "http://b.example/"), moved("http://b.example/", 500)}, ""},
		{"we are redirected, sometimes", nil, []func(*Facts){moved("http://a.example/consent", 3000), nil}, ""},
		{"we are redirected, and it gets nothing", size(0), []func(*Facts){moved("http://a.example/en/", 3000)}, Empty},
		{"we are redirected, and it gets little", size(300), []func(*Facts){moved("http://a.example/en/", 3000)}, Size},
		{"another robots.txt, and we are redirected", sum("b"), []func(*Facts){func(f *Facts) { f.Sum, f.moved = "a", true }}, Content},
		{"off the site", stray(crawl.CodeDisallowed, "http://b.example/"), []func(*Facts){nil}, Redirect},
		{"off the site for us", stray(crawl.CodeDisallowed, "http://b.example/"), []func(*Facts){stray(crawl.CodeDisallowed, "http://b.example/")}, ""},
		{"loop, while we are redirected", stray(crawl.CodeRedirectLoop, "http://a.example/"), []func(*Facts){moved("http://a.example/en", 500)}, Redirect},
		{"loop", stray(crawl.CodeRedirectLoop, "http://a.example/"), []func(*Facts){nil}, Redirect},
		{"empty", size(0), []func(*Facts){nil}, Empty},
		{"empty for us", nil, []func(*Facts){size(0)}, ""},
		{"empty, sometimes for us", size(0), []func(*Facts){nil, size(0)}, ""},
		{"type", kind("application/json"), []func(*Facts){nil}, Type},
		{"XHTML", kind("application/xhtml+xml"), []func(*Facts){nil}, ""},
		{"XML", kind("text/xml"), []func(*Facts){kind("application/rss+xml")}, ""},
		{"script", kind("text/javascript"), []func(*Facts){kind("application/x-javascript")}, ""},
		{"noindex", noindex(""), []func(*Facts){nil}, NoIndex},
		{"noindex by name", noindex("gptbot"), []func(*Facts){nil}, NoIndex},
		{"noindex of another", noindex("bingbot"), []func(*Facts){nil}, ""},
		{"noindex for us", nil, []func(*Facts){noindex("")}, ""},
		{"noindex of both", noindex(""), []func(*Facts){noindex("gptbot")}, ""},
		{"title", title("No"), []func(*Facts){nil, nil}, Title},
		{"counter", title("Shoes 3"), []func(*Facts){title("Shoes 1"), title("Shoes 2")}, ""},
		{"captcha", widget, []func(*Facts){nil}, Challenge},
		{"captcha for us", widget, []func(*Facts){widget}, ""},
		{"robots.txt", sum("b"), []func(*Facts){sum("a"), sum("a")}, Content},
		{"robots.txt with a counter", sum("c"), []func(*Facts){sum("a"), sum("b")}, Unstable},
		{"sitemap", sitemap("b"), []func(*Facts){sitemap("a")}, Content},
		{"sitemap with a counter", sitemap("c"), []func(*Facts){sitemap("a"), sitemap("b")}, ""},
		{"small", size(700), []func(*Facts){nil}, Size},
		{"a little smaller", size(760), []func(*Facts){nil}, ""},
		{"large", size(12_001), []func(*Facts){nil, size(2900)}, Size},
		{"rendered for crawlers", page("Red shoes", 90_000, challengeLinks+1), []func(*Facts){page("App", 700, 0), page("App", 800, 0)}, ""},
		{"rendered for crawlers, not always", page("Red shoes", 90_000, 20), []func(*Facts){page("App", 700, 0), page("Red shoes", 90_000, 20)}, ""},
		{"as many links", page("Shoes", 90_000, 20), []func(*Facts){page("Shoes", 700, 20)}, Size},
		{"little, with links", page("Shoes", 700, 20), []func(*Facts){page("Shoes", 90_000, 0)}, Size},
		{"a large page without links", page("Denied", 90_000, challengeLinks), []func(*Facts){page("App", 700, 0)}, Title},
		{"many links, and no larger", page("Denied", 2700, 20), []func(*Facts){page("Shoes", 700, 0)}, Title},
		{"rendered, and noindex", func(f *Facts) { page("Red shoes", 90_000, 20)(f); f.NoIndex = []string{""} }, []func(*Facts){page("App", 700, 0)}, NoIndex},
		{"a small page", size(500), []func(*Facts){size(2400)}, ""},
		{"any size", size(90_000), []func(*Facts){nil, size(900_000)}, ""},
	} {
		var ours []*Facts
		for _, change := range c.ours {
			ours = append(ours, facts(change))
		}
		if got := Compare(facts(c.theirs), ours, []string{"gptbot"}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDiffer: a server is not stable if its status for one request changes.
func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		list []*Facts
		want bool
	}{
		{nil, false},
		{[]*Facts{facts(nil)}, false},
		{[]*Facts{facts(nil), facts(func(f *Facts) { f.Title = "2" })}, false},
		{[]*Facts{facts(nil), facts(code(503))}, true},
		{[]*Facts{facts(code(403)), facts(code(503))}, true},
		{[]*Facts{facts(code(403)), facts(code(403))}, false},
		{[]*Facts{facts(nil), facts(code(404))}, true},
		{[]*Facts{facts(nil), facts(lost)}, true},
	} {
		if got := Differ(c.list); got != c.want {
			t.Errorf("%+v: %t", c.list, got)
		}
	}
}

// TestRead reads the facts of answers.
func TestRead(t *testing.T) {
	a := answer(402, "", "Crawler-Price", strings.Repeat("x", 999), "Content-Type", "TEXT/HTML; charset=x", "Set-Cookie", "secret=1")
	f := Read(a, Robots, nil)
	if !f.Pays || f.Barred() != Payment || f.Type != "text/html" || len(f.Evidence["Crawler-Price"]) != maxEvidence || len(f.Evidence) != 1 {
		t.Errorf("%+v", f)
	}
	for value, want := range map[string]bool{`License error="invalid"`: true, "license": true, "": false, "Basic realm=License": false, "Licensed": false} {
		if got := Read(answer(401, "", "Www-Authenticate", value), Page, nil).Pays; got != want {
			t.Errorf("%q: %t", value, got)
		}
	}
	if f := Read(answer(200, "", "Crawler-Price", "1"), Page, nil); f.Pays {
		t.Error("a page that is served asks for payment")
	}
}

// TestEdge finds the products in front of servers.
func TestEdge(t *testing.T) {
	for _, c := range []struct {
		answer  *crawl.Answer
		cookies string
		want    string
	}{
		{answer(200, "", "Server", "nginx"), "", ""},
		{answer(200, "", "Server", "cloudflare", "Cf-Ray", "1"), "", "Cloudflare"},
		{answer(200, "", "Server", "AkamaiGHost"), "", "Akamai"},
		{answer(200, "", "Via", "1.1 x.cloudfront.net (CloudFront)"), "", "AWS"},
		{answer(200, "", "X-Served-By", "cache-fra-eddf1"), "", "Fastly"},
		{answer(200, "", "X-Served-By", "web7"), "", ""},
		{answer(200, "", "X-Sucuri-Id", "17"), "", "Sucuri"},
		{answer(200, "", "X-Iinfo", "1-2"), "", "Imperva"},
		{answer(200, "", "X-Cdn", "Imperva", "Server", "cloudflare"), "", "Cloudflare, Imperva"},
		{answer(200, ""), "datadome", "DataDome"},
		{answer(200, ""), "_px", "HUMAN"},
		{answer(403, "<p>Generated by Wordfence at"), "", "Wordfence"},
		{answer(200, "<p>Generated by Wordfence at"), "", ""},
	} {
		if c.cookies != "" {
			c.answer.Cookies = []string{c.cookies}
		}
		if got := strings.Join(Edge(c.answer), ", "); got != c.want {
			t.Errorf("%v: %s, want %s", c.answer.Header, got, c.want)
		}
	}
	var named []string
	for _, s := range edges {
		named = append(named, s.product)
	}
	named = append(slices.AppendSeq(named, maps.Values(edgeCookies)), wordfence)
	slices.Sort(named)
	if got := slices.Compact(named); !slices.Equal(got, []string{"AWS", "Akamai", "Cloudflare", "DataDome", "Fastly", "HUMAN", "Imperva", "Sucuri", "Wordfence"}) {
		t.Errorf("%q", got)
	}
}
