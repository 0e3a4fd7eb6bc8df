package crawl

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
)

// bigSitemap is a sitemap of n entries of about 190 bytes each, as most are written.
func bigSitemap(origin string, n int) []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<urlset ` + ns + `>` + "\n")
	for i := range n {
		fmt.Fprintf(&b, "<url><loc>%s/articles/2026/%02d/a-longer-and-quite-usual-article-title-%d</loc><lastmod>2026-11-%02d</lastmod><changefreq>weekly</changefreq><priority>0.5</priority></url>\n", origin, i%12+1, i, i%28+1)
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}

// BenchmarkSitemaps reads an index of four gzipped sitemaps of 50,000 URLs
// each from a server on loopback: request, inflation, scanning, notes and the
// loop. The server's own time is in it, which is little: it writes bytes that
// are ready.
func BenchmarkSitemaps(b *testing.B) {
	const files, each = 4, 50_000
	file := bigSitemap(home, each)
	packed := gzipped(string(file))
	c := answers{"/i.xml": index("/1.xml.gz", "/2.xml.gz", "/3.xml.gz", "/4.xml.gz")}
	for _, path := range [files]string{"/1.xml.gz", "/2.xml.gz", "/3.xml.gz", "/4.xml.gz"} {
		c[path] = func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(packed)) }
	}
	client := c.serve(b)
	b.SetBytes(files * int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		s := client.Site()
		urls := 0
		for item := range s.Sitemaps(b.Context(), []DeclaredSitemap{{URL: home + "/i.xml"}}, SitemapBudget{}) {
			if item.URL != nil {
				urls++
			} else if item.File.Code != "" {
				b.Fatalf("%+v", item.File)
			}
		}
		s.Close()
		if urls != files*each {
			b.Fatalf("%d URLs", urls)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/files/each, "ns/URL")
}
