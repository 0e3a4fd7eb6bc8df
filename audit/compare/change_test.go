package compare

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// answer is what https://example.com answered for its robots.txt.
type answer struct {
	status int    // 0 = 200
	code   string // of trouble
	kind   string // Content-Type; "" = text/plain
	body   string
	way    []string // addresses of all requests; nil = one, without a redirect
}

// sitemap is one that was asked for.
type sitemap struct {
	url    string
	urls   int64
	status int // 0 = 200
}

// world is one side of a site.
type world struct {
	answer   answer
	second   *answer // of http://example.com; nil = the origin is not asked
	crawlers string  // "" = Googlebot and YandexBot
	urls     []string
	sitemaps []sitemap
	problems []audit.Problem
	cut      bool // the run was cut short within the site
	clicks   int64
	listed   bool // a sitemap names the URLs
	kind     audit.Kind
	pages    []audit.Page
}

func (w world) records(t *testing.T) iter.Seq2[audit.Record, error] {
	t.Helper()
	if w.crawlers == "" {
		w.crawlers = "Googlebot,YandexBot"
	}
	crawlers, err := audit.ParseCrawlers(w.crawlers)
	if err != nil {
		t.Fatal(err)
	}
	file := func(origin string, a answer) crawl.RobotsFile {
		if a.status == 0 && a.code == "" {
			a.status = 200
		}
		if a.kind == "" {
			a.kind = "text/plain"
		}
		if a.code == "" && a.status != 200 {
			a.code = crawl.CodeHTTPStatus
		}
		if a.way == nil {
			a.way = []string{origin + "/robots.txt"}
		}
		f := crawl.RobotsFile{Outcome: crawl.Outcome{URL: origin + "/robots.txt", Status: a.status, Code: a.code, Type: a.kind, Started: start}}
		for i, url := range a.way {
			hop := crawl.Hop{URL: url, Status: a.status}
			if i < len(a.way)-1 {
				hop.Status, hop.Location = 301, a.way[i+1]
			}
			f.Hops = append(f.Hops, hop)
		}
		if a.status == 200 && a.code == "" {
			sum := sha256.Sum256([]byte(a.body))
			f.Body, f.Bytes, f.SHA256 = []byte(a.body), int64(len(a.body)), hex.EncodeToString(sum[:])
		}
		return f
	}
	records := []audit.Record{
		{Site: &audit.Site{Name: "example.com", Crawlers: crawlers, Started: start}},
		{Robots: &audit.Robots{Origin: "https://example.com", File: file("https://example.com", w.answer)}},
	}
	if w.second != nil {
		records = append(records, audit.Record{Robots: &audit.Robots{Index: 1, Origin: "http://example.com", File: file("http://example.com", *w.second)}})
	}
	for _, s := range w.sitemaps {
		m := &audit.Sitemap{}
		m.URL, m.Format, m.Status, m.URLs = s.url, "urlset", 200, s.urls
		if s.status != 0 {
			m.Status, m.Code, m.URLs = s.status, crawl.CodeHTTPStatus, 0
		}
		records = append(records, audit.Record{Sitemap: m})
	}
	batch := &audit.URLs{}
	for _, u := range w.urls {
		at := 0
		if strings.HasPrefix(u, "http://") {
			at = 1
		} else {
			u = "https://example.com" + u
		}
		sitemap := -1
		if w.listed {
			sitemap = 0
		}
		batch.List = append(batch.List, audit.URL{
			Loc: u, Origin: at, Kind: w.kind, Sitemap: sitemap, Verdicts: make([]engine.Verdict, len(crawlers)), Lines: make([]int32, len(crawlers)), Weight: audit.Weight{Clicks: w.clicks},
		})
	}
	records = append(records, audit.Record{URLs: batch})
	for i := range w.problems {
		records = append(records, audit.Record{Problem: &w.problems[i]})
	}
	for i := range w.pages {
		records = append(records, audit.Record{Page: &w.pages[i]})
	}
	if !w.cut {
		records = append(records, audit.Record{Done: &audit.Done{State: audit.OK, Origin: "https://example.com", Counts: audit.Counts{URLs: int64(len(w.urls))}, Finished: start.Add(time.Second)}})
	}
	return func(yield func(audit.Record, error) bool) {
		for _, rec := range records {
			rec.Domain = "example.com"
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// toldOf are the changes of a site, and of what was asked, a line each.
func toldOf(s *Site) (list []string) {
	for _, c := range slices.Concat(s.Readers, s.Changes) {
		line := fmt.Sprintf("%s %s %s: %s → %s", c.Severity, c.Kind, c.What, cmp.Or(c.Before, "nothing"), cmp.Or(c.After, "nothing"))
		if c.Condition != "" {
			line += " " + c.Condition
		}
		list = append(list, line)
	}
	return list
}

const base = "User-agent: *\nDisallow: /b\n"

var pages = []string{"/", "/a", "/b", "/c/d"}

// TestChanges holds each kind of change to what is told of it, and to the cause of its flips.
func TestChanges(t *testing.T) {
	plain := world{answer: answer{body: base}, urls: pages}
	with := func(change func(*world)) world {
		w := plain
		change(&w)
		return w
	}
	body := func(text string) world { return with(func(w *world) { w.answer.body = text }) }
	status := func(n int) world { return with(func(w *world) { w.answer = answer{status: n} }) }
	long := base + strings.Repeat("# a comment of forty bytes, more or less\n", 12_500) // 512,528 bytes
	askers := func(details ...string) world {
		return with(func(w *world) {
			for _, d := range details {
				w.problems = append(w.problems, audit.Problem{Code: audit.CodeRobotsDiffers, URL: "https://example.com/robots.txt", Detail: d})
			}
		})
	}
	maps := func(list ...sitemap) world { return with(func(w *world) { w.sitemaps = list }) }
	a, b := "https://example.com/a.xml", "https://example.com/b.xml"
	tests := []struct {
		name     string
		old, new world
		causes   string
		want     []string
	}{
		{name: "nothing", old: plain, new: plain},
		{name: "a rule added", old: plain, new: body(base + "Disallow: /a\n"), causes: "map[rule:1]", want: []string{
			"medium rules https://example.com/robots.txt: nothing → line 3: Disallow: /a",
			"medium ai_policy all crawlers for AI that obey robots.txt: may fetch a part: 25 % of the known pages are blocked → may fetch a part: 50 % of the known pages are blocked AL10",
			"medium share_blocked Googlebot and YandexBot: 25 % of 4 known URLs blocked from crawling → 50 % of 4 known URLs blocked from crawling AL11",
		}},
		{name: "a rule removed", old: plain, new: body("User-agent: *\n"), causes: "map[rule:1]", want: []string{
			"medium rules https://example.com/robots.txt: line 2: Disallow: /b → nothing",
			"medium ai_policy all crawlers for AI that obey robots.txt: may fetch a part: 25 % of the known pages are blocked → may fetch everything AL10",
			"medium share_blocked Googlebot and YandexBot: 25 % of 4 known URLs blocked from crawling → 0 % of 4 known URLs blocked from crawling AL11",
		}},
		{name: "a rule edited", old: plain, new: body("User-agent: *\nDisallow: /c\n"), causes: "map[rule:2]", want: []string{
			"medium rules https://example.com/robots.txt: line 2: Disallow: /b → line 2: Disallow: /c",
		}},
		{name: "rules in another order", old: body(base + "Disallow: /a\n"), new: body("User-agent: *\nDisallow: /a\nDisallow: /b\n"), want: []string{
			"info rules https://example.com/robots.txt: line 2: Disallow: /b → line 3: Disallow: /b",
		}},
		{name: "a comment", old: plain, new: body("# hello\n" + base), want: []string{
			"info comments https://example.com/robots.txt: nothing → line 1: # hello",
		}},
		{name: "a group of its own", old: plain, new: body("User-agent: Googlebot\nDisallow:\n\n" + base), causes: "map[group:1]", want: []string{
			"medium groups https://example.com/robots.txt: nothing → line 1: User-agent: Googlebot",
			"medium share_blocked Googlebot: 25 % of 4 known URLs blocked from crawling → 0 % of 4 known URLs blocked from crawling AL11",
			"info rules https://example.com/robots.txt: nothing → line 2: Disallow:",
			"info comments https://example.com/robots.txt: nothing → line 3: (blank)",
			"info lint GRP005 Own group overrides the rules for all: nothing → line 1: User-agent: Googlebot (Googlebot has its own group, which blocks nothing, so a rule of * does not bind it, such as line 5 (disallow: /b))",
		}},
		{name: "two groups merged", old: body("User-agent: Googlebot\nDisallow: /a\n\n" + base), new: body("User-agent: Googlebot\nUser-agent: *\nDisallow: /a\nDisallow: /b\n"), causes: "map[rule:2]", want: []string{
			"medium rules https://example.com/robots.txt: line 2: Disallow: /a → line 3: Disallow: /a",
			"medium ai_policy all crawlers for AI that obey robots.txt: may fetch a part: 25 % of the known pages are blocked → may fetch a part: 50 % of the known pages are blocked AL10",
			"medium share_blocked Googlebot and YandexBot: 25 % of 4 known URLs blocked from crawling → 50 % of 4 known URLs blocked from crawling AL11",
			"info comments https://example.com/robots.txt: line 3: (blank) → nothing",
			"info lint GRP005 Own group overrides the rules for all: line 1: User-agent: Googlebot (Googlebot has its own group, so a rule of * does not bind it, such as line 5 (disallow: /b)) → nothing",
		}},
		{name: "all blocked", old: plain, new: body("User-agent: *\nDisallow: /\n"), causes: "map[rule:3]", want: []string{
			"critical root Googlebot and YandexBot: / may be crawled → / is blocked from crawling by line 2: disallow: / AL01",
			"critical staging https://example.com/robots.txt: nothing → everything is blocked for all crawlers without a group of their own, by line 2: disallow: / AL09",
			"medium rules https://example.com/robots.txt: line 2: Disallow: /b → line 2: Disallow: /",
			"medium ai_policy all crawlers for AI that obey robots.txt: may fetch a part: 25 % of the known pages are blocked → may fetch nothing AL10",
			"medium share_blocked Googlebot and YandexBot: 25 % of 4 known URLs blocked from crawling → 100 % of 4 known URLs blocked from crawling AL11",
			"info lint GRP006 Bots that ignore the rules for all: nothing → line 2: Disallow: / (this does not keep out APIs-Google, AdsBot-Google, AdsBot-Google-Mobile, Mediapartners-Google, which ignore *), and 1 more",
		}},
		{name: "a staging file", old: plain, new: body("# staging: do not crawl\nUser-agent: *\nDisallow: /\nSitemap: https://staging.example.com/s.xml\n"), causes: "map[rule:3]", want: []string{
			"critical root Googlebot and YandexBot: / may be crawled → / is blocked from crawling by line 3: disallow: / AL01",
			"critical staging https://example.com/robots.txt: nothing → everything is blocked for all crawlers without a group of their own, by line 3: disallow: /; a comment names a test system, line 1: # staging: do not crawl; a sitemap lies on a test system, line 4: Sitemap: https://staging.example.com/s.xml AL09",
			"medium rules https://example.com/robots.txt: line 2: Disallow: /b → line 3: Disallow: /",
			"medium ai_policy all crawlers for AI that obey robots.txt: may fetch a part: 25 % of the known pages are blocked → may fetch nothing AL10",
			"medium share_blocked Googlebot and YandexBot: 25 % of 4 known URLs blocked from crawling → 100 % of 4 known URLs blocked from crawling AL11",
			"info comments https://example.com/robots.txt: nothing → line 1: # staging: do not crawl",
			"info lint GRP006 Bots that ignore the rules for all: nothing → line 3: Disallow: / (this does not keep out APIs-Google, AdsBot-Google, AdsBot-Google-Mobile, Mediapartners-Google, which ignore *), and 1 more",
			"info lint SM004 Sitemap on another host or on http: nothing → line 4: Sitemap: https://staging.example.com/s.xml (staging.example.com looks like a test host)",
			"info sitemap_line sitemap https://staging.example.com/s.xml: nothing → in https://example.com/robots.txt",
		}},
		{name: "503", old: plain, new: status(503), causes: "map[access:4]", want: []string{
			"critical status https://example.com/robots.txt: HTTP 200 OK → HTTP 503 Service Unavailable: Googlebot: everything is blocked from crawling; after 12 hours, if a good copy was kept: the rules of that copy apply; after 12 hours, if no copy was kept: everything may be crawled; after 30 days, if the site answers otherwise: everything may be crawled; after 30 days, if the site does not answer either: everything is blocked from crawling. YandexBot: everything may be crawled AL03",
			"medium share_blocked Googlebot: 25 % of 4 known URLs blocked from crawling → 100 % of 4 known URLs blocked from crawling AL11",
			"medium share_blocked YandexBot: 25 % of 4 known URLs blocked from crawling → 0 % of 4 known URLs blocked from crawling AL11",
		}},
		{name: "503 ended", old: status(503), new: plain, causes: "map[access:4]", want: []string{
			"medium share_blocked Googlebot: 100 % of 4 known URLs blocked from crawling → 25 % of 4 known URLs blocked from crawling AL11",
			"medium share_blocked YandexBot: 0 % of 4 known URLs blocked from crawling → 25 % of 4 known URLs blocked from crawling AL11",
			"info status https://example.com/robots.txt: HTTP 503 Service Unavailable → HTTP 200 OK AL14",
		}},
		{name: "429", old: plain, new: status(429), causes: "map[access:4]", want: []string{
			"critical status https://example.com/robots.txt: HTTP 200 OK → HTTP 429 Too Many Requests: Googlebot: everything is blocked from crawling; after 12 hours, if a good copy was kept: the rules of that copy apply; after 12 hours, if no copy was kept: everything may be crawled; after 30 days, if the site answers otherwise: everything may be crawled; after 30 days, if the site does not answer either: everything is blocked from crawling. YandexBot: everything may be crawled AL03",
			"medium share_blocked Googlebot: 25 % of 4 known URLs blocked from crawling → 100 % of 4 known URLs blocked from crawling AL11",
			"medium share_blocked YandexBot: 25 % of 4 known URLs blocked from crawling → 0 % of 4 known URLs blocked from crawling AL11",
		}},
		{name: "no answer", old: plain, new: with(func(w *world) { w.answer = answer{code: crawl.CodeTimeout} }), causes: "map[access:4]", want: []string{
			"critical status https://example.com/robots.txt: HTTP 200 OK → connected, but the answer took too long: Googlebot: everything is blocked from crawling; after 12 hours, if a good copy was kept: the rules of that copy apply; after 12 hours, if no copy was kept: everything may be crawled; after 30 days, if the site answers otherwise: everything may be crawled; after 30 days, if the site does not answer either: everything is blocked from crawling. YandexBot: everything may be crawled AL03",
			"medium share_blocked Googlebot: 25 % of 4 known URLs blocked from crawling → 100 % of 4 known URLs blocked from crawling AL11",
			"medium share_blocked YandexBot: 25 % of 4 known URLs blocked from crawling → 0 % of 4 known URLs blocked from crawling AL11",
		}},
		{name: "404", old: plain, new: status(404), causes: "map[access:1]", want: []string{
			"high status https://example.com/robots.txt: HTTP 200 OK → HTTP 404 Not Found: everything is open now, 1 known URL newly allowed AL04",
			"medium share_blocked Googlebot and YandexBot: 25 % of 4 known URLs blocked from crawling → 0 % of 4 known URLs blocked from crawling AL11",
		}},
		{name: "404 of a file that blocks nothing", old: body("User-agent: *\nDisallow:\n"), new: status(404), want: []string{
			"medium status https://example.com/robots.txt: HTTP 200 OK → HTTP 404 Not Found: everything is open now",
		}},
		{name: "403", old: plain, new: status(403), causes: "map[access:1]", want: []string{
			"high status https://example.com/robots.txt: HTTP 200 OK → HTTP 403 Forbidden: everything is open now, 1 known URL newly allowed AL04",
			"medium share_blocked Googlebot and YandexBot: 25 % of 4 known URLs blocked from crawling → 0 % of 4 known URLs blocked from crawling AL11",
		}},
		{name: "404 to a file", old: status(404), new: plain, causes: "map[access:1]", want: []string{
			"medium share_blocked Googlebot and YandexBot: 0 % of 4 known URLs blocked from crawling → 25 % of 4 known URLs blocked from crawling AL11",
			"info status https://example.com/robots.txt: HTTP 404 Not Found → HTTP 200 OK AL14",
		}},
		{name: "HTML", old: plain, new: with(func(w *world) {
			w.answer = answer{kind: "text/html", body: "<!DOCTYPE html><html><body>Hello</body></html>"}
		}), causes: "map[access:1]", want: []string{
			"critical body https://example.com/robots.txt: text → an HTML page: only lines that happen to look like rules count AL05",
			"medium content_type https://example.com/robots.txt: text/plain → text/html",
			"medium share_blocked Googlebot and YandexBot: 25 % of 4 known URLs blocked from crawling → 0 % of 4 known URLs blocked from crawling AL11",
		}},
		{name: "empty", old: plain, new: body(""), causes: "map[access:1]", want: []string{
			"critical body https://example.com/robots.txt: text → empty: everything is open AL05",
			"medium share_blocked Googlebot and YandexBot: 25 % of 4 known URLs blocked from crawling → 0 % of 4 known URLs blocked from crawling AL11",
		}},
		{name: "beyond 500 KiB", old: body(long[:300_000] + "\nDisallow: /a\n"), new: body(long + "Disallow: /a\n"), causes: "map[access:2]", want: []string{
			"high size https://example.com/robots.txt: 300,014 bytes of at most 512,000 for Google and RFC 9309; 300,014 bytes of at most 512,000 for Yandex → 512,540 bytes of at most 512,000 for Google and RFC 9309: the rest of the file is ignored; 512,540 bytes of at most 512,000 for Yandex: the whole file is ignored, and the site is open AL08",
			"medium ai_policy all crawlers for AI that obey robots.txt: may fetch a part: 50 % of the known pages are blocked → may fetch a part: 25 % of the known pages are blocked AL10",
			"medium share_blocked Googlebot: 50 % of 4 known URLs blocked from crawling → 25 % of 4 known URLs blocked from crawling AL11",
			"medium share_blocked YandexBot: 50 % of 4 known URLs blocked from crawling → 0 % of 4 known URLs blocked from crawling AL11",
			"info comments https://example.com/robots.txt: 7,317 comment and blank lines → 12,500 comment and blank lines: 5,184 added, 1 removed",
		}},
		{name: "over four fifths of a limit", old: plain, new: body(long[:420_000]), want: []string{
			"high size https://example.com/robots.txt: 27 bytes of at most 512,000 for Google and RFC 9309; 27 bytes of at most 512,000 for Yandex → 420,000 bytes of at most 512,000 for Google and RFC 9309; 420,000 bytes of at most 512,000 for Yandex AL08",
			"info comments https://example.com/robots.txt: 0 comment and blank lines → 10,244 comment and blank lines: 10,244 added",
		}},
		{name: "redirected to another host", old: plain, new: with(func(w *world) {
			w.answer = answer{body: base + "Disallow: /a\n", way: []string{"https://example.com/robots.txt", "https://other.example/robots.txt"}}
		}), causes: "map[scope:1]", want: []string{
			"medium redirect https://example.com/robots.txt: https://example.com/robots.txt, without a redirect → https://other.example/robots.txt, after 1 redirect",
			"medium ai_policy all crawlers for AI that obey robots.txt: may fetch a part: 25 % of the known pages are blocked → may fetch a part: 50 % of the known pages are blocked AL10",
			"medium share_blocked Googlebot and YandexBot: 25 % of 4 known URLs blocked from crawling → 50 % of 4 known URLs blocked from crawling AL11",
			"info rules https://example.com/robots.txt: nothing → line 3: Disallow: /a",
		}},
		{name: "a redirect on the same host", old: plain, new: with(func(w *world) { w.answer.way = []string{"https://example.com/robots.txt", "https://example.com/r.txt"} }), want: []string{
			"info redirect https://example.com/robots.txt: https://example.com/robots.txt, without a redirect → https://example.com/r.txt, after 1 redirect",
		}},
		{name: "redirects in a circle", old: plain, new: with(func(w *world) {
			w.answer = answer{status: 301, code: crawl.CodeRedirectLoop, way: []string{"https://example.com/robots.txt", "https://example.com/robots.txt"}}
		}), causes: "map[access:1]", want: []string{
			"high status https://example.com/robots.txt: HTTP 200 OK → the redirects go round in a circle: everything is open now, 1 known URL newly allowed AL04",
			"medium share_blocked Googlebot and YandexBot: 25 % of 4 known URLs blocked from crawling → 0 % of 4 known URLs blocked from crawling AL11",
			"info redirect https://example.com/robots.txt: https://example.com/robots.txt, without a redirect → https://example.com/robots.txt, after 1 redirect",
		}},
		{name: "another type", old: plain, new: with(func(w *world) { w.answer.kind = "application/octet-stream" }), want: []string{
			"medium content_type https://example.com/robots.txt: text/plain → application/octet-stream",
		}},
		{name: "another charset in other letters", old: with(func(w *world) { w.answer.kind = "text/plain; charset=UTF-8" }), new: with(func(w *world) { w.answer.kind = "Text/Plain;charset=utf-8" })},
		{name: "no UTF-8", old: body("# Straße\n" + base), new: body("# Stra\xdfe\n" + base), want: []string{
			"medium encoding https://example.com/robots.txt: UTF-8 → not UTF-8",
			"info comments https://example.com/robots.txt: line 1: # Straße → line 1: # Stra\\xDFe",
		}},
		{name: "other line ends", old: plain, new: body("User-agent: *\r\nDisallow: /b\r\n"), want: []string{
			"info line_ends https://example.com/robots.txt: LF → CR LF",
		}},
		{name: "a sitemap line lost", old: body(base + "Sitemap: " + a + "\n"), new: plain, want: []string{
			"high sitemap_line sitemap https://example.com/a.xml: in https://example.com/robots.txt → nothing AL07",
		}},
		{name: "a sitemap line added", old: plain, new: body(base + "Sitemap: " + a + "\n"), want: []string{
			"info sitemap_line sitemap https://example.com/a.xml: nothing → in https://example.com/robots.txt",
		}},
		{name: "a sitemap blocked", old: body(base + "Sitemap: " + a + "\n"), new: body(base + "Disallow: /a.xml\nSitemap: " + a + "\n"), want: []string{
			"high sitemap_blocked sitemap https://example.com/a.xml: allowed → blocked from crawling for Googlebot and YandexBot AL07",
			"info rules https://example.com/robots.txt: nothing → line 3: Disallow: /a.xml",
		}},
		{name: "a sitemap that fails", old: maps(sitemap{a, 100, 0}), new: maps(sitemap{a, 0, 404}), want: []string{
			"high sitemap sitemap https://example.com/a.xml: read: 100 URLs → HTTP 404 Not Found AL07",
		}},
		{name: "a sitemap that can be read again", old: maps(sitemap{a, 0, 404}), new: maps(sitemap{a, 100, 0}), want: []string{
			"info sitemap sitemap https://example.com/a.xml: HTTP 404 Not Found → read: 100 URLs AL14",
		}},
		{name: "a sitemap with a third fewer URLs", old: maps(sitemap{a, 100, 0}), new: maps(sitemap{a, 60, 0}), want: []string{
			"high sitemap_urls all sitemaps: 100 URLs → 60 URLs: 40 % fewer AL07",
		}},
		{name: "a sitemap with a few fewer", old: maps(sitemap{a, 100, 0}), new: maps(sitemap{a, 80, 0})},
		{name: "one sitemap of two has half the URLs", old: maps(sitemap{a, 1000, 0}, sitemap{b, 100, 0}), new: maps(sitemap{a, 1000, 0}, sitemap{b, 50, 0}), want: []string{
			"medium sitemap_urls sitemap https://example.com/b.xml: read: 100 URLs → read: 50 URLs",
		}},
		{name: "AI crawlers shut out", old: plain, new: body(base + "\nUser-agent: GPTBot\nDisallow: /\n"), want: []string{
			"medium ai_policy AI training (GPTBot): may fetch a part: 25 % of the known pages are blocked → may fetch nothing AL10",
			"info rules https://example.com/robots.txt: nothing → line 5: Disallow: /",
			"info groups https://example.com/robots.txt: nothing → line 4: User-agent: GPTBot",
			"info comments https://example.com/robots.txt: nothing → line 3: (blank)",
		}},
		{name: "a preference", old: plain, new: body("User-agent: *\nContent-Signal: ai-train=no\nDisallow: /b\n"), want: []string{
			"medium ai_policy usage preferences: nothing → Content-Signal: ai-train=no (for *) AL10",
		}},
		{name: "a new lint error", old: plain, new: body(base + "Disalow: /x\n"), want: []string{
			"medium lint DIR003 Misspelt directive: nothing → line 3: Disalow: /x (\"Disalow\" is not \"disallow\") AL12",
			"info lines https://example.com/robots.txt: nothing → line 3: Disalow: /x",
		}},
		{name: "a file with a lint error where there was none", old: status(404), new: body("User-agent: *\nDisalow: /x\n\nUser-agent: *\n"), want: []string{
			"medium lint DIR003 Misspelt directive: nothing → line 2: Disalow: /x (\"Disalow\" is not \"disallow\") AL12",
			"info status https://example.com/robots.txt: HTTP 404 Not Found → HTTP 200 OK AL14",
		}},
		{name: "a lint error gone", old: body(base + "Disalow: /x\n"), new: plain, want: []string{
			"info lines https://example.com/robots.txt: line 3: Disalow: /x → nothing",
			"info lint DIR003 Misspelt directive: line 3: Disalow: /x (\"Disalow\" is not \"disallow\") → nothing AL14",
		}},
		{name: "other askers get another file", old: plain, new: with(func(w *world) {
			w.problems = []audit.Problem{{Code: audit.CodeRobotsDiffers, URL: "https://example.com/robots.txt", Detail: "asked as a browser: 40 bytes in place of 27"}}
		}), want: []string{
			"high asker https://example.com/robots.txt: nothing → asked as a browser: 40 bytes in place of 27 AL06",
		}},
		{name: "Googlebot gets another file where www always was another one", old: askers("here HTTP 404 Not Found, HTTP 200 to us"), new: askers("here HTTP 404 Not Found, HTTP 200 to us", "to Googlebot's User-Agent HTTP 403 Forbidden, HTTP 200 to us"), want: []string{
			"high asker https://example.com/robots.txt: nothing → to Googlebot's User-Agent HTTP 403 Forbidden, HTTP 200 to us AL06",
		}},
		{name: "of two askers one gets the same again", old: askers(`to the User-Agent "a" HTTP 403 Forbidden`, `to the User-Agent "b" HTTP 403 Forbidden`), new: askers(`to the User-Agent "b" HTTP 429 Too Many Requests`), want: []string{
			"info asker https://example.com/robots.txt: to the User-Agent \"a\" HTTP 403 Forbidden → nothing AL14",
		}},
		{name: "clicks", old: plain, new: with(func(w *world) { w.answer.body, w.clicks = base+"Disallow: /a\n", 30 }), causes: "map[rule:1]", want: []string{
			"critical important 1 URL of your own list: allowed → blocked from crawling for Googlebot and YandexBot AL02",
			"medium rules https://example.com/robots.txt: nothing → line 3: Disallow: /a",
			"medium ai_policy all crawlers for AI that obey robots.txt: may fetch a part: 25 % of the known pages are blocked → may fetch a part: 50 % of the known pages are blocked AL10",
			"medium share_blocked Googlebot and YandexBot: 25 % of 4 known URLs blocked from crawling → 50 % of 4 known URLs blocked from crawling AL11",
		}},
		{name: "one more crawler", old: plain, new: with(func(w *world) { w.crawlers = "Googlebot,YandexBot,GPTBot" }), want: []string{
			"info crawlers crawlers asked about: nothing → GPTBot",
			"info crawlers GPTBot: nothing → named by no line of https://example.com/robots.txt AL13",
		}},
		{name: "another profile", old: with(func(w *world) { w.crawlers = "Googlebot@google-2019" }), new: with(func(w *world) { w.crawlers = "Googlebot" }), want: []string{
			"info reader Googlebot: by the profile google-2019 → by the profile google",
		}},
		{name: "another origin", old: plain, new: with(func(w *world) {
			w.second, w.urls = &answer{body: base}, append(slices.Clone(pages), "http://example.com/z")
		}), want: []string{
			"info origin http://example.com: nothing → URLs of the site lie there: HTTP 200 OK",
		}},
		{name: "an answer that was never asked for", old: plain, new: with(func(w *world) { w.answer = answer{code: crawl.CodeCancelled} }), causes: "map[access:4]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, site := compared(t, test.old.records(t), test.new.records(t))
			if got := fmt.Sprint(site.Causes); got != test.causes && test.causes != "" || len(site.Causes) > 0 && test.causes == "" {
				t.Errorf("causes %s, want %q", got, test.causes)
			}
			if got := toldOf(site); !slices.Equal(got, test.want) {
				t.Errorf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestOwnOriginFirst holds the order of origins, whichever URL flips first.
func TestOwnOriginFirst(t *testing.T) {
	side := func(robots string) iter.Seq2[audit.Record, error] {
		return world{answer: answer{body: base}, second: &answer{body: robots}, urls: []string{"http://example.com/a", "/a"}}.records(t)
	}
	flips, site := compared(t, side(base), side(base+"Disallow: /a\n"))
	var names []string
	for i := range site.Origins {
		names = append(names, site.Origins[i].Name)
	}
	if !slices.Equal(names, []string{"https://example.com", "http://example.com"}) || len(flips) != 2 || len(site.Origins[1].Diff) != 1 {
		t.Errorf("origins %q, flips %q", names, flips)
	}
}
