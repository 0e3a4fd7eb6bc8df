package engine

import (
	"fmt"
	"strings"
	"testing"
)

// The points on which the source documents contradict each other, each with the
// answer of every profile. An answer is a verdict by line ("D2", "A0"), an
// access result, or another fact that the point is about.

// judged returns the verdict of a crawler on a URL.
func judged(body, crawler, url string) func(*Profile) string {
	return func(p *Profile) string {
		c, err := ParseCrawler(crawler + "@" + p.Name)
		if err != nil { // it is not in the list
			c, err = ParseCrawler("token:" + crawler + "@" + p.Name)
		}
		if err != nil {
			return err.Error()
		}
		return cell(p.Parse([]byte(body)).Group(c).Verdict(url))
	}
}

// accessed returns the access result of an answer.
func accessed(f File) func(*Profile) string {
	return func(p *Profile) string { return p.Read(f).Access.String() }
}

var contradictions = []struct {
	id, matter string
	ask        func(*Profile) string
	want       string // profile=answer …; "else" for all others
}{
	{"C-01", "429", accessed(File{Status: 429}),
		"google=disallow_all google-2023=disallow_all google-oss=disallow_all rep-1994=unknown else=allow_all"},
	{"C-02", "403", accessed(File{Status: 403}), "rep-1994=disallow_all else=allow_all"},
	{"C-03", "5xx", accessed(File{Status: 503}), "yandex=allow_all yandex-2016=allow_all rep-1994=unknown else=disallow_all"},
	{"C-03", "network", accessed(File{Error: "timeout"}), "yandex=allow_all yandex-2016=allow_all rep-1994=unknown else=disallow_all"},
	{"C-04", "30 days unreachable, cached copy", accessed(File{Status: 503, UnreachableHours: 31 * 24, Cached: []byte("x")}),
		"google=disallow_all google-oss=disallow_all yandex=allow_all yandex-2016=allow_all rep-1994=unknown else=parsed"},
	{"C-04", "30 days unreachable, no copy, site up", accessed(File{Status: 503, UnreachableHours: 31 * 24, SiteAvailable: true}),
		"rep-1994=unknown else=allow_all"},
	{"C-05", "case of user-agent", judged("user-agent: FOOBOT\ndisallow: /\n", "foobot", "/a"), "google-2019=A0 else=D2"},
	{"C-06", "allow: /page, disallow: /*.htm", judged("user-agent: *\nallow: /page\ndisallow: /*.htm\n", "foobot", "/page.htm"),
		"google-2019=U3 rep-1994=A0 yandex=A2 else=D3"},
	{"C-07", "equal length", judged("user-agent: *\ndisallow: /folder\nallow: /folder\n", "foobot", "/folder/page"), "rep-1994=D2 else=A3"},
	{"C-08", "disallowed URL in the redirect chain", accessed(File{Status: 200, Hops: 1, HopBlocked: true}),
		"google=allow_all google-2023=allow_all google-oss=allow_all yandex-2016=allow_all else=parsed"},
	{"C-09", "meta refresh", judged("<html><meta http-equiv=refresh content='0;url=/r'>\nuser-agent: *\ndisallow: /a\n</html>\n", "foobot", "/a"),
		"yandex-2016=A0 else=D3"},
	{"C-10", "FTP", func(p *Profile) string {
		return fmt.Sprint(p.Governs("ftp://example.com/robots.txt", "ftp://example.com/"))
	},
		"rep-1994=false else=true"},
	{"C-11", "40,000 bytes", judged("user-agent: *\ndisallow: /a\n"+strings.Repeat("#\n", 20000)+"disallow: /b\n", "foobot", "/b"),
		"yandex-2016=A0 else=D20003"},
	{"C-11", "600,000 bytes", judged("user-agent: *\ndisallow: /a\n"+strings.Repeat("#\n", 300000)+"disallow: /b\n", "foobot", "/b"),
		"google-oss=D300003 rep-1994=D300003 else=A0"},
	{"C-11", "600,000 bytes, rule at the beginning", judged("user-agent: *\ndisallow: /a\n"+strings.Repeat("#\n", 300000), "foobot", "/a"),
		"yandex=A0 yandex-2016=A0 else=D2"},
	{"C-12", "Disallow:", judged("user-agent: *\ndisallow:\ndisallow: /\n", "foobot", "/a"),
		"yandex=A2 yandex-2016=A2 rep-1994=A2 else=D3"},
	{"C-12", "Allow:", judged("user-agent: *\nallow:\n", "foobot", "/a"), "yandex-2016=D2 google-oss=A2 else=A0"},
	{"C-13", "useragent", judged("useragent: *\ndisallow: /a\n", "foobot", "/a"), "google=D2 google-2023=D2 google-oss=D2 else=A0"},
	{"C-14", "blank line in a group", judged("user-agent: *\n\ndisallow: /a\n", "foobot", "/a"), "rep-1994=A0 else=D3"},
	{"C-15", "HTML", accessed(File{Status: 200, ContentType: "text/html", Body: []byte("<p>")}), "yandex-2016=allow_all else=parsed"},
	{"C-15", "no text", accessed(File{Status: 200, ContentType: "application/octet-stream", Body: []byte("\x00\x01")}), "yandex-2016=allow_all else=parsed"},
	{"C-16", "sitemap between two user-agent lines", judged("user-agent: foobot\nsitemap: https://example.com/s.xml\nuser-agent: barbot\ndisallow: /\n", "foobot", "/a"),
		"yandex=A0 yandex-2016=A0 else=D4"},
	{"C-17", "Googlebot-Image with a googlebot group", judged("user-agent: *\ndisallow: /all\n\nuser-agent: Googlebot\ndisallow: /g\n", "Googlebot-Image", "/g"),
		"rfc9309=A0 else=D5"},
	{"C-18", "Storebot-Google with googlebot and *", judged("user-agent: *\ndisallow: /all\n\nuser-agent: Googlebot\ndisallow: /g\n", "Storebot-Google", "/all"),
		"else=D2"},
	{"C-19", "* for AdsBot-Google", judged("user-agent: *\ndisallow: /\n", "AdsBot-Google", "/a"), "rfc9309=D2 rep-1994=D2 google-oss=D2 else=A0"},
	{"C-19", "* for YandexDirect", judged("user-agent: *\ndisallow: /\n", "YandexDirect", "/a"), "rfc9309=D2 rep-1994=D2 google-oss=D2 else=A0"},
	{"C-20", "Crawl-delay, Host, Clean-param", func(p *Profile) string {
		r := p.Parse([]byte("user-agent: *\ncrawl-delay: 2\nhost: a.example\nclean-param: s\n"))
		return fmt.Sprintf("%v,%s,%s", r.Group(Crawler{Tokens: []string{"foobot"}}).CrawlDelay, r.Host(), r.Canonical("/a?s=1"))
	}, "yandex-2016=2,a.example,/a yandex=0,,/a else=0,,/a?s=1"},
	{"C-21", "case of the robots.txt URL", func(p *Profile) string {
		return fmt.Sprint(p.Governs("https://example.com/Robots.txt", "https://example.com/"))
	}, "else=false"},
	{"C-22", "301 to another site's robots.txt", accessed(File{Status: 200, Hops: 1, CrossHost: true}), "yandex-2016=allow_all else=parsed"},
}

func TestContradictions(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range contradictions {
		seen[c.id] = true
		want := map[string]string{}
		for pair := range strings.FieldsSeq(c.want) {
			name, answer, _ := strings.Cut(pair, "=")
			if _, known := ProfileByName(name); !known && name != "else" {
				t.Fatalf("%s names %q", c.id, name)
			}
			want[name] = answer
		}
		for _, p := range Profiles() {
			answer, named := want[p.Name]
			if !named {
				answer = want["else"]
			}
			if got := c.ask(p); got != answer {
				t.Errorf("%s %s: %s: %s, want %s", c.id, c.matter, p.Name, got, answer)
			}
		}
	}
	if len(seen) != 22 {
		t.Errorf("%d of 22 points", len(seen))
	}
}
