package hreflang

import (
	"fmt"
	"hash/maphash"
	"testing"
)

// BenchmarkChecker checks pages in four languages: each version directly after the other, or all pages
// of a language after all of another. Nothing is wrong with them.
func BenchmarkChecker(b *testing.B) {
	const pages = 50_000
	langs := [][]byte{[]byte("en"), []byte("de"), []byte("fr-CH"), []byte("x-default")}
	seed := maphash.MakeSeed()
	var urls [4 * pages][]byte
	var hashes [4 * pages]uint64
	for i := range urls {
		urls[i] = fmt.Appendf(nil, "https://www.example.com/%s/shop/some-article-title-%d", langs[i%4], i/4)
		hashes[i] = maphash.Bytes(seed, urls[i])
	}
	for name, step := range map[string]int{"together": 1, "apart": 4} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c := New()
				for start := range step {
					for i := start; i < len(urls); i += step {
						c.Begin()
						c.SetLoc(URL{hashes[i], urls[i], true})
						for j := range 4 {
							c.Add(URL{hashes[i&^3+j], urls[i&^3+j], true}, langs[j])
						}
					}
				}
				if notes := c.End(Source{}); notes != nil {
					b.Fatal(notes)
				}
				for range c.Links(func(uint64) bool { return true }) {
					b.Fatal("notes on links")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(urls)), "ns/entry")
		})
	}
}
