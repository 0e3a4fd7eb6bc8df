package reports

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/disk"
)

// TestTailLogs finds access logs at the end of a file, and reads all of it where that end is in doubt.
func TestTailLogs(t *testing.T) {
	t.Parallel()
	var paths []string
	for i := range 16_000 { // more frames than are looked through
		paths = append(paths, fmt.Sprintf("/shop/%x/%d.html", crc32.ChecksumIEEE(fmt.Append(nil, i)), i))
	}
	records := judged(t, "Googlebot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /shop/1\n")}, paths...)
	records[0].Site.Logs = &audit.LogPeriod{From: start, To: start.AddDate(0, 1, 0)}
	for name, crawlers := range map[string]int{"in the last frames": 1, "in more frames": 200, "in too many": 12_000} {
		logs := &audit.Logs{Site: "example.com", From: start, To: start.AddDate(0, 1, 0), Judged: audit.LogHistory}
		for i := range crawlers {
			logs.Crawlers = append(logs.Crawlers, audit.LogCrawler{Name: fmt.Sprint("Bot ", i), Claimed: audit.LogTally{Requests: int64(i)}})
		}
		o := Options{Dir: t.TempDir(), Started: start, Crawlers: records[0].Site.Crawlers, Reports: []string{"none"}}
		writeRun(t, o, slices.Insert(slices.Clone(records), len(records)-1, audit.Record{Domain: "example.com", Logs: logs}))
		stored, err := OpenStored(o.Dir, "")
		noError(t, err)
		of := stored.Sites[0]
		all := func(what string, of StoredSite) {
			t.Helper()
			if of.tailLogs() != nil {
				t.Errorf("%s, %s: the end is enough", name, what)
			}
			got, err := of.Logs()
			noError(t, err)
			checkEqual(t, name+", "+what, got, logs)
		}
		if crawlers > 1000 {
			all("long logs", of)
			continue
		}
		checkEqual(t, name, of.tailLogs(), logs)

		unknown := of
		unknown.facts.sum = ""
		all("no checksum", unknown)

		path := of.records
		packed, err := os.ReadFile(path)
		noError(t, err)
		packed[len(packed)/2] ^= 1
		noError(t, os.WriteFile(path, packed, 0o644))
		if got, err := of.Logs(); err == nil {
			t.Errorf("%s: a damaged file has logs: %v", name, got.Site)
		}
		packed[len(packed)/2] ^= 1

		z, err := zstd.NewReader(bytes.NewReader(packed))
		noError(t, err)
		text := new(bytes.Buffer)
		_, err = z.WriteTo(text)
		z.Close()
		noError(t, err)
		w, err := zstd.NewWriter(nil)
		noError(t, err)
		packed = w.EncodeAll(text.Bytes(), nil)
		noError(t, os.WriteFile(path, packed, 0o644))
		one := of
		one.facts.size, one.facts.sum = int64(len(packed)), disk.FormatSum(crc32.Checksum(packed, disk.Castagnoli))
		all("one frame", one)
	}
}
