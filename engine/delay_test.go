package engine

import "testing"

func TestCrawlDelay(t *testing.T) {
	const body = "User-agent: bingbot\nDisallow: /a\n\nUser-agent: *\nCrawl-delay: 7\nDisallow: /b\n\nUser-agent: ClaudeBot\nCrawl-delay: x\nCrawl-delay: 2.5\nDisallow: /c\n\nUser-agent: Yandex\nCrawl-delay: 1.5\n"
	for crawler, want := range map[string]float64{
		"Bingbot":                    7, // its own group has none, so that of "*" applies
		"Bingbot@google":             0,
		"ClaudeBot":                  2.5,
		"GPTBot":                     0, // has no Crawl-delay
		"Googlebot":                  0,
		"YandexBot":                  0,
		"YandexBot@yandex-2016":      1.5,
		"token:OtherBot@yandex-2016": 7,
	} {
		c := mustCrawler(t, crawler)
		if got := mustProfile(t, c.Profile).Parse([]byte(body)).Group(c).CrawlDelay; got != want {
			t.Errorf("%s: %v seconds, want %v", crawler, got, want)
		}
	}
}
