package engine

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// BenchmarkLintShapes lints a file as most sites have it, one with groups of its own for some crawlers,
// one of many rules, and one as large as the largest known, for the readers that an audit has.
func BenchmarkLintShapes(b *testing.B) {
	rules := func(n int, path string) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, "Disallow: "+path+"\n", i)
		}
		return s.String()
	}
	const head = "User-agent: *\nDisallow: /blocked/\nAllow: /blocked/*.pdf$\nDisallow: /*?session=\n"
	const tail = "Sitemap: https://www.example.com/sitemap.xml\n"
	files := []struct{ name, body string }{
		{"small", head + tail},
		{"ordinary", head + rules(60, "/unused-%d/") + tail},
		{"groups", head + "\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: Googlebot\n" + rules(20, "/a/%d") + "\nUser-agent: Bingbot\nCrawl-delay: 5\n" + rules(20, "/b/*/%d") + tail},
		{"huge", head + rules(5_000, "/*/section-%d/") + rules(32_000, "/cms/one.aspx?pageId=%d") + tail},
		{"large", head + rules(8000, "/departments/page-%d/") + tail},
	}
	if name := os.Getenv("BENCH_ROBOTS"); name != "" {
		body, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		files = append(files[:0:0], struct{ name, body string }{"file", string(body)})
	}
	for _, f := range files {
		b.Run(f.name, func(b *testing.B) {
			b.SetBytes(int64(len(f.body)))
			b.ReportAllocs()
			for b.Loop() {
				Lint([]byte(f.body), LintOptions{URL: "https://www.example.com/robots.txt"})
			}
		})
	}
}
