package crawl

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkCache is the work for one site: an entry of 3 KB is read and written.
func BenchmarkCache(b *testing.B) {
	c, err := OpenCache(filepath.Join(b.TempDir(), "cache.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	e := entry{Answer: Outcome{Status: 200, Hops: []Hop{{URL: "http://example.test/robots.txt", Status: 200}}}, body: make([]byte, 3<<10)}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		key := fmt.Sprint(n % 10_000)
		decodeEntry(c.file.Get(key))
		value, err := e.encode()
		if err != nil {
			b.Fatal(err)
		}
		c.file.Put(key, value...)
	}
}
