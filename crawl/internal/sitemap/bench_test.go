package sitemap

import (
	"bytes"
	"fmt"
	"testing"
)

// richSitemap is a sitemap of n pages in four languages each, with two images.
func richSitemap(origin string, n int) []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<urlset ` + ns + ` xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">` + "\n")
	for i := range n {
		fmt.Fprintf(&b, "  <url>\n    <loc>%s/en/shop/article-%d</loc>\n", origin, i)
		for _, language := range []string{"en", "de", "fr-CH", "x-default"} {
			fmt.Fprintf(&b, "    <xhtml:link rel=\"alternate\" hreflang=\"%s\" href=\"%s/%s/shop/article-%d?from=map&amp;page=1\"/>\n", language, origin, language, i)
		}
		for image := range 2 {
			fmt.Fprintf(&b, "    <image:image>\n      <image:loc>%s/images/%d/%d.jpg</image:loc>\n      <image:title>Größe and colour of it</image:title>\n    </image:image>\n", origin, i, image)
		}
		fmt.Fprintf(&b, "    <lastmod>2026-11-%02dT10:00:00+00:00</lastmod>\n  </url>\n", i%28+1)
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}

// BenchmarkSitemap reads the loc and lastmod of 50,000 entries, and the seven URLs of each of
// 5,000 that have attributes and prefixes.
func BenchmarkSitemap(b *testing.B) {
	const origin = "https://www.example.com"
	for _, c := range []struct {
		name string
		file []byte
		urls int
	}{{"plain", manyEntries(origin, 50_000), 50_000}, {"rich", richSitemap(origin, 5_000), 7 * 5_000}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.file)))
			b.ReportAllocs()
			for b.Loop() {
				found := 0
				s := NewScanner(bytes.NewReader(c.file))
				for s.Next() {
					found++
				}
				s.Free()
				if found != c.urls {
					b.Fatalf("%d URLs, want %d", found, c.urls)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.urls), "ns/URL")
		})
	}
}
