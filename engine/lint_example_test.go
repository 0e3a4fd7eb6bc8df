package engine_test

import (
	"fmt"

	"robots-audit/engine"
)

// What is wrong with a file, for whom, and how the line should be.
func ExampleLint() {
	body := []byte("User-agent: *\nAllow: /shop\nDisallow: /*.pdf\nDisallow: private/\n")
	for _, f := range engine.Lint(body, engine.LintOptions{URL: "https://example.com/robots.txt"}) {
		fmt.Printf("%d:%d %s %s: %s %v\n", f.Line, f.Column, f.Severity, f.ID, f.What, f.Profiles)
		if f.Replacement != "" {
			fmt.Println("    " + f.Replacement)
		}
	}
	// Output:
	// 0:0 info SM006: no sitemap line [google yandex bing rfc9309]
	// 3:11 warning RUL007: /shop.pdf is blocked by google, bing, rfc9309, allowed by yandex (line 2: allow: /shop) [google yandex bing rfc9309]
	// 4:11 error RUL001: "private/" does not begin with "/" [google yandex bing rfc9309]
	//     Disallow: /private/
}
