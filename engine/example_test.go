package engine_test

import (
	"fmt"

	"robots-audit/engine"
)

func Example() {
	body := []byte(`
User-agent: *
Disallow: /search
Allow: /search/about

User-agent: Googlebot-News
Disallow: /archive
`)
	google, _ := engine.ProfileByName("google")
	robots := google.Parse(body)
	for _, name := range []string{"Googlebot", "Googlebot-News"} {
		crawler, _ := engine.ParseCrawler(name)
		group := robots.Group(crawler)
		for _, url := range []string{"https://example.com/search?q=a", "https://example.com/search/about"} {
			d := group.Verdict(url)
			fmt.Println(name, group.Reason, url, d.Verdict, d.Line())
		}
	}
	// Output:
	// Googlebot global https://example.com/search?q=a disallow 3
	// Googlebot global https://example.com/search/about allow 4
	// Googlebot-News exact https://example.com/search?q=a allow 0
	// Googlebot-News exact https://example.com/search/about allow 0
}

// The errors of a file, the crawlers concerned, and the corrected line.
func ExampleLint() {
	body := []byte("User-agent: *\nAllow: /shop\nDisallow: /*.pdf\nDisallow: private/\n")
	for _, f := range engine.Lint(body, engine.LintOptions{URL: "https://example.com/robots.txt"}) {
		fmt.Printf("%d:%d %s %s: %s %v\n", f.Line, f.Column, f.Severity, f.ID, f.What, f.Profiles)
		if f.Replacement != "" {
			fmt.Println("    " + f.Replacement)
		}
	}
	// Output:
	// 0:0 info SM006: no Sitemap line [google yandex bing rfc9309]
	// 3:11 warning RUL007: a URL such as /shop.pdf is blocked for google, bing, rfc9309, allowed for yandex (line 2: allow: /shop) [google yandex bing rfc9309]
	// 4:11 error RUL001: "private/" does not begin with "/" [google yandex bing rfc9309]
	//     Disallow: /private/
}
