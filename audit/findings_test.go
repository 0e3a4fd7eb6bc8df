package audit

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
)

// said returns the findings of some ids about a site, as short lines, and its
// Done.
func said(t *testing.T, a *Auditor, site string, ids ...string) ([]string, *Done) {
	t.Helper()
	var list []string
	var done *Done
	robots, findings := 0, 0
	for rec := range a.All(t.Context(), Domains(strings.NewReader(site))) {
		if rec.Robots != nil {
			robots++
		}
		if rec.Findings != nil {
			findings++
			for _, f := range rec.Findings.List {
				if slices.Contains(ids, f.ID) {
					list = append(list, fmt.Sprintf("%s line %d %v %d %v %s", f.ID, f.Line, f.Severity, f.URLs, f.Samples, f.What))
				}
			}
		}
		if rec.Done != nil {
			done = rec.Done
		}
	}
	if robots != findings || done == nil {
		t.Errorf("%d robots.txt, findings about %d, done %v", robots, findings, done)
	}
	return list, done
}

// findingsOf returns the findings about a.example in words; "" = of no interest.
func findingsOf(t *testing.T, a *Auditor, say func(origin int, f *Finding) string) (list []string) {
	t.Helper()
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if rec.Findings == nil {
			continue
		}
		for i := range rec.Findings.List {
			if words := say(rec.Findings.Origin, &rec.Findings.List[i]); words != "" {
				list = append(list, words)
			}
		}
	}
	return list
}

// at makes URLs of a.example from paths.
func at(paths ...string) []string {
	var locs []string
	for _, p := range paths {
		locs = append(locs, "http://a.example"+strings.ReplaceAll(p, "&", "&amp;"))
	}
	return locs
}

// TestFindings has each id that takes URLs found where it is due, and not
// where it is not.
func TestFindings(t *testing.T) {
	many := func(form string) []string {
		var paths []string
		for i := range 10 {
			paths = append(paths, fmt.Sprintf(form, i))
		}
		return paths
	}
	for _, c := range []struct {
		id, name string
		crawlers string // "" = Googlebot,YandexBot
		robots   string // a group of * unless it names one
		urls     []string
		want     []string
	}{
		{id: "SM005", name: "a URL of the sitemap is blocked", robots: "Disallow: /p\n", urls: []string{"/p/1", "/p/2", "/q"},
			want: []string{"SM005 line 2 error 2 [http://a.example/p/1 http://a.example/p/2] this line blocks 2 URLs of the sitemaps"}},
		{id: "SM005", name: "all is allowed", robots: "Disallow: /p\n", urls: []string{"/q"}},
		{id: "SM005", name: "only a crawler that gathers for AI is kept out", crawlers: "Googlebot,GPTBot", robots: "User-agent: GPTBot\nDisallow: /\n", urls: []string{"/q"}},

		{id: "RUL013", name: "a missing slash", robots: "Disallow: /admin\n", urls: []string{"/admin/x", "/administration-guide", "/admin-team"},
			want: []string{"RUL013 line 2 warning 2 [http://a.example/administration-guide http://a.example/admin-team] /admin matches more than a directory: 2 URLs only begin with this text"}},
		{id: "RUL013", name: "files, queries and the path itself", robots: "Disallow: /admin\n", urls: []string{"/admin", "/admin/", "/admin?x", "/admin.php", "/admin2"}},
		{id: "RUL013", name: "one and many", robots: "Disallow: /product\n", urls: []string{"/product/1", "/products", "/products/1"}},
		{id: "RUL013", name: "a prefix on purpose", robots: "Disallow: /item-\nDisallow: /x/\nDisallow: /*y\nDisallow: /z$\n", urls: []string{"/item-a", "/x/a", "/aya", "/z"}},
		{id: "RUL013", name: "another rule decides", robots: "Disallow: /admin\nAllow: /administration\n", urls: []string{"/administration-guide"}},

		{id: "RUL012", name: "another case than the URLs", robots: "Disallow: /Search/\n", urls: []string{"/search/1", "/search/2", "/x"},
			want: []string{"RUL012 line 2 warning 2 [http://a.example/search/1 http://a.example/search/2] 2 URLs differ from this path only in upper and lower case, so the rule does not match"}},
		{id: "RUL012", name: "upper case in the URLs", robots: "Disallow: /search/\n", urls: []string{"/Search/1", "/x"},
			want: []string{"RUL012 line 2 warning 1 [http://a.example/Search/1] 1 URL differs from this path only in upper and lower case, so the rule does not match"}},
		{id: "RUL012", name: "both cases have their rule", robots: "Disallow: /Search/\nDisallow: /search/\n", urls: []string{"/search/1"}},
		{id: "RUL012", name: "the rule matches as it stands", robots: "Disallow: /Search/\n", urls: []string{"/search/1", "/Search/2"}},

		{id: "RUL017", name: "the parameter stands later", robots: "Disallow: /*?sort=\n", urls: []string{"/x?sort=a", "/x?page=2&sort=a", "/y?resort=a"},
			want: []string{"RUL017 line 2 warning 1 [http://a.example/x?page=2&sort=a] 1 URL has the parameter in its other place, which this rule misses"}},
		{id: "RUL017", name: "the parameter stands first", robots: "Disallow: /*&sort=\n", urls: []string{"/x?sort=a"},
			want: []string{"RUL017 line 2 warning 1 [http://a.example/x?sort=a] 1 URL has the parameter in its other place, which this rule misses"}},
		{id: "RUL017", name: "rules for both places", robots: "Disallow: /*?sort=\nDisallow: /*&sort=\n", urls: []string{"/x?sort=a", "/x?page=2&sort=a"}},
		{id: "RUL017", name: "allowed on purpose", robots: "Disallow: /*?sort=\nAllow: /x\n", urls: []string{"/x?page=2&sort=a"}},

		{id: "RUL008", name: "a rule without URLs", robots: "Disallow: /p/\nDisallow: /none/\n", urls: []string{"/p/1"},
			want: []string{"RUL008 line 3 info 0 [] matches no URL (1 was tested)"}},
		{id: "RUL008", name: "a rule that another one outdoes", robots: "Disallow: /p/\nDisallow: /p/*/x/\nAllow: /*/x/y$\n", urls: []string{"/p/1/x/y"},
			want: []string{"RUL008 line 2 info 0 [] decides no URL (1 was tested): other rules decide the 1 that it matches"}}, // RUL005 is about line 3
		{id: "RUL008", name: "many rules in one finding", robots: "Disallow: /p/\nDisallow: /p/*/x/\nAllow: /*/x/y$\nDisallow: /b/\nDisallow: /c/\nDisallow: /d/\n", urls: []string{"/p/1/x/y"},
			want: []string{"RUL008 line 2 info 0 [] 4 rules decide no URL (1 was tested): lines 2, 5, 6 and 1 more; 1 of them matches URLs that other rules decide"}},
		{id: "RUL008", name: "some with another finding", robots: "Disallow: /b/\nDisallow: /c/\nDisallow: /d/\nDisallow: /c/\n", urls: []string{"/p/1"},
			want: []string{"RUL008 line 2 info 0 [] 4 rules decide no URL (1 was tested): lines 2, 3 and 4, and 1 line with another finding"}},
		{id: "RUL008", name: "one, and some with another finding", robots: "Disallow: /c/\nDisallow: /c/\n", urls: []string{"/p/1"},
			want: []string{"RUL008 line 2 info 0 [] 2 rules decide no URL (1 was tested): line 2, and 1 line with another finding"}},
		{id: "DIR003", name: "in the group of a listed crawler that nobody asked about", robots: "User-agent: GPTBot\nDisalow: /a\n", urls: []string{"/a"},
			want: []string{"DIR003 line 2 error 0 [] \"Disalow\" is a misspelling of \"disallow\""}},
		{id: "DIR003", name: "in a * group that no tested crawler obeys", robots: "User-agent: *\nDisalow: /a\n\nUser-agent: Googlebot\nUser-agent: Bingbot\nUser-agent: Yandex\nDisallow: /b\n", urls: []string{"/a"},
			want: []string{"DIR003 line 2 error 0 [] \"Disalow\" is a misspelling of \"disallow\""}},
		{id: "GRP008", name: "a listed crawler that nobody asked about", robots: "User-agent: Claudebott\nDisallow: /a\n", urls: []string{"/a"},
			want: []string{"GRP008 line 1 warning 0 [] \"Claudebott\" is almost \"ClaudeBot\""}},
		{id: "DIR002", name: "the group of an unknown crawler", robots: "User-agent: FooBot\nCrawl-delay: 5\nDisallow: /a\n", urls: []string{"/a"}},
		{id: "YA001", name: "the group of an unknown crawler", robots: "User-agent: FooBot\nDisallow: /a\n\nDisallow: /b\n", urls: []string{"/a"}},
		{id: "RUL008", name: "a group that nobody asked about obeys", robots: "User-agent: GPTBot\nDisallow: /none/\n", urls: []string{"/p/1"}},
		{id: "RUL008", name: "no URLs", robots: "Disallow: /none/\n"},

		{id: "RUL009", name: "a shadowed rule, with its URLs", robots: "Disallow: /p/a$\nAllow: /p/a\n", urls: []string{"/p/a", "/p/ab"},
			want: []string{"RUL009 line 2 warning 1 [http://a.example/p/a] for yandex, line 3 (allow: /p/a) is stronger on every path that this rule matches"}},
		{id: "RUL009", name: "a rule with paths of its own", robots: "Disallow: /p/\nAllow: /p/a\n", urls: []string{"/p/a", "/p/b"}},
		{id: "RUL018", name: "the whole site", robots: "Disallow: /\n", urls: []string{"/", "/x"},
			want: []string{"RUL018 line 2 critical 2 [http://a.example/ http://a.example/x] the whole site is blocked for Googlebot, YandexBot"}},
		{id: "RUL018", name: "a part of it", robots: "Disallow: /x\n", urls: []string{"/", "/x"}},

		{id: "RUL007", name: "two readers of one group differ", crawlers: "Googlebot,YandexBot", robots: "Disallow: /*?sort=\nAllow: /books/\n", urls: []string{"/books/?sort=a", "/books/a?sort=a", "/x?sort=a", "/y"},
			want: []string{"RUL007 line 2 warning 2 [http://a.example/books/?sort=a http://a.example/books/a?sort=a] a URL such as /books/?sort= is blocked for google, allowed for yandex (line 3: allow: /books/). 2 URLs are affected: blocked for Googlebot (google), allowed for YandexBot (yandex)"}},
		{id: "RUL007", name: "they would differ, and no URL shows it", robots: "Disallow: /*?sort=\nAllow: /books/\n", urls: []string{"/y"},
			want: []string{"RUL007 line 2 info 0 [] a URL such as /books/?sort= is blocked for google, allowed for yandex (line 3: allow: /books/)"}},
		{id: "RUL007", name: "one crawler, two profiles", crawlers: "Googlebot,Googlebot@google-2019", robots: "User-agent: googlebot\nDisallow: /a\n", urls: []string{"/a/1", "/b"},
			want: []string{"RUL007 line 2 warning 1 [http://a.example/a/1] 1 URL gets different verdicts: blocked for Googlebot (google), allowed for Googlebot@google-2019"}},
		{id: "RUL007", name: "different groups are no matter of reading", robots: "User-agent: Googlebot\nDisallow: /a\n\nUser-agent: Yandex\nDisallow: /b\n", urls: []string{"/a", "/b"}},

		{id: "GRP005", name: "open to the crawler with its own group", robots: "User-agent: *\nDisallow: /a/\nDisallow: /b/\n\nUser-agent: Googlebot\nDisallow: /b/\n", urls: []string{"/a/1", "/a/2", "/b/1", "/c"},
			want: []string{"GRP005 line 5 warning 2 [http://a.example/a/1 http://a.example/a/2] 2 URLs that the * group blocks are open to Googlebot, which has its own group"}},
		{id: "GRP005", name: "the rules of * are repeated", robots: "User-agent: *\nDisallow: /a/\n\nUser-agent: Googlebot\nDisallow: /a/\nDisallow: /b/\n", urls: []string{"/a/1"}},

		{id: "RUL020", name: "the home page", robots: "Disallow: /$\n", urls: []string{"/x"},
			want: []string{"RUL020 line 2 error 1 [http://a.example/] the home page is blocked"}},
		{id: "RUL020", name: "said already of the whole site", robots: "Disallow: /\n", urls: []string{"/x"}},
		{id: "RUL020", name: "a crawler that gathers for AI", crawlers: "Googlebot,GPTBot", robots: "User-agent: GPTBot\nDisallow: /$\n", urls: []string{"/x"}},

		{id: "YA007", name: "blocked, and merged by Clean-param", robots: "Disallow: /p?\nClean-param: ref /p\n", urls: []string{"/p?ref=1", "/p?x=1"},
			want: []string{"YA007 line 2 warning 1 [http://a.example/p?ref=1] this line blocks 1 URL that Clean-param would merge with others"}},
		{id: "YA007", name: "not blocked", robots: "Disallow: /q\nClean-param: ref /p\n", urls: []string{"/p?ref=1"}},
		{id: "YA007", name: "allowed by a line", robots: "Disallow: /p\nAllow: /p?\nClean-param: ref /p\n", urls: []string{"/p?ref=1"}},
		{id: "YA007", name: "nobody asked about knows Clean-param", crawlers: "Googlebot,Bingbot", robots: "Disallow: /p?\nClean-param: ref /p\n", urls: []string{"/p?ref=1"}},

		{id: "YA008", name: "marks of campaigns", robots: "Disallow: /q\n", urls: many("/p?utm_source=%d&utm_medium=m"),
			want: []string{"YA008 line 0 warning 10 [http://a.example/p?utm_source=0&utm_medium=m http://a.example/p?utm_source=1&utm_medium=m http://a.example/p?utm_source=2&utm_medium=m http://a.example/p?utm_source=3&utm_medium=m http://a.example/p?utm_source=4&utm_medium=m] 10 URLs that are not blocked have the parameter utm_source and its like, which no Clean-param line names"}},
		{id: "YA008", name: "named by Clean-param", robots: "Disallow: /q\nClean-param: utm_source\n", urls: many("/p?utm_source=%d")},
		{id: "YA008", name: "a parameter that says what is shown", robots: "Disallow: /q\n", urls: many("/p?id=%d")},
		{id: "YA008", name: "a few", robots: "Disallow: /q\n", urls: many("/p?utm_source=%d")[:9]},

		{id: "RUL005", name: "adds nothing, with its URLs", robots: "Disallow: /a/\nDisallow: /a/b/\n", urls: []string{"/a/1", "/a/b/1", "/a/b/2"},
			want: []string{"RUL005 line 3 info 2 [http://a.example/a/b/1 http://a.example/a/b/2] line 2 (disallow: /a/) gives the same verdict on every path that this rule matches"}},
		{id: "RUL014", name: "another encoding, with its URLs", crawlers: "Googlebot,GPTBot", robots: "Disallow: /%61b/\n", urls: []string{"/ab/1", "/c"},
			want: []string{"RUL014 line 2 info 1 [http://a.example/ab/1] %61 is \"a\", which URLs do not encode; for google the rule does not match \"a\" in a URL"}},
		{id: "RUL014", name: "another encoding, which matches nothing", crawlers: "Googlebot", robots: "Disallow: /%61b/\n", urls: []string{"/ab/1", "/c"},
			want: []string{"RUL014 line 2 info 0 [] %61 is \"a\", which URLs do not encode; for google the rule does not match \"a\" in a URL"}},
		{id: "FET002", name: "no file is no fault", robots: "status 404", urls: []string{"/"},
			want: []string{"FET002 line 0 info 0 [] robots.txt of http://a.example returned HTTP 404"}},
		{id: "FET002", name: "a firewall is one", robots: "status 403", urls: []string{"/"},
			want: []string{"FET002 line 0 warning 0 [] robots.txt of http://a.example returned HTTP 403"}},
	} {
		t.Run(c.id+"/"+c.name, func(t *testing.T) {
			robots := c.robots
			if !strings.HasPrefix(robots, "User-agent") && !strings.HasPrefix(robots, "status") {
				robots = "User-agent: *\n" + robots
			}
			a := world(t, map[string]string{"a.example/robots.txt": robots, "a.example/sitemap.xml": urlset(at(c.urls...)...)})
			if c.crawlers != "" {
				a.Crawlers = crawlersOf(t, c.crawlers)
			}
			got, _ := said(t, a, "http://a.example", c.id)
			checkEqual(t, robots, got, c.want)
		})
	}
}

// TestBlockingLines: whether a line should block URLs of sitemaps is decided before small edits of it.
func TestBlockingLines(t *testing.T) {
	a := world(t, map[string]string{"a.example/robots.txt": "User-agent: *\nDisallow: /p*\nDisallow: /q*\n", "a.example/sitemap.xml": urlset("http://a.example/p1")})
	got := findingsOf(t, a, func(_ int, f *Finding) string {
		if f.ID != "RUL004" {
			return ""
		}
		return fmt.Sprintf("line %d: %s %s %v", f.Line, f.Fix, f.Replacement, f.Harmless)
	})
	checkEqual(t, "edits", got, []string{"line 2: First decide whether the line should block URLs of sitemaps.  false", `line 3: Write "/q". The same URLs stay blocked. Disallow: /q true`})
}

// TestFindingsOfSitemaps finds sitemaps that are empty files, cannot be read, or are blocked for
// crawlers.
func TestFindingsOfSitemaps(t *testing.T) {
	index := `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>http://a.example/closed/1.xml</loc></sitemap><sitemap><loc>http://a.example/open/2.xml</loc></sitemap></sitemapindex>`
	a := world(t, map[string]string{
		"a.example/robots.txt":     "User-agent: *\nDisallow: /closed/\n\nSitemap: http://a.example/index.xml\nSitemap: http://a.example/closed/own.xml\nSitemap: http://a.example/none.xml\nSitemap: http://a.example/index.xml\nSitemap: http://a.example/nothing.xml\nSitemap: http://a.example/page.html\nSitemap: http://a.example/empty.xml\n",
		"a.example/index.xml":      index,
		"a.example/closed/1.xml":   urlset("http://a.example/1"),
		"a.example/open/2.xml":     urlset("http://a.example/2"),
		"a.example/closed/own.xml": urlset("http://a.example/3"),
		"a.example/empty.xml":      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>`,
		"a.example/page.html":      "<!doctype html><html><body>no sitemap</body></html>",
		"a.example/nothing.xml":    " ",
		"b.example/robots.txt":     "User-agent: *\nDisallow: /closed/\nSitemap: http://b.example/s.xml\n",
		"b.example/s.xml":          urlset("http://b.example/1"),
		"c.example/robots.txt":     "User-agent: *\nDisallow: /closed/\n",
	})
	ids := []string{"SM002", "SM003", "SM006", "SM007", "SM017"}
	got, _ := said(t, a, "http://a.example", ids...)
	want := []string{
		"SM002 line 2 error 1 [http://a.example/closed/1.xml] this line blocks 1 sitemap",
		"SM002 line 5 error 0 [] line 2 (disallow: /closed/) blocks this sitemap",
		"SM003 line 6 warning 1 [http://a.example/none.xml] 1 sitemap: HTTP 404 Not Found",
		"SM007 line 7 info 0 [] the same sitemap as in line 4",
		"SM017 line 8 warning 1 [http://a.example/nothing.xml] 1 sitemap file is empty",
		"SM003 line 9 warning 1 [http://a.example/page.html] 1 sitemap: not a sitemap, but for example an HTML page",
		"SM017 line 10 warning 1 [http://a.example/empty.xml] 1 sitemap has no entries",
	}
	checkEqual(t, "findings", got, want)
	if got, _ := said(t, a, "http://b.example", ids...); got != nil {
		t.Errorf("a site without fault: %q", got)
	}
	got, _ = said(t, a, "http://c.example", ids...)
	checkEqual(t, "findings", got, []string{"SM006 line 0 info 0 [] no Sitemap line"})
}

// TestFindingsInSitemaps finds sitemaps that strict parsers refuse, and invalid entries. URLs
// outside a sitemap's directory are valid if the robots.txt of their host names the sitemap.
func TestFindingsInSitemaps(t *testing.T) {
	const head, tail = "<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n", "</urlset>"
	a := world(t, map[string]string{
		"a.example/robots.txt":  "User-agent: *\nDisallow: /x\n\nSitemap: http://a.example/index.xml\nSitemap: http://a.example/s/own.xml\nSitemap: http://b.example/s/other.xml\n",
		"a.example/index.xml":   `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>http://a.example/s/1.xml</sitemap><sitemap><loc>http://a.example/s/2.xml</loc></sitemap></sitemapindex>`,
		"a.example/s/1.xml":     head + "<url><loc>http://a.example/?a=1&b=2</loc></url>" + tail,
		"a.example/s/2.xml":     head + "<url><loc>http://a.example/1</loc><image:image/></url>" + tail,
		"a.example/s/own.xml":   head + "<url><loc>http://a.example/2</loc><lastmod>yesterday</lastmod></url><url/>" + tail,
		"b.example/s/other.xml": head + "<url><loc>http://b.example/1</loc></url>" + tail,
		"b.example/robots.txt":  "User-agent: *\nDisallow: /x\n",
	})
	got, _ := said(t, a, "http://a.example", "SM008", "SM009", "SM019", "SM023", "SM025")
	want := []string{
		"SM008 line 0 error 2 [http://a.example/s/1.xml http://a.example/s/2.xml] 2 sitemaps are not well-formed XML. Strict parsers stop in the first in line 3, byte 117: an '&' that is not part of a reference: write &amp;",
		"SM025 line 0 warning 1 [http://a.example/1 (no loc)] 1 image has no loc, such as http://a.example/1 (no loc), in http://a.example/s/2.xml",
		"SM009 line 4 warning 1 [http://a.example/s/1.xml] 1 entry has its URL outside of loc, such as http://a.example/s/1.xml, in http://a.example/index.xml",
		"SM009 line 5 warning 1 [] 1 entry has no URL, in http://a.example/s/own.xml",
		"SM023 line 5 warning 1 [yesterday] 1 lastmod is not a W3C datetime, such as yesterday, in http://a.example/s/own.xml",
		"SM019 line 6 warning 1 [http://b.example/1] 1 URL is outside the directory of its sitemap, such as http://b.example/1, in http://b.example/s/other.xml",
	}
	checkEqual(t, "findings", got, want)
}

// TestFindingsOfPages looks at what pages and sitemaps point to, and at pages
// whose noindex no crawler may see.
func TestFindingsOfPages(t *testing.T) {
	page := func(head, body string) string {
		return "<!doctype html><html><head>" + head + "</head><body>" + body + "</body></html>"
	}
	a := world(t, map[string]string{
		"a.example/robots.txt": "User-agent: *\nDisallow: /old/\nDisallow: /de/\nDisallow: /hidden\n\nUser-agent: robots-audit\nDisallow: /moved/\n",
		"a.example/sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
<url><loc>http://a.example/en/</loc><xhtml:link rel="alternate" hreflang="de" href="http://a.example/de/"/><xhtml:link rel="alternate" hreflang="en" href="http://a.example/en/"/></url></urlset>`,
		"a.example/":       page(`<link rel="stylesheet" href="/old/a.css"><link rel="stylesheet" href="/ok.css"><script src="/old/a.js"></script><link rel="alternate" hreflang="fr" href="/de/fr">`, `<img src="/old/a.png"><a href="/one">1</a><a href="/hidden">2</a><a href="/open">3</a><a href="/leads">4</a>`),
		"a.example/one":    page(`<link rel="canonical" href="/old/one"><script src="/old/a.js"></script>`, ""),
		"a.example/open":   page(`<meta name="robots" content="noindex"><link rel="canonical" href="/one">`, ""),
		"a.example/hidden": page(`<meta name="robots" content="noindex">`, ""),
		"a.example/leads":  "redirect http://a.example/moved/x",
	})
	a.Links = &crawl.LinkBudget{Pages: 10, Depth: 2}
	got, _ := said(t, a, "http://a.example", "RUL019", "RUL020", "RUL021")
	want := []string{
		"RUL019 line 2 error 1 [http://a.example/old/a.css] this line blocks 1 style sheet that pages need to be rendered",
		"RUL019 line 2 error 1 [http://a.example/old/a.js] this line blocks 1 script that pages need to be rendered",
		"RUL020 line 2 error 1 [http://a.example/old/one] this line blocks 1 canonical page",
		"RUL020 line 3 error 2 [http://a.example/de/ http://a.example/de/fr] this line blocks 2 hreflang alternates",
		"RUL021 line 4 warning 1 [http://a.example/hidden] this line blocks 1 page with noindex",
	}
	checkEqual(t, "findings", got, want)
	a = world(t, map[string]string{
		"a.example/robots.txt":  "User-agent: *\nDisallow: /moved/\n",
		"a.example/sitemap.xml": urlset("http://a.example/one"),
		"a.example/":            page("", `<a href="/leads">4</a>`),
		"a.example/leads":       "redirect http://a.example/moved/x",
	})
	a.Links = &crawl.LinkBudget{Pages: 10, Depth: 2}
	got, _ = said(t, a, "http://a.example", "RUL020", "RUL021")
	checkEqual(t, "findings", got, []string{"RUL020 line 2 error 1 [http://a.example/moved/x] this line blocks 1 redirect target"})
}

// TestRedirectToBlocked says that a home page, or a page of a sitemap, redirects to a blocked URL, though
// all URLs found are allowed.
func TestRedirectToBlocked(t *testing.T) {
	for name, c := range map[string]struct {
		robots, home, one string
		state             State
		lead              string
		want              []string
	}{
		"home page": {"User-agent: *\nDisallow: /server/10/\n", "redirect http://a.example/latest/", "", Warn,
			"The home page redirects to http://a.example/server/10/, which line 2 blocks for Googlebot and YandexBot.",
			[]string{"RUL020 line 2 error 1 [http://a.example/server/10/] the home page redirects to a URL that this line blocks"}},
		"page of a sitemap": {"User-agent: Googlebot\nDisallow: /server/\n", "<html><a href=/one>1</a></html>", "redirect http://a.example/latest/", Warn,
			"1 page in sitemaps redirects to a blocked URL.",
			[]string{"RUL020 line 2 error 1 [http://a.example/server/10/] this line blocks 1 redirect target"}},
		"home page on another host": {"User-agent: *\nDisallow: /server/10/\n", "redirect http://www.a.example/", "", Warn,
			"The home page redirects to http://www.a.example/, which line 2 blocks for Googlebot and YandexBot.",
			[]string{"RUL020 line 2 error 1 [http://www.a.example/] the home page redirects to a URL that this line blocks"}},
		"allowed": {"User-agent: *\nDisallow: /server/9/\n", "redirect http://a.example/latest/", "redirect http://a.example/latest/", OK,
			"The only URL found is allowed for every crawler tested.", nil},
		"only other crawlers": {"User-agent: GPTBot\nDisallow: /server/10/\n", "redirect http://a.example/latest/", "", OK,
			"The only URL found is allowed for every crawler tested.", nil},
	} {
		a := world(t, map[string]string{
			"a.example/robots.txt": c.robots, "a.example/sitemap.xml": urlset("http://a.example/one"), "a.example/": c.home, "a.example/one": cmp.Or(c.one, "<html></html>"),
			"a.example/latest/": "redirect http://a.example/server/10/", "a.example/server/10/": "<html></html>",
			"www.a.example/robots.txt": "User-agent: *\nDisallow: /\n", "www.a.example/": "<html></html>",
		})
		a.Links = &crawl.LinkBudget{Pages: 10, Depth: 2}
		got, done := said(t, a, "http://a.example", "RUL020")
		checkEqual(t, name, got, c.want)
		if done.State != c.state || !strings.HasPrefix(done.Why, c.lead) {
			t.Errorf("%s: %s: %s", name, done.State, done.Why)
		}
	}
}

// TestRedirectedSitemap says that a sitemap redirects to a URL that is blocked, as if the site named that one.
func TestRedirectedSitemap(t *testing.T) {
	for to, want := range map[string][]string{
		"/private/s.xml": {"SM002 line 2 error 1 [http://a.example/private/s.xml] this line blocks 1 sitemap"},
		"/public/s.xml":  nil,
	} {
		a := world(t, map[string]string{
			"a.example/robots.txt":    "User-agent: *\nDisallow: /private/\nSitemap: http://a.example/s.xml\n",
			"a.example/s.xml":         "redirect /hop",
			"a.example/hop":           "redirect " + to,
			"a.example/private/s.xml": urlset("http://a.example/one"), "a.example/public/s.xml": urlset("http://a.example/one"),
		})
		got, done := said(t, a, "http://a.example", "SM002")
		checkEqual(t, to, got, want)
		if lead := "The only URL found is allowed for every crawler tested"; done.Why != lead+"." && want == nil || done.Why != lead+", but the sitemap is blocked from crawling." && want != nil {
			t.Errorf("%s: %s", done.State, done.Why)
		}
	}
}

// TestFindingsState checks that blocked URLs and changed verdicts decide a site's state, and not
// the severity of a finding that changes no verdict.
func TestFindingsState(t *testing.T) {
	a := world(t, map[string]string{
		"ok.example/robots.txt":        "User-agent: *\nDisallow: /none/\nSitemap: http://ok.example/s.xml\n",
		"ok.example/s.xml":             urlset("http://ok.example/"),
		"warn.example/robots.txt":      "User-agent: *\nDisallow: /a/\nNoindex: /b/\nSitemap: http://warn.example/s.xml\n",
		"warn.example/s.xml":           urlset("http://warn.example/"),
		"critical.example/robots.txt":  "User-agent: *\nDisallow: /\nAllow: /$\n\nUser-agent: Googlebot\nDisallow: /\n",
		"critical.example/s.xml":       urlset("http://critical.example/"),
		"image.example/robots.txt":     "User-agent: *\nDisallow: /none/\nSitemap: http://image.example/s.xml\n",
		"image.example/s.xml":          urlset("http://image.example/", "http://cdn.image.example/1"),
		"cdn.image.example/robots.txt": "User-agent: *\nNoindex: /x\nDisallow: /none/\n",
	})
	for site, want := range map[string]struct {
		state State
		why   string
		count Severities
	}{
		"ok":       {OK, "allowed for every crawler", Severities{Info: 1}},
		"warn":     {OK, "The only URL found is allowed for every crawler tested.", Severities{Warning: 1, Info: 1}},
		"critical": {Critical, "Everything on this site is blocked for Googlebot (no URL was found). Line 6 `Disallow: /` blocks it. Nothing is blocked for YandexBot. Is this intended?", Severities{Critical: 1, Warning: 1, Info: 1}},
		"image":    {OK, "allowed for every crawler", Severities{Warning: 2, Info: 3}}, // the CDN's file is not the site's
	} {
		_, done := said(t, a, "http://"+site+".example")
		if done.State != want.state || !strings.Contains(done.Why, want.why) || *done.Findings != want.count {
			t.Errorf("%s: %s: %s, %+v; want %s: %s, %+v", site, done.State, done.Why, *done.Findings, want.state, want.why, want.count)
		}
	}
}

// TestFindingsCount compares the URLs of SM005 with the yielded ones, and checks that the memory
// for a site with many rules and blocked URLs is bounded.
func TestFindingsCount(t *testing.T) {
	var robots strings.Builder
	robots.WriteString("User-agent: *\n")
	for i := range 3000 {
		fmt.Fprintf(&robots, "Disallow: /d%dx\n", i)
	}
	var locs []string
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20000 {
		locs = append(locs, fmt.Sprintf("http://a.example/d%dx%s%d", r.IntN(4000), []string{"/", "yz-", "?q="}[i%3], i))
	}
	a := world(t, map[string]string{"a.example/robots.txt": robots.String(), "a.example/sitemap.xml": urlset(locs...)})
	blocked, beyond := map[int]int64{}, map[int]int64{}
	var found []Finding
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if rec.URLs != nil {
			for _, u := range rec.URLs.List {
				if line := int(u.Lines[0]); line > 0 {
					blocked[line]++
					if strings.Contains(u.Loc, "yz-") {
						beyond[line]++
					}
				}
			}
		}
		if rec.Findings != nil {
			found = rec.Findings.List
		}
	}
	kept := map[string]int{}
	for _, f := range found {
		kept[f.ID] += 1
		want := blocked[f.Line]
		if f.ID == "RUL013" {
			want = beyond[f.Line]
		}
		if f.ID == "SM005" || f.ID == "RUL013" {
			if f.URLs != want || len(f.Samples) != int(min(want, findings.MaxSamples)) {
				t.Errorf("%s in line %d: %d URLs, %d samples, want %d", f.ID, f.Line, f.URLs, len(f.Samples), want)
			}
		}
	}
	if kept["SM005"] != findings.MaxFindings || kept["RUL013"] != findings.MaxFindings {
		t.Errorf("kept %v", kept)
	}
	more := 0
	for _, f := range found {
		if f.ID == "SM005" {
			more += f.More
		}
	}
	if more != len(blocked)-findings.MaxFindings {
		t.Errorf("%d lines block URLs, %d are told of and %d more", len(blocked), findings.MaxFindings, more)
	}
}

// TestSaidOnce reports a file that two origins share only once, but counts the URLs of both.
func TestSaidOnce(t *testing.T) {
	file := "User-agent: *\nDisallow: /a/\nNoindex: /b/\nSitemap: http://a.example/s.xml\n"
	a := world(t, map[string]string{
		"a.example/robots.txt":     file,
		"www.a.example/robots.txt": file,
		"a.example/s.xml":          urlset("http://a.example/a/1", "http://www.a.example/a/1"),
	})
	got := findingsOf(t, a, func(origin int, f *Finding) string { return fmt.Sprintf("%d %s %d", origin, f.ID, f.URLs) })
	checkEqual(t, "findings", got, []string{"0 SM005 1", "0 DIR001 0", "1 SM005 1"})
}

// TestFindingsOfTwins compares the robots.txt of a site with those of its
// other addresses, and with what other askers get.
func TestFindingsOfTwins(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt":         "User-agent: *\nDisallow: /x\nSitemap: http://a.example/s.xml\n",
		"a.example/s.xml":              urlset("http://a.example/1", "http://www.a.example/1", "http://cdn.a.example/1"),
		"www.a.example/robots.txt":     "status 404",
		"cdn.a.example/robots.txt":     "User-agent: *\nDisallow: /y\n",
		"same.example/robots.txt":      "User-agent: *\nDisallow: /x\nSitemap: http://same.example/s.xml\n",
		"www.same.example/robots.txt":  "User-agent: *\nDisallow: /x\nSitemap: http://same.example/s.xml\n",
		"same.example/s.xml":           urlset("http://same.example/1", "http://www.same.example/1"),
		"asker.example/robots.txt":     "User-agent: *\nDisallow: /x\n",
		"www.asker.example/robots.txt": "User-agent: *\nDisallow: /y\n",
	})
	got, _ := said(t, a, "http://a.example", "FET008", "FET009")
	if len(got) != 1 || !strings.HasPrefix(got[0], "FET009 line 0 warning 0 [http://www.a.example/robots.txt] robots.txt differs: HTTP 404 Not Found at another address, HTTP 200 with 59 bytes at http://a.example") {
		t.Errorf("%q", got)
	}
	if got, _ := said(t, a, "http://same.example", "FET008", "FET009"); got != nil {
		t.Errorf("%q", got)
	}
	a.SecondLook = &crawl.Variants{UserAgents: []string{"Else/1.0"}, WWW: true}
	got, _ = said(t, a, "http://asker.example", "FET008", "FET009")
	if len(got) != 1 || !strings.HasPrefix(got[0], "FET009 line 0 warning 0 [http://www.asker.example/robots.txt] robots.txt differs: other content at another address, HTTP 200 with 27 bytes at http://asker.example") {
		t.Errorf("%q", got)
	}

	a.Client = served(t, "Googlebot", func(w http.ResponseWriter, r *http.Request) {
		if r.UserAgent() == "Else/1.0" && r.Host == "wall.example" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		io.WriteString(w, "User-agent: *\nDisallow: /x\n")
	}).Client
	got, _ = said(t, a, "http://wall.example", "FET008")
	if len(got) != 1 || !strings.HasPrefix(got[0], "FET008 line 0 warning 0 [http://wall.example/robots.txt] robots.txt depends on the User-Agent: ") || !strings.Contains(got[0], "403") {
		t.Errorf("%q", got)
	}
	if got, _ := said(t, a, "http://open.example", "FET008"); got != nil {
		t.Errorf("%q", got)
	}
}

// TestSitemapBlockedElsewhere has a finding for a sitemap that the robots.txt of its own host blocks, whether by
// its path or with the whole host.
func TestSitemapBlockedElsewhere(t *testing.T) {
	const finding = "SM002 line 2 error 1 [http://maps.example/private/s.xml] this line blocks 1 sitemap"
	for rule, want := range map[string]string{"/private/": finding, "/": finding, "/x": ""} {
		a := world(t, map[string]string{
			"a.example/robots.txt": "User-agent: *\nDisallow: /x\nSitemap: http://maps.example/private/s.xml\n", "a.example/": "<html></html>",
			"maps.example/robots.txt": "User-agent: *\nDisallow: " + rule + "\n", "maps.example/private/s.xml": urlset("http://a.example/one"),
		})
		got, _ := said(t, a, "http://a.example", "SM002")
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}
