package page

import (
	"fmt"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
)

// TestFirstLines: any of the three line ends, and nothing lost or counted twice.
func TestFirstLines(t *testing.T) {
	for _, c := range []struct {
		body string
		n    int
		head string
		more int
	}{
		{"", 2, "", 0}, {"a\nb\n", 2, "a\nb\n", 0}, {"a\nb\nc", 2, "a\nb\n", 1}, {"a\r\nb\rc\n\nd\n", 2, "a\r\nb\r", 3}, {"a\nb", 0, "", 2},
	} {
		if head, more := firstLines([]byte(c.body), c.n); string(head) != c.head || more != c.more {
			t.Errorf("%q, %d lines: %q and %d more, want %q and %d", c.body, c.n, head, more, c.head, c.more)
		}
	}
}

// BenchmarkPageRows writes the rows of a page, one row for each operation.
func BenchmarkPageRows(b *testing.B) {
	var batches [][]site.URL
	for k := range 64 << 10 {
		if k%256 == 0 {
			batches = append(batches, nil)
		}
		last := &batches[len(batches)-1]
		*last = append(*last, site.URL{Page: true, Blocked: true, URL: &audit.URL{
			Loc:      fmt.Sprintf("https://example.com/products/category-%d/item-%d.html?session=%x", k%17, k*7919, k*104729),
			LastMod:  fmt.Sprintf("2026-01-%02d", 1+k%28),
			Verdicts: []engine.Verdict{engine.Disallow}, Lines: []int32{int32(2 + k%3)},
		}})
	}
	robots := &audit.Robots{Rules: []audit.RuleLine{{Line: 2, Rule: "disallow: /p"}, {Line: 3, Rule: "disallow: /products"}, {Line: 4, Rule: "disallow: /*?session"}}}
	newRows := func() *blockedRows {
		rows := &blockedRows{rowFiles: rowFiles{disk: disk.OS{}, dir: b.TempDir(), inline: inlineRows}, file: func(int) *audit.Robots { return robots }}
		rows.foot = rows.endReadings
		return rows
	}
	rows := newRows()
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += 256 {
		if rows.rows >= pageRows-256 {
			b.StopTimer()
			rows = newRows()
			b.StartTimer()
		}
		rows.addURLs(batches[n/256%len(batches)])
	}
	if rows.err != nil {
		b.Fatal(rows.err)
	}
}
