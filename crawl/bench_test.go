package crawl

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// BenchmarkRobots is one site after the other over loopback: connect, ask, read, close.
func BenchmarkRobots(b *testing.B) {
	c := led(serve(b, page(200, strings.Repeat(rules, 100))))
	b.ReportAllocs()
	for b.Loop() {
		if f := robots(b, c); f.Code != "" {
			b.Fatal(f.Code, f.Detail)
		}
	}
}

// BenchmarkStream reads a large body, as it is and gzipped; MB/s are of what comes out.
func BenchmarkStream(b *testing.B) {
	content := strings.Repeat("<url><loc>https://example.test/catalog/department/product.html</loc></url>\n", 200_000)
	for _, encoding := range []string{"identity", "gzip"} {
		b.Run(encoding, func(b *testing.B) {
			sent := content
			if encoding == "gzip" {
				sent = gzipped(content)
			}
			s := led(serve(b, func(w http.ResponseWriter, r *http.Request) { encoded(encoding, sent)(w, r) })).Site()
			defer s.Close()
			buf := make([]byte, 64<<10)
			b.SetBytes(int64(len(content)))
			b.ReportAllocs()
			for b.Loop() {
				body, out := s.open(b.Context(), "http://example.test/sitemap.xml", limits{Bytes: 1 << 30})
				for {
					if _, err := body.Read(buf); err == io.EOF {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
				body.Close()
				if out.Bytes != int64(len(content)) {
					b.Fatal(out)
				}
			}
		})
	}
}
