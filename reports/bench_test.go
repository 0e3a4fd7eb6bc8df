package reports

import (
	"fmt"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// blockedBatches are batches of URLs that are all blocked for the only crawler.
func blockedBatches(n int) []audit.Record {
	var records []audit.Record
	for len(records)*256 < n {
		batch := &audit.URLs{}
		for i := range 256 {
			k := len(records)*256 + i
			batch.List = append(batch.List, audit.URL{
				Loc:      blockedURL(k),
				LastMod:  fmt.Sprintf("2026-01-%02d", 1+k%28),
				Verdicts: []engine.Verdict{engine.Disallow}, Lines: []int32{int32(2 + k%3)},
			})
		}
		records = append(records, audit.Record{Domain: "example.com", URLs: batch})
	}
	return records
}

// blockedURL is no. k of them.
func blockedURL(k int) string {
	return fmt.Sprintf("https://example.com/products/category-%d/item-%d.html?session=%x", k%17, k*7919, k*104729)
}

// BenchmarkRows writes the sheet Blocked, one row for each operation.
func BenchmarkRows(b *testing.B) {
	head := siteRecords("example.com", 0, 0)
	o := testOptions(b.TempDir())
	o.Crawlers = testCrawlers[:1]
	r := openRun(b, o)
	of := *head[0].Site
	of.Crawlers = o.Crawlers
	head[0].Site = &of
	batches := blockedBatches(64 << 10)
	r.rebuild = true // rows alone, no records
	writeAll(b, r, head[:2])
	s := r.sites["example.com"]
	s.begin(nil) // rows as they come, as those of a large site
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += 256 {
		s.data.AddRecord(batches[n/256%len(batches)], s.recordOutputs[0]) // the workbook
	}
	b.StopTimer()
	r.rebuild = false
	closeRun(b, r)
}

// BenchmarkRecords writes the records of URLs, one URL for each operation: encoded and compressed.
func BenchmarkRecords(b *testing.B) {
	r := openRun(b, testOptions(b.TempDir()))
	head := siteRecords("example.com", 0, 0)
	batches := blockedBatches(64 << 10)
	writeAll(b, r, head[:2])
	s := r.sites["example.com"]
	s.begin(nil)
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += 256 {
		if _, err := s.records.write(batches[n/256%len(batches)]); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	closeRun(b, r)
}

// BenchmarkSites writes sites of ten URLs each, one site for each operation.
func BenchmarkSites(b *testing.B) {
	r := openRun(b, testOptions(b.TempDir()))
	records := siteRecords("example.com", 0, 10)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		writeAll(b, r, renamed(records, fmt.Sprintf("site-%d.example", n)))
	}
	closeRun(b, r)
}

// BenchmarkApart makes the reports of the sites of BenchmarkSites apart from a run, and
// removes their files.
func BenchmarkApart(b *testing.B) {
	s := openSites(b, testOptions(b.TempDir()))
	records := siteRecords("example.com", 0, 10)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		files := mustFinish(b, s, renamed(records, fmt.Sprintf("site-%d.example", n)))
		noError(b, files.Remove())
	}
}

// BenchmarkEnter enters sites that were done elsewhere, one site for each operation.
func BenchmarkEnter(b *testing.B) {
	s := openSites(b, testOptions(b.TempDir()))
	files := mustFinish(b, s, siteRecords("example.com", 0, 10))
	r := openRun(b, testOptions(b.TempDir()))
	defer r.release()
	b.ReportAllocs()
	for b.Loop() {
		clear(r.done.entered)
		noError(b, r.Enter(files.Line))
	}
}

// BenchmarkURLs writes complete sites of 50,000 URLs, two of five blocked for one of three
// crawlers, with records and workbook; one URL for each operation.
func BenchmarkURLs(b *testing.B) {
	const urls = 50000
	records := siteRecords("example.com", 0, urls)
	for _, rows := range []string{"blocked", "all"} {
		b.Run(rows, func(b *testing.B) {
			o := testOptions(b.TempDir())
			o.Rows = rows
			r := openRun(b, o)
			b.ReportAllocs()
			b.ResetTimer()
			for n := 0; n < b.N; n += urls {
				writeAll(b, r, records)
			}
			b.StopTimer()
			closeRun(b, r)
		})
	}
}
