package reports

import (
	"fmt"
	"runtime"
	"testing"
)

// TestMemory checks that each of 200 open sites, with three growing sheets, takes at most 190 KB.
func TestMemory(t *testing.T) {
	if raced {
		t.Skip("the race detector has memory of its own in what is measured, and there is one goroutine")
	}
	r := openRun(t, testOptions(t.TempDir()))
	defer r.Close()
	writeAll(t, r, siteRecords("first.example", 0, 4000)) // data that is made once, for the first site, does not count
	records := siteRecords("example.com", 0, 20000)
	records = records[:len(records)-1]
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const sites = 80
	for i := range sites {
		writeAll(t, r, renamed(records[:40], fmt.Sprintf("site-%d.example", i))) // about 4,000 URLs
	}
	runtime.GC()
	runtime.GC() // the second collection frees the content of pools, which does not count
	runtime.ReadMemStats(&after)
	each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / sites
	t.Logf("%d bytes for each site in flight", each)
	if each > 190<<10 {
		t.Errorf("%d bytes for each site in flight", each)
	}
	runtime.KeepAlive(records)
}
