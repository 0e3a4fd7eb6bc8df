package sitemap

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
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

// BenchmarkSitemapRich reads the seven URLs of each of 5,000 entries that have
// attributes and prefixes.
func BenchmarkSitemapRich(b *testing.B) {
	const n = 5_000
	file := richSitemap("https://www.example.com", n)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		found := 0
		s := NewScanner(bytes.NewReader(file))
		for s.Next() {
			found++
		}
		s.Free()
		if found != 7*n {
			b.Fatalf("%d URLs, want %d", found, 7*n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(7*n), "ns/URL")
}

// BenchmarkSitemap reads the loc and lastmod of 50,000 entries. What
// encoding/xml is asked for is the least that can be: its tokens.
func BenchmarkSitemap(b *testing.B) {
	const n = 50_000
	file := manyEntries("https://www.example.com", n)
	run := func(name string, read func(io.Reader) int) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				if got := read(bytes.NewReader(file)); got != n {
					b.Fatalf("%d URLs, want %d", got, n)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/URL")
		})
	}
	run("scanner", func(r io.Reader) (found int) {
		s := NewScanner(r)
		for s.Next() {
			found++
		}
		s.Free()
		return found
	})
	run("encoding-xml", func(r io.Reader) (found int) {
		d := xml.NewDecoder(r)
		for in := ""; ; {
			switch token, err := d.Token(); t := token.(type) {
			case nil:
				if err != io.EOF {
					b.Fatal(err)
				}
				return found
			case xml.StartElement:
				in = t.Name.Local
			case xml.EndElement:
				in = ""
			case xml.CharData:
				if in == "loc" && strings.HasPrefix(string(t), "https:") {
					found++
				}
			}
		}
	})
}
