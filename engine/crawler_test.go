package engine

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestCrawlers(t *testing.T) {
	names := map[string]bool{}
	purposes := map[string]bool{}
	for _, c := range Crawlers() {
		if names[strings.ToLower(c.Name)] {
			t.Errorf("%s is listed twice", c.Name)
		}
		names[strings.ToLower(c.Name)] = true
		purposes[c.Purpose] = true
		if _, ok := ProfileByName(c.Profile); !ok {
			t.Errorf("%s: no profile %q", c.Name, c.Profile)
		}
		if c.Operator == "" || c.Purpose == "" || c.Obeys == "" || !strings.HasPrefix(c.Source, "https://") {
			t.Errorf("%s: an empty column: %+v", c.Name, c)
		}
		for _, token := range c.Tokens {
			if token == "" || productToken(token) != token {
				t.Errorf("%s: %q is no product token", c.Name, token)
			}
		}
		if c.CrawlDelay != "" && c.CrawlDelay != delayOwn && c.CrawlDelay != delayInherit {
			t.Errorf("%s: delay %q", c.Name, c.CrawlDelay)
		}
	}
	for _, name := range []string{
		"Googlebot", "Googlebot-Image", "Googlebot-News", "Storebot-Google", "AdsBot-Google", "Mediapartners-Google", "APIs-Google",
		"Google-Extended", "Bingbot", "AdIdxBot", "YandexBot", "YandexImages", "YandexDirect", "YandexCalendar",
		"GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "Claude-SearchBot", "Claude-User", "Applebot-Extended",
		"PerplexityBot", "CCBot", "Amazonbot", "meta-externalagent", "Bytespider",
	} {
		if !names[strings.ToLower(name)] {
			t.Errorf("%s is missing", name)
		}
	}
	for _, purpose := range []string{"search", "ads", "AI training", "AI search", "user fetch", "control token"} {
		if !purposes[purpose] {
			t.Errorf("nobody crawls for %q", purpose)
		}
	}
}

func TestCrawlersCannotBeChanged(t *testing.T) {
	list := Crawlers()
	list[0].Name = "Changed"
	if Crawlers()[0].Name == "Changed" {
		t.Error("the list can be changed from outside")
	}
}

func TestParseCrawler(t *testing.T) {
	for _, tt := range []struct {
		in, name, profile string
		tokens            []string
	}{
		{"Googlebot", "Googlebot", "google", []string{"Googlebot"}},
		{"Googlebot@google-2019", "Googlebot", "google-2019", []string{"Googlebot"}},
		{"googlebot-image@google-2019", "Googlebot-Image", "google-2019", []string{"googlebot-image", "Googlebot"}},
		{"Bingbot", "Bingbot", "bing", []string{"Bingbot", "msnbot"}},
		{"YandexBot", "YandexBot", "yandex", []string{"YandexBot", "Yandex"}},
		{"YandexMetrika/4.0", "YandexMetrika/4.0", "yandex", []string{"YandexMetrika"}},
		{" token:MJ12bot ", "token:MJ12bot", "rfc9309", []string{"MJ12bot"}},
		{"token:FooBot@yandex", "token:FooBot", "yandex", []string{"FooBot"}},
		{"Token: Foo Bot ", "token:Foo Bot", "rfc9309", []string{"Foo Bot"}},
		{"token:Googlebot", "token:Googlebot", "rfc9309", []string{"Googlebot"}}, // not the listed one
		{"BINGBOT", "Bingbot", "bing", []string{"BINGBOT", "msnbot"}},
	} {
		c, err := ParseCrawler(tt.in)
		if err != nil || c.Name != tt.name || c.Profile != tt.profile || !slices.Equal(c.Tokens, tt.tokens) {
			t.Errorf("%q: %+v, %v", tt.in, c, err)
		}
	}
	for _, in := range []string{"", " ", "@google", "Googlebot@", "Googlebot@baidu", "Googlebot@google@google", "token:", "token:@google", "token: ", "token:a,b", "token:a#b", "token:a\nb", "token:\x00", "token:a\xff", "token:" + strings.Repeat("x", 201), "token:MyBot@gogle"} {
		if c, err := ParseCrawler(in); err == nil {
			t.Errorf("%q: %+v", in, c)
		}
	}
	for _, c := range Crawlers() {
		if again, err := ParseCrawler(c.Name); err != nil || again.Name != c.Name {
			t.Errorf("%s is listed, and found as %+v, %v", c.Name, again, err)
		}
	}
}

// TestUnknownCrawler: what the list does not have is told, with the name that was
// probably meant, and is never taken for a product token.
func TestUnknownCrawler(t *testing.T) {
	for in, want := range map[string]string{
		"Googelbot": "Googlebot", "Google Bot!": "Googlebot", "googlebot-images": "Googlebot-Image", "Googlebot/2.1": "Googlebot",
		"Yandex": "YandexBot", "yandex-bot": "YandexBot", "Bing": "Bingbot", "GPT-Bot": "GPTBot", "Claude Bot@google": "ClaudeBot",
		"Anthropic": "anthropic-ai", "facebook": "facebookexternalhit", "Google_Extended": "Google-Extended",
		"MyBot": "", "AhrefsBot": "", "*": "", "tokn:MyBot": "", "x": "", "Googlebot,Bingbot": "",
	} {
		c, err := ParseCrawler(in)
		var unknown *UnknownCrawlerError
		if !errors.As(err, &unknown) || unknown.Meant != want {
			t.Errorf("%q: %+v, %v; want %q", in, c, err, want)
			continue
		}
		if unknown.Written != in {
			t.Errorf("%q is told as %q", in, unknown.Written)
		}
		if asked := strings.Contains(err.Error(), "did you mean "+want+"?"); asked != (want != "") || !strings.Contains(err.Error(), "token:") {
			t.Errorf("%q: %v", in, err)
		}
	}
	if _, err := ParseCrawler(strings.Repeat("x", 1<<20)); err == nil || len(err.Error()) > 1000 {
		t.Error("a name of 1 MiB")
	}
	if _, err := ParseCrawler("MyBot"); err == nil || err.Error() != `unknown crawler "MyBot": a product token that the list does not have is written token:MyBot` {
		t.Error(err)
	}
}

func TestParseProfile(t *testing.T) {
	for in, want := range map[string]string{
		"google2023": `there is no profile "google2023": did you mean google-2023?`,
		"Yandex":     `there is no profile "Yandex": did you mean yandex?`,
		"netscape":   `there is no profile "netscape": want google, google-2023, google-2019, google-oss, yandex, yandex-2016, bing, rfc9309, rep-1994`,
		"":           `there is no profile "": want google, google-2023, google-2019, google-oss, yandex, yandex-2016, bing, rfc9309, rep-1994`,
	} {
		if p, err := ParseProfile(in); err == nil || err.Error() != want {
			t.Errorf("%q: %v, %v", in, p, err)
		}
	}
	for _, p := range Profiles() {
		if found, err := ParseProfile(p.Name); found != p || err != nil {
			t.Errorf("%s: %v, %v", p.Name, found, err)
		}
	}
}

// TestDigits: a crawler whose name no product token of RFC 9309 could be still
// finds its group under rfc9309, by its full name.
func TestDigits(t *testing.T) {
	c, err := ParseCrawler("token:MJ12bot")
	if err != nil {
		t.Fatal(err)
	}
	const body = "user-agent: *\ndisallow: /a\n\nuser-agent: MJ12bot\ndisallow: /\n"
	g := mustProfile(t, "rfc9309").Parse([]byte(body)).Group(c)
	if g.Reason != Exact || g.Line != 4 {
		t.Errorf("%s, line %d", g.Reason, g.Line)
	}
	if g := mustProfile(t, "google").Parse([]byte(body)).Group(c); g.Reason != Global {
		t.Errorf("google: %s, line %d: its matcher cuts the value to MJ", g.Reason, g.Line)
	}
}
