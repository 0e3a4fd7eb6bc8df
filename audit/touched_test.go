package audit

import (
	"fmt"
	"testing"
)

// touched returns the counted findings of an id about a.example as short lines.
func touched(t *testing.T, crawlers, id string, files map[string]string) []string {
	t.Helper()
	a := world(t, files)
	a.Crawlers = crawlersOf(t, crawlers)
	return findingsOf(t, a, func(origin int, f *Finding) string {
		words := "not counted"
		switch {
		case f.ID != id:
			return ""
		case f.Counted:
			words = fmt.Sprintf("%d %s", f.URLs, f.Touched)
		}
		return fmt.Sprintf("line %d %v of %d: %s: %s", f.Line, f.Severity, origin, words, f.What)
	})
}

// TestTouched counts each URL once, for any number of crawlers, lines or entries, and checks which
// URLs they are.
func TestTouched(t *testing.T) {
	repeated := func(n int, form string) (paths []string) {
		for i := range n {
			paths = append(paths, fmt.Sprintf(form, i))
		}
		return paths
	}
	for _, c := range []struct {
		id, name, crawlers, robots string
		urls                       []string
		want                       []string
	}{
		{"RUL007", "one URL for four crawlers", "Googlebot,Bingbot@google,YandexBot,DuckDuckBot@yandex", "Disallow: /*?sort=\nAllow: /books/\n",
			[]string{"/books/?sort=a", "/books/a?sort=a", "/x"},
			[]string{`line 2 warning of 0: 2 with different verdicts for crawlers that should agree: a URL such as /books/?sort= is blocked for google, allowed for yandex (line 3: allow: /books/). 2 URLs are affected: blocked for Googlebot (google) and Bingbot@google, allowed for YandexBot (yandex) and DuckDuckBot@yandex`}},
		{"RUL007", "in two ways", "Googlebot,Googlebot@google-2019,Googlebot@rep-1994", "Allow: /page\nDisallow: /*.htm\n", []string{"/page", "/page.htm", "/other.htm", "/other.html"},
			[]string{`line 3 warning of 0: 3 with different verdicts for crawlers that should agree: a URL such as /page.htm is blocked for google, undefined for google-2019 (line 2: allow: /page). 3 URLs are affected: 2: blocked for Googlebot (google) and Googlebot@google-2019, allowed for Googlebot@rep-1994; 1: blocked for Googlebot (google), allowed for Googlebot@rep-1994, undefined for Googlebot@google-2019`}},
		{"RUL001", "all of its lines, each URL once", "Googlebot,Bingbot,YandexBot", "Disallow: *a\nDisallow: *b\nDisallow: /c\n", []string{"/a", "/b", "/ab", "/c", "/d"},
			[]string{`line 2 info of 0: 3 decided by one of the 2 lines: 2 paths begin with "*"`}},
		{"RUL003", "blocks nothing", "Googlebot,YandexBot", "Disallow:\n", []string{"/a", "/b"},
			[]string{"line 2 info of 0: not counted: an empty Disallow blocks nothing"}},
		{"RUL003", "blocks everything", "YandexBot@yandex-2016", "Allow:\n", []string{"/a", "/b"},
			[]string{"line 2 error of 0: 2 decided by this line: an empty Allow blocks the whole site"}},
		{"RUL005", "decides some of what it matches", "Googlebot", "Disallow: /a/\nDisallow: /a/b/\nAllow: /a/b/c/\n", []string{"/a/b/1", "/a/b/c/1", "/a/x"},
			[]string{"line 3 info of 0: 2 matched by this line, which changes no verdict: line 2 (disallow: /a/) gives the same verdict on every path that this rule matches"}},
		{"RUL009", "never decides", "YandexBot", "Disallow: /p/a$\nAllow: /p/a\n", []string{"/p/a", "/p/ab"},
			[]string{"line 2 warning of 0: 1 matched by this line, which changes no verdict: line 3 (allow: /p/a) is stronger on every path that this rule matches"}},
		{"RUL006", "never decides", "Googlebot,Bingbot", "Disallow: /a/\nAllow: /a/\n", []string{"/a/1", "/a/2", "/b"},
			[]string{"line 2 warning of 0: 2 matched by this line, which changes no verdict: line 3 (allow: /a/) matches the same paths and wins"}},
		{"RUL012", "one URL for two crawlers", "Googlebot,YandexBot,Bingbot", "Disallow: /Search/\n", []string{"/search/1", "/search/2"},
			[]string{"line 2 warning of 0: 2 matched by this line if case did not count: 2 URLs differ from this path only in upper and lower case, so the rule does not match"}},
		{"RUL012", "of many URLs only some are looked at", "Googlebot", "Disallow: /Search/\n", repeated(3000, "/search/%d"),
			[]string{"line 2 warning of 0: 2107 at least: matched by this line if case did not count: at least 2,107 URLs differ from this path only in upper and lower case, so the rule does not match"}},
		{"RUL017", "one URL for two crawlers", "Googlebot,YandexBot,Bingbot", "Disallow: /*?sort=\n", []string{"/x?a=1&sort=2"},
			[]string{"line 2 warning of 0: 1 with the parameter in its other place: 1 URL has the parameter in its other place, which this rule misses"}},
		{"YA008", "a parameter that a URL has twice", "YandexBot", "Disallow: /q\n", repeated(10, "/p?sid=%d&SID=2"),
			[]string{"line 0 warning of 0: 10 not blocked, with this parameter: 10 URLs that are not blocked have the parameter sid, which no Clean-param line names"}},
		{"RUL008", "crawlers for which a rule matches more and less", "Googlebot,Googlebot@rep-1994", "Allow: /books/\nDisallow: /*?q\n", []string{"/books/?q=1", "/b"},
			[]string{"line 3 info of 0: 0 decided by this line: decides none of 2 URLs: other rules decide the 1 that it matches for Googlebot"}},
	} {
		t.Run(c.id+"/"+c.name, func(t *testing.T) {
			got := touched(t, c.crawlers, c.id, map[string]string{"a.example/robots.txt": "User-agent: *\n" + c.robots, "a.example/sitemap.xml": urlset(at(c.urls...)...)})
			checkEqual(t, c.robots, got, c.want)
		})
	}
}

// TestBlockedByEach reports URLs that two lines block for two crawlers at both lines.
func TestBlockedByEach(t *testing.T) {
	files := map[string]string{
		"a.example/robots.txt": "User-agent: Googlebot\nDisallow: /b/\n\nUser-agent: YandexBot\nDisallow: /b\nDisallow: /none/\n\nSitemap: http://a.example/index.xml\n",
		"a.example/index.xml":  `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>http://a.example/b/1.xml</loc></sitemap></sitemapindex>`,
		"a.example/b/1.xml":    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><loc>http://a.example/</loc><xhtml:link rel="alternate" hreflang="de" href="http://a.example/b/de"/><xhtml:link rel="alternate" hreflang="fr" href="http://a.example/bis"/></url></urlset>`,
	}
	for id, want := range map[string][]string{
		"RUL020": {
			"line 2 error of 0: 1 blocked by this line: this line blocks 1 hreflang alternate",
			"line 5 error of 0: 2 blocked by this line: this line blocks 2 hreflang alternates",
		},
		"SM002": {
			"line 2 error of 0: 1 sitemaps blocked by this line: this line blocks 1 sitemap",
			"line 5 error of 0: 1 sitemaps blocked by this line: this line blocks 1 sitemap",
		},
	} {
		checkEqual(t, "findings", touched(t, "Googlebot,YandexBot,Bingbot", id, files), want)
	}
}

// TestFlipsOfRepeatedFile reports a fault again if it changes verdicts: at the origin that has the
// URLs.
func TestFlipsOfRepeatedFile(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt":      "User-agent: *\nDisallow: shop/\nSitemap: http://a.example/sitemap.xml\n",
		"cdn.a.example/robots.txt":  "User-agent: *\nDisallow: shop/\nSitemap: http://a.example/sitemap.xml\n",
		"blog.a.example/robots.txt": "User-agent: *\nDisallow: shop/\nSitemap: http://a.example/sitemap.xml\n",
		"a.example/sitemap.xml":     urlset("http://a.example/", "http://cdn.a.example/shop/1", "http://blog.a.example/1"),
	})
	got := findingsOf(t, a, func(origin int, f *Finding) string {
		if f.ID != "RUL001" {
			return ""
		}
		return fmt.Sprintf("%d: %d %v", origin, f.Flips, f.FlipsKnown)
	})
	checkEqual(t, "findings", got, []string{"0: 0 true", "1: 1 true"})
}

// TestFlips has findings say how many known URLs have another verdict for their fault,
// and whether that is known.
func TestFlips(t *testing.T) {
	urls := []string{"/", "/shop/1", "/shop/2", "/blog/1", "/Blog/2", "/x?a=1&s=2"}
	for _, c := range []struct {
		id, name, crawlers, robots string
		want                       []string // "line flips known"
	}{
		{"RUL001", "a rule that would block some", "Googlebot", "User-agent: *\nDisallow: shop/\n", []string{"2: 2 true"}},
		{"RUL001", "each by itself", "Googlebot", "User-agent: *\nDisallow: shop/\nDisallow: none/\nDisallow: blog\n", []string{"2: 2 true", "3: 0 true", "4: 1 true"}},
		{"RUL001", "more than are tested", "Googlebot", "User-agent: *\nDisallow: a/\nDisallow: b/\nDisallow: c/\nDisallow: d/\nDisallow: shop/\n", []string{"2: 0 true", "3: 0 true", "4: 0 true", "5: 0 true", "6: 0 false"}},
		{"RUL001", "where it is not known what is meant", "Googlebot", "User-agent: *\nDisallow: {{url}}\n", []string{"2: 0 false"}},
		{"RUL001", "where it changes nothing", "Googlebot", "User-agent: *\nAllow: shop/\nDisallow: /a\n", []string{"2: 0 true"}},
		{"DIR003", "a field misspelt, to who goes by the name", "Bingbot", "User-agent: *\nDisalow: /shop/1\nDisallow: /c\n", []string{"2: 1 true"}},
		{"DIR003", "for one of two crawlers, each URL once", "Bingbot,YandexBot", "User-agent: *\nDisalow: /shop/\nDisallow: /c\n", []string{"2: 2 true"}},
		{"GRP001", "rules without a group", "Googlebot", "Disallow: /shop/\nDisallow: /blog/\nUser-agent: *\nDisallow: /c\n", []string{"1: 3 true"}},
		{"GRP005", "a group that opens all", "Googlebot", "User-agent: *\nDisallow: /shop/\n\nUser-agent: Googlebot\nAllow: /\n", []string{"4: 2 true"}},
		{"RUL018", "the whole site", "Googlebot", "User-agent: *\nDisallow: /\nDisallow: /shop/\n", []string{"2: 4 true"}},
		{"RUL005", "nothing", "Googlebot", "User-agent: *\nDisallow: /shop/\nDisallow: /shop/1\n", []string{"3: 0 true"}},
		{"RUL008", "nothing", "Googlebot", "User-agent: *\nDisallow: /none/\n", []string{"2: 0 true"}},
		{"RUL012", "case", "Googlebot", "User-agent: *\nDisallow: /SHOP/\n", []string{"2: 2 true"}},
	} {
		t.Run(c.id+"/"+c.name, func(t *testing.T) {
			a := world(t, map[string]string{"a.example/robots.txt": c.robots, "a.example/sitemap.xml": urlset(at(urls...)...)})
			a.Crawlers = crawlersOf(t, c.crawlers)
			got := findingsOf(t, a, func(_ int, f *Finding) string {
				if f.ID != c.id {
					return ""
				}
				return fmt.Sprintf("%d: %d %v", f.Line, f.Flips, f.FlipsKnown)
			})
			checkEqual(t, c.robots, got, c.want)
		})
	}
}
