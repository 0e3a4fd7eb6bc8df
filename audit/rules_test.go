package audit

import (
	"slices"
	"strings"
	"testing"
)

// Crawlers share a record of rules if all counts are equal, whatever their profiles. A single
// different count needs a separate record.
func TestRulesShared(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt": "User-agent: *\nDisallow: /p\nAllow: /p/a*b\nSitemap: http://a.example/s.xml\n\nUser-agent: own\nDisallow: /p\n",
		"a.example/s.xml":      urlset("http://a.example/p/1", "http://a.example/p/aab"),
	})
	a.Crawlers = crawlersOf(t, "Googlebot,Googlebot@rep-1994,YandexBot,token:own,Bingbot")
	var got []string
	for _, line := range story(a, t.Context(), "http://a.example")["a.example"] {
		if strings.HasPrefix(line, "rule") {
			got = append(got, line)
		}
	}
	want := []string{
		`rule [0 2 4] 2 "disallow: /p" matched 2 decided 1 frees 1 blocks 0`,
		`rule [0 2 4] 3 "allow: /p/a*b" matched 1 decided 1 frees 0 blocks 1`,
		`rule [1] 2 "disallow: /p" matched 2 decided 2 frees 2 blocks 0`,
		`rule [3] 7 "disallow: /p" matched 2 decided 2 frees 2 blocks 0`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
