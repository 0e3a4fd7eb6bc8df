package audit

import (
	"strings"
	"testing"

	"robots-audit/crawl"
)

// hreflangEntries are a sitemap of entries "URL: code=URL code=URL", with paths of a.example.
func hreflangEntries(lines ...string) string {
	const at = "http://a.example"
	var b strings.Builder
	b.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">`)
	for _, line := range lines {
		loc, links, _ := strings.Cut(line, ":")
		b.WriteString("<url><loc>" + at + loc + "</loc>")
		for link := range strings.FieldsSeq(links) {
			lang, url, _ := strings.Cut(link, "=")
			if strings.HasPrefix(url, "/") {
				url = at + url
			}
			b.WriteString(`<xhtml:link rel="alternate" hreflang="` + lang + `" href="` + url + `"/>`)
		}
		b.WriteString("</url>")
	}
	return b.String() + "</urlset>"
}

// Each fault of hreflang is a finding, and its nearest correct form is none.
func TestHreflang(t *testing.T) {
	const robots = "User-agent: *\nDisallow: /x/\nSitemap: http://a.example/1.xml\nSitemap: http://a.example/2.xml\n"
	page := func(links ...string) string {
		html := "<!doctype html>"
		for _, link := range links {
			lang, url, found := strings.Cut(link, "=")
			if found {
				html += `<link rel="alternate" hreflang="` + lang + `" href="` + url + `">`
			} else {
				html += `<a href="` + link + `">x</a>`
			}
		}
		return html
	}
	good := map[string]string{"/robots.txt": robots, "/1.xml": hreflangEntries("/a: de=/a en=/b x-default=/"), "/2.xml": hreflangEntries("/b: de=/a en=/b x-default=/", "/: de=/a en=/b x-default=/")}
	for name, c := range map[string]struct {
		change map[string]string
		crawl  bool
		want   []string
	}{
		"nothing":                 {nil, false, nil},
		"invalid codes":           {map[string]string{"/1.xml": hreflangEntries("/a: de=/a en_GB=/b x-default=/")}, false, []string{"HRL001 3 error: 1 hreflang link has an invalid code, such as en_GB (write en-GB) of http://a.example/a, in http://a.example/1.xml"}},
		"no self-reference":       {map[string]string{"/1.xml": hreflangEntries("/a: de=https://a.example/a en=/b x-default=/")}, false, []string{"HRL002 3 warning: 1 URL does not list itself among its hreflang versions, such as http://a.example/a, in http://a.example/1.xml", "HRL005 3 warning: 1 hreflang version is in no sitemap, such as https://a.example/a, of http://a.example/a, in http://a.example/1.xml"}},
		"no return link":          {map[string]string{"/1.xml": hreflangEntries("/a: de=/a x-default=/")}, false, []string{"HRL003 4 error: 1 hreflang link is not returned, such as http://a.example/b to http://a.example/a, in http://a.example/2.xml"}},
		"no hreflang":             {map[string]string{"/1.xml": hreflangEntries("/a")}, false, []string{"HRL003 4 warning: 2 hreflang links lead to URLs whose entries have no hreflang, such as http://a.example/b to http://a.example/a, in http://a.example/2.xml"}},
		"several URLs":            {map[string]string{"/1.xml": hreflangEntries("/a: de=/a de=/c en=/b x-default=/", "/c: de=/a de=/c")}, false, []string{"HRL004 3 warning: 2 entries have several URLs for one hreflang code, such as de of http://a.example/a, in http://a.example/1.xml"}},
		"several x-default":       {map[string]string{"/1.xml": hreflangEntries("/a: de=/a en=/b x-default=/ x-default=/b")}, false, []string{"HRL004 3 warning: 1 entry has several URLs for x-default, such as http://a.example/a, in http://a.example/1.xml"}},
		"in no sitemap":           {map[string]string{"/1.xml": hreflangEntries("/a: de=/a en=/b x-default=/ fr=/f")}, false, []string{"HRL005 3 warning: 1 hreflang version is in no sitemap, such as http://a.example/f, of http://a.example/a, in http://a.example/1.xml"}},
		"on another host":         {map[string]string{"/1.xml": hreflangEntries("/a: de=/a en=/b x-default=/ fr=http://b.example/f")}, false, nil},
		"a sitemap is not read":   {map[string]string{"/1.xml": "status 500"}, false, nil},
		"the page returns it":     {map[string]string{"/1.xml": hreflangEntries("/a"), "/": page("/a"), "/a": page("de=/a", "en=/b", "x-default=/")}, true, nil},
		"the page does not":       {map[string]string{"/1.xml": hreflangEntries("/a"), "/": page("/a"), "/a": page("/")}, true, []string{"HRL003 4 error: 2 hreflang links are not returned, such as http://a.example/b to http://a.example/a, in http://a.example/2.xml"}},
		"pages":                   {map[string]string{"/": page("/p", "/q"), "/p": page("de=/p", "en_us=/q", "fr=/r"), "/q": page("en=/q")}, true, []string{"HRL001 0 error: 1 hreflang link has an invalid code, such as en_us (write en-us) of http://a.example/p, in http://a.example/p", "HRL003 0 error: 1 hreflang link is not returned, such as http://a.example/p to http://a.example/q, in http://a.example/p"}},
		"the canonical page only": {map[string]string{"/": page("/p"), "/p": page("en=/b") + `<link rel=canonical href=/a>`}, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			pages := map[string]string{"a.example/a": "status 404", "a.example/b": "status 404"}
			for _, set := range []map[string]string{good, c.change} {
				for path, text := range set {
					pages["a.example"+path] = text
				}
			}
			a := world(t, pages)
			if c.crawl {
				a.Links = &crawl.LinkBudget{}
			}
			got := findingsOf(t, a, func(_ int, f *Finding) string {
				if !strings.HasPrefix(f.ID, "HRL") {
					return ""
				}
				return strings.Join([]string{f.ID, string('0' + rune(f.Line)), f.Severity.String() + ": " + f.What}, " ")
			})
			checkEqual(t, "findings", got, c.want)
		})
	}
}
