package audit

import (
	"fmt"
	"io"
	"net/http"
	"testing"
)

// BenchmarkAll audits small sites over loopback, a site an operation.
func BenchmarkAll(b *testing.B) {
	a := served(b, "Googlebot", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprintf(w, "User-agent: *\nDisallow: /x\nSitemap: http://%s/s.xml\n", r.Host)
			return
		}
		io.WriteString(w, urlset("http://"+r.Host+"/x", "http://"+r.Host+"/1"))
	})
	a.Workers = 0
	done := 0
	b.ReportAllocs()
	for rec := range a.All(b.Context(), func(yield func(Domain, error) bool) {
		for i := range b.N {
			if !yield(Domain{Name: fmt.Sprintf("http://s%d.example", i), Scheme: "http", Host: fmt.Sprintf("s%d.example", i)}, nil) {
				return
			}
		}
	}) {
		if rec.Done != nil {
			done++
		}
	}
	if done != b.N {
		b.Errorf("%d of %d sites are done", done, b.N)
	}
}
