package jsonline

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkScanner reads a question with a robots.txt of 400 KB.
func BenchmarkScanner(b *testing.B) {
	var robots strings.Builder
	for i := 0; robots.Len() < 400<<10; i++ {
		fmt.Fprintf(&robots, "Disallow: /%s-%d\n", strings.Repeat("section/", i%5), i*7919)
	}
	line, err := json.Marshal(map[string]any{"id": 1, "robots": robots.String(), "urls": []string{"/a"}})
	if err != nil {
		b.Fatal(err)
	}
	keys := []string{"id", "robots", "urls"}
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		s := NewScanner(line, buf)
		for s.Next(keys) {
		}
		if !s.Whole(line) {
			b.Fatal("the line is not read to its end")
		}
		buf = s.Buffer()
	}
}
