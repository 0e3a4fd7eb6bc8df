package crawl

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// BenchmarkSitemaps reads an index of four gzipped sitemaps of 50,000 URLs each
// from a server on loopback: request, inflation, scanning, notes and the loop.
// It includes the server's own time, which is short: its bytes are ready.
func BenchmarkSitemaps(b *testing.B) {
	const files, each = 4, 50_000
	var file strings.Builder
	file.WriteString(`<urlset ` + ns + `>`)
	for i := range each {
		fmt.Fprintf(&file, "<url><loc>%s/articles/2026/a-longer-and-quite-usual-article-title-%d</loc><lastmod>2026-11-02</lastmod><changefreq>weekly</changefreq></url>\n", home, i)
	}
	file.WriteString(`</urlset>`)
	packed := gzipped(file.String())
	c := answers{"/i.xml": index("/1.xml.gz", "/2.xml.gz", "/3.xml.gz", "/4.xml.gz")}
	for _, path := range [files]string{"/1.xml.gz", "/2.xml.gz", "/3.xml.gz", "/4.xml.gz"} {
		c[path] = func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(packed)) }
	}
	client := c.serve(b)
	b.SetBytes(files * int64(file.Len()))
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
