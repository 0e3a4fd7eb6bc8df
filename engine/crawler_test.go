package engine

import (
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
		{"Bingbot", "Bingbot", "rfc9309", []string{"Bingbot"}},
		{"YandexBot", "YandexBot", "yandex", []string{"YandexBot", "Yandex"}},
		{"YandexMetrika/4.0", "YandexMetrika/4.0", "yandex", []string{"YandexMetrika"}},
		{" MJ12bot ", "MJ12bot", "rfc9309", []string{"MJ12bot"}},
		{"FooBot@yandex", "FooBot", "yandex", []string{"FooBot"}},
	} {
		c, err := ParseCrawler(tt.in)
		if err != nil || c.Name != tt.name || c.Profile != tt.profile || !slices.Equal(c.Tokens, tt.tokens) {
			t.Errorf("%q: %+v, %v", tt.in, c, err)
		}
	}
	for _, in := range []string{"", " ", "@google", "Googlebot@", "Googlebot@bing", "Googlebot@google@google"} {
		if c, err := ParseCrawler(in); err == nil {
			t.Errorf("%q: %+v", in, c)
		}
	}
}

// TestDigits: a crawler whose name no product token of RFC 9309 could be still
// finds its group under rfc9309, by its full name.
func TestDigits(t *testing.T) {
	c, err := ParseCrawler("MJ12bot")
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
