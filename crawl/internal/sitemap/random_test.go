package sitemap

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestScannerTrees scans random well-formed documents of the relevant elements,
// in any order and nesting.
func TestScannerTrees(t *testing.T) {
	const n = 2000
	held := 0
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		if r.IntN(2) == 0 {
			b.WriteString("<?xml version=\"1.0\"?>\r\n")
		}
		tree(r, &b, 0)
		if compare(t, []byte(b.String())) {
			held++
		}
	}
	if held < n*9/10 {
		t.Errorf("encoding/xml had a say in %d of %d documents only", held, n)
	}
}

// TestScannerSoup scans random pieces of documents, in any order.
func TestScannerSoup(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		var b strings.Builder
		b.WriteString("<urlset>")
		for range r.IntN(40) {
			switch r.IntN(4) {
			case 0:
				b.WriteString("<" + pick(r, elements) + attributes(r) + ">")
			case 1:
				b.WriteString("</" + pick(r, elements) + ">")
			case 2:
				b.WriteString(pick(r, texts))
			default:
				b.WriteString(pick(r, scraps))
			}
		}
		compare(t, []byte(b.String()))
	}
}

// TestScannerLinks scans links that mostly have one form. A reader of single bytes never reads them at
// once.
func TestScannerLinks(t *testing.T) {
	openers := []string{"<url>", "<url>", "<url><loc>http://a.test/</loc>", "<url>x", "<url xmlns:x='u'>", "<url><url>", "<url><loc>", "<url><image>", strings.Repeat("<a>", maxNested-2) + "<url>"}
	languages := []string{"de", "fr-CH", " en ", "", "a'b", "<", ">", "&", "&amp;"}
	urls := append([]string{"http://a.test/de", "android-app://a.test/x", "http://a.test/?a&amp;b", "http://a.test/\u200b", "", "x", "/\xff", "<", "&"}, texts...)
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 3))
		doc := `<urlset ` + ns + ` xmlns:xhtml="` + pick(r, []string{"http://www.w3.org/1999/xhtml", "x"}) + `">`
		first := r.IntN(len(links))
		for range 3 {
			doc += pick(r, openers)
			for range 4 {
				language, url := pick(r, languages[:5]), pick(r, urls[:6])
				if seed%4 == 0 { // perhaps not well-formed
					language, url = pick(r, languages), pick(r, urls)
				}
				doc += strings.NewReplacer("L", language, "U", url).Replace(links[(first+r.IntN(2))%len(links)])
			}
			doc += "</url>"
		}
		compare(t, []byte(doc+"</urlset>"))
	}
}

// links have a language L and a URL U.
var links = []string{`<xhtml:link rel="alternate" hreflang="L" href="U"/>`, `<link hreflang="de" rel='alternate' hreflang="L" href="U" />`, `<x:link rel="alternate" hreflang="L" href="U"/>`,
	`<xhtml:link rel="canonical" hreflang="L" href="U"/>`, `<link rel="alternate" a=' hreflang="L" href="U" /> '/>`, `<link a=' hreflang="' rel="alternate" hreflang="L" href="U"/>`, `<link rel="alternate" hreflang="L" href="U" a='b'/>`,
	`<link rel="alternate" hreflang="L" href="U"></link>`, `<link rel="alternate" hreflang="L" href="U"/>`, `<xhtml:link xmlns:a='b' rel="alternate" hreflang="L" href="U"/>`, "<link rel=\"alternate\"\n hreflang=\"L\" href=\"U\"\n/>",
	`<link rel="alternate" hreflang="L" href="U" a=' hreflang="c" href="d" '/>`, `<a hreflang="L" href="U"/>`,
	`<link rel="alternate" hreflang="de" title="L" href="U"/>`, `<link rel="alternate" href="U" hreflang="L" xhref="U"/>`}

var (
	elements = []string{"urlset", "url", "url", "loc", "loc", "lastmod", "changefreq", "priority", "sitemapindex", "sitemap", "image:image", "image:loc", "video:video", "video:content_loc", "video:thumbnail_loc",
		"player_loc", "xhtml:link", "link", "item", "entry", "pubDate", "updated", "sm:url", "sm:loc", "rss", "feed", "x", "a:b", "lo", "loca", "LOC", "_-.1"}
	texts = []string{"http://a.test/", "x", " ", "\n", "\r\n", "\r", "&amp;", "&lt;", "&#65;", "&#x20ac;", "&#9;", "&#13;", "ä", "€", "]]", ">", "'", `"`, "=", "/"}
	marks = []string{"<!-- c -->", "<!---->", "<!-- <url> \"'> -->", "<?p?>", "<?p <loc> ?>", "<![CDATA[]]>", "<![CDATA[ http://c.test/?a&b ]]>", "<![CDATA[]]]]>", "<![CDATA[<loc>\r\n&amp;]]>"}
	// scraps are pieces that well-formed documents do not have.
	scraps = []string{"<", "&", "&;", "&x;", "&#;", "&#0;", "\x00", "\xff", "</", "<!", "<!DOCTYPE a [", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<loc", "</loc", `"`, "'", `<a "`, "<a b='", "/>", "<html>", "<link rel=alternate href=http://a.test/>"}
)

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// tree writes a random element.
func tree(r *rand.Rand, b *strings.Builder, depth int) {
	name := pick(r, elements)
	b.WriteString("<" + name + attributes(r))
	if r.IntN(6) == 0 {
		b.WriteString("/>")
		return
	}
	b.WriteString(pick(r, []string{">", ">", " >", "\n>"}))
	for range r.IntN(6) {
		switch k := r.IntN(10); {
		case k < 5 && depth < 8:
			tree(r, b, depth+1)
		case k < 8:
			b.WriteString(pick(r, texts))
		default:
			b.WriteString(pick(r, marks))
		}
	}
	b.WriteString("</" + name + pick(r, []string{"", "", " ", "\r\n"}) + ">")
}

// attributes returns random attributes, often those of a link.
func attributes(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteString(pick(r, []string{" ", "\n", "\t "}))
		b.WriteString(pick(r, []string{"rel", "rel", "href", "href", "hreflang", "a", "x:href", "xmlns"}))
		b.WriteString(pick(r, []string{"=", " = ", "=\n"}))
		quote := pick(r, []string{`"`, "'"})
		b.WriteString(quote)
		for range r.IntN(3) {
			b.WriteString(strings.ReplaceAll(pick(r, append(texts, "alternate", "ALTERNATE ", "self", "</loc>", "&quot;")), quote, ""))
		}
		b.WriteString(quote)
	}
	return strings.ReplaceAll(b.String(), "<", "")
}
