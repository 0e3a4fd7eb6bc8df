package reports

import (
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// blockedBatches are batches of URLs that are all blocked for the one crawler asked about.
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

// BenchmarkRows writes the sheet Blocked, a row an operation: as this package
// does, and as excelize's stream writer does with the same cells.
func BenchmarkRows(b *testing.B) {
	head := siteRecords("example.com", 0, 0)
	b.Run("own", func(b *testing.B) {
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
	})
	b.Run("excelize-stream", func(b *testing.B) {
		f := excelize.NewFile()
		defer f.Close()
		w, err := f.NewStreamWriter("Sheet1")
		noError(b, err)
		batches := blockedBatches(64 << 10)
		day, err := f.NewStyle(&excelize.Style{NumFmt: 14})
		noError(b, err)
		b.ReportAllocs()
		b.ResetTimer()
		for n := range b.N {
			u := &batches[n/256%len(batches)].URLs.List[n%256]
			at, err := time.Parse("2006-01-02", u.LastMod)
			noError(b, err)
			pattern := site.AppendPattern(nil, u.Loc)
			id, _ := audit.URLID(nil, "https://example.com", u.Loc)
			err = w.SetRow(fmt.Sprintf("A%d", 1+n%1000000), []any{
				u.Loc, "Googlebot", "google", "disallow", "disallow: /search", int(u.Lines[0]), "*",
				"no group names it, so the group of * applies", nil, nil, nil, nil, "https://example.com/sitemap.xml",
				excelize.Cell{StyleID: day, Value: at}, audit.TopDirectory(u.Loc), string(pattern), nil, nil, id,
			})
			if err != nil && n < 1000000 {
				b.Fatal(err)
			}
		}
		noError(b, w.Flush())
		if _, err := f.WriteTo(io.Discard); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkRecords writes the records of URLs, a URL an operation: encoded and compressed.
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

// BenchmarkSites writes sites of ten URLs each, a site an operation.
func BenchmarkSites(b *testing.B) {
	r := openRun(b, testOptions(b.TempDir()))
	records := siteRecords("example.com", 0, 10)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		name := fmt.Sprintf("site-%d.example", n)
		n++
		for _, rec := range records {
			rec.Domain = name
			if rec.Site != nil {
				of := *rec.Site
				of.Name = name
				rec.Site = &of
			}
			noError(b, r.Write(rec))
		}
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
		name := fmt.Sprintf("site-%d.example", n)
		n++
		for i := range records {
			records[i].Domain = name
		}
		of := *records[0].Site
		of.Name = name
		records[0].Site = &of
		files, err := finishSite(s, records)
		noError(b, err)
		noError(b, files.Remove())
	}
}

// BenchmarkEnter enters sites that were done elsewhere, a site an operation.
func BenchmarkEnter(b *testing.B) {
	s := openSites(b, testOptions(b.TempDir()))
	files, err := finishSite(s, siteRecords("example.com", 0, 10))
	noError(b, err)
	r := openRun(b, testOptions(b.TempDir()))
	defer r.release()
	b.ReportAllocs()
	for b.Loop() {
		clear(r.done.entered)
		noError(b, r.Enter(files.Line))
	}
}

// BenchmarkURLs writes whole sites of 50,000 URLs, two of five blocked for one
// of three crawlers, records and workbook and all; a URL an operation.
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
