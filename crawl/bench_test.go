package crawl

import (
	"strings"
	"testing"
)

// BenchmarkRobots fetches from one site after the other over loopback: connect,
// request, read, close.
func BenchmarkRobots(b *testing.B) {
	c := led(serve(b, page(200, strings.Repeat(rules, 100))))
	b.ReportAllocs()
	for b.Loop() {
		if f := robots(b, c); f.Code != "" {
			b.Fatal(f.Code, f.Detail)
		}
	}
}
