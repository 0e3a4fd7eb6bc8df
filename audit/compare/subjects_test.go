package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/crawl"
)

// TestSubjects: each change with a condition has its subjects, and the number of its pages.
func TestSubjects(t *testing.T) {
	plain := world{answer: answer{body: base}, urls: pages, sitemaps: []sitemap{{"https://example.com/a.xml", 100, 0}}}
	with := func(change func(*world)) world {
		w := plain
		change(&w)
		return w
	}
	body := func(text string) world { return with(func(w *world) { w.answer.body = text }) }
	var important []string
	for n := range MaxSubjects + 20 {
		important = append(important, fmt.Sprintf("/i/%03d", n))
	}
	tests := []struct {
		name     string
		new      world
		options  Options
		want     []string // "AL01 severity URLs subjects"
		unwanted string
	}{
		{name: "root", new: body("User-agent: *\nDisallow: /\n"), options: Options{Share: 99}, want: []string{
			"AL01 critical 3 [Googlebot YandexBot]", "AL09 critical 0 [blocked]",
		}},
		{name: "root of the watch list", new: body("User-agent: *\nDisallow: /\n"), options: Options{Share: 99, Watch: []string{"yandexbot"}}, want: []string{"AL01 critical 3 [YandexBot]"}},
		{name: "root of nobody", new: body("User-agent: *\nDisallow: /\n"), options: Options{Share: 99, Watch: []string{"Bingbot"}}, unwanted: "AL01"},
		{name: "share", new: body(base + "Disallow: /a\n"), options: Options{Share: 24.9}, want: []string{"AL11 medium 1 [Googlebot: more YandexBot: more]"}},
		{name: "smaller share", new: body(base + "Disallow: /a\n"), options: Options{Share: 25}, unwanted: "AL11"},
		{name: "share down", new: body("User-agent: *\nDisallow:\n"), want: []string{"AL11 medium 1 [Googlebot: less YandexBot: less]"}},
		{name: "important", new: body(base + "Disallow: /a\n"), options: Options{Important: func(url string) bool { return strings.HasSuffix(url, "/a") }}, want: []string{
			"AL02 critical 1 [Googlebot YandexBot https://example.com/a]",
		}},
		{name: "important, another", new: body(base + "Disallow: /a\n"), options: Options{Important: func(url string) bool { return strings.HasSuffix(url, "/") }}, unwanted: "AL02"},
		{name: "many important", new: with(func(w *world) { w.urls, w.answer.body = important, base+"Disallow: /i\n" }), options: Options{Important: func(string) bool { return true }}, want: []string{
			"AL02 critical 120 [Googlebot YandexBot …]",
		}},
		{name: "unreachable", new: with(func(w *world) { w.answer = answer{status: 503} }), want: []string{"AL03 critical 3 [https://example.com]"}},
		{name: "gone", new: with(func(w *world) { w.answer = answer{status: 404} }), want: []string{"AL04 high 1 [https://example.com]"}},
		{name: "empty", new: body(""), want: []string{"AL05 critical 1 [https://example.com]"}},
		{name: "a sitemap", new: with(func(w *world) { w.sitemaps = []sitemap{{"https://example.com/a.xml", 0, 500}} }), want: []string{"AL07 high 0 [sitemap https://example.com/a.xml]"}},
		{name: "fewer URLs", new: with(func(w *world) { w.sitemaps = []sitemap{{"https://example.com/a.xml", 10, 0}} }), want: []string{"AL07 high 90 [all sitemaps]"}},
		{name: "size", new: body(base + strings.Repeat("# a comment of forty bytes, more or less\n", 12_500)), want: []string{
			"AL08 high 0 [Google and RFC 9309: beyond the limit of bytes Yandex: beyond the limit of bytes]",
		}},
		{name: "policy", new: body(base + "\nUser-agent: GPTBot\nDisallow: /\n"), want: []string{"AL10 medium 0 [GPTBot: none]"}},
		{name: "preference", new: body("User-agent: *\nContent-Signal: ai-train=no\nDisallow: /b\n"), want: []string{"AL10 medium 0 [Content-Signal: ai-train=no (for *) usage preferences]"}},
		{name: "lint", new: body(base + "Disalow: /x\n"), want: []string{"AL12 medium 0 [DIR003]"}},
		{name: "crawlers", new: with(func(w *world) { w.crawlers = "Googlebot,YandexBot,GPTBot" }), want: []string{"AL13 info 0 [GPTBot]"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			old := plain
			if test.new.urls != nil {
				old.urls = test.new.urls
			}
			var got []string
			_, site := comparedWith(t, old.records(t), test.new.records(t), test.options)
			for _, c := range site.Changes {
				if c.Condition == "" || c.Condition == ended {
					if c.Subjects != nil || c.URLs != 0 {
						t.Errorf("%+v has subjects, and no condition", c)
					}
					continue
				}
				got = append(got, fmt.Sprintf("%s %s %d %s", c.Condition, c.Severity, c.URLs, c.Subjects))
				if c.Subjects == nil || !slices.IsSorted(c.Subjects[:min(len(c.Subjects), MaxSubjects)]) {
					t.Errorf("%+v is about nothing, or in no order", c)
				}
			}
			for _, want := range test.want {
				if !slices.Contains(got, want) {
					t.Errorf("no %q in %q", want, got)
				}
			}
			if test.unwanted != "" && slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, test.unwanted) }) {
				t.Errorf("told %q", got)
			}
		})
	}
}

// TestShown: an error that known URLs alone show about a rule comes, stays and goes with them.
func TestShown(t *testing.T) {
	const twice = "User-agent: *\nDisallow: /b\nDisallow: /a\n"
	side := func(body string, change func(*world)) world {
		w := world{answer: answer{body: body}, urls: pages, listed: true}
		change(&w)
		return w
	}
	nothing := func(*world) {}
	kind := func(k audit.Kind) func(*world) { return func(w *world) { w.kind = k } }
	pointing := func(w *world) {
		w.listed, w.pages = false, []audit.Page{
			{URL: "https://example.com/", Status: 200, Canonical: "https://example.com/a"},
			{URL: "https://example.com/c/d", Status: 301, Code: crawl.CodeDisallowed, Location: "https://example.com/a/2"},
		}
	}
	const came = "medium lint SM005 URLs in sitemap are blocked: nothing → line 3: disallow: /a (this line blocks 1 URL of the sitemaps) AL12"
	for _, test := range []struct {
		name     string
		old, new world
		want     string // of the changes of lint
	}{
		{"a rule that blocks a URL of a sitemap", side(base, nothing), side(twice, nothing), came},
		{"it goes", side(twice, nothing), side(base, nothing), "info lint SM005 URLs in sitemap are blocked: line 3: disallow: /a (this line blocks 1 URL of the sitemaps) → nothing AL14"},
		{"it stays, some lines further down", side(base, nothing), side("# a\n\n"+base, nothing), ""},
		{"the sitemap comes to name it", side(twice, func(w *world) { w.urls = []string{"/", "/b"} }), side(twice, nothing), came},
		{"no sitemap names it", side(base, func(w *world) { w.listed = false }), side(twice, func(w *world) { w.listed = false }), ""},
		{"for a crawler that finds no pages", side(base, func(w *world) { w.crawlers = "GPTBot" }), side(twice, func(w *world) { w.crawlers = "GPTBot" }), ""},
		{"a crawler more is asked about", side(twice, func(w *world) { w.crawlers = "GPTBot" }), side(twice, func(w *world) { w.crawlers = "GPTBot,Googlebot" }), ""},
		{"a style sheet", side(base, kind(crawl.KindCSS)), side(twice, kind(crawl.KindCSS)), "medium lint RUL019 Blocked CSS or JavaScript: nothing → line 3: disallow: /a (this line blocks 1 file that pages need for rendering) AL12"},
		{"an alternate", side(base, kind(crawl.KindHreflang)), side(twice, kind(crawl.KindHreflang)), "medium lint RUL020 Important URL blocked: nothing → line 3: disallow: /a (this line blocks 1 URL that pages point to) AL12"},
		{"a canonical, and where a redirect leads", side(base, pointing), side(twice, pointing), "medium lint RUL020 Important URL blocked: nothing → line 3: disallow: /a (this line blocks 2 URLs that pages point to) AL12"},
		{"the site as a whole, which is told by itself", side(base, kind(crawl.KindHreflang)), side("User-agent: *\nDisallow: /\n", kind(crawl.KindHreflang)), "info lint RUL020 Important URL blocked: line 2: disallow: /b (this line blocks 1 URL that pages point to) → nothing AL14"},
	} {
		_, site := compared(t, test.old.records(t), test.new.records(t))
		got := slices.DeleteFunc(toldOf(site), func(line string) bool { return !strings.Contains(line, " lint ") || strings.Contains(line, "GRP006") })
		if strings.Join(got, "\n") != test.want {
			t.Errorf("%s:\n%s\ndue\n%s", test.name, strings.Join(got, "\n"), test.want)
		}
	}
}

// TestManySubjects bounds them, whatever their order.
func TestManySubjects(t *testing.T) {
	var list []string
	for n := range 300 {
		list = append(list, fmt.Sprintf("%03d", 299-n))
	}
	got := boundSubjects(append(list, "007"))
	if len(got) != MaxSubjects+1 || got[7] != "007" || got[8] != "008" || got[MaxSubjects] != MoreSubjects {
		t.Errorf("%q", got)
	}
}

// TestAhead: the forecast for an unreachable robots.txt is also reported for a new site. Crawlers
// with the same forecast share it; those that lead and are blocked come first.
func TestAhead(t *testing.T) {
	bad := world{answer: answer{status: 503}, crawlers: "GPTBot,YandexBot,Googlebot,Googlebot-Image", urls: pages}
	_, site := compared(t, nil, bad.records(t))
	var got []string
	for _, a := range site.Ahead {
		got = append(got, fmt.Sprintf("%s %d", a.Crawlers, len(a.Steps)))
	}
	if want := []string{"[Googlebot Googlebot-Image] 5", "[YandexBot] 1", "[GPTBot] 3"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if own := site.Own(); own.Name != "https://example.com" || own.Old != nil || !own.New.Unreachable() || !own.New.Asked() {
		t.Errorf("%+v", own)
	}
	_, site = compared(t, bad.records(t), world{answer: answer{body: base}, urls: pages}.records(t))
	if site.Ahead != nil || site.Own().New.Unreachable() {
		t.Errorf("%+v", site.Ahead)
	}
}
