package reports

import (
	"fmt"
	"runtime"
	"testing"
)

// TestMemory holds 200 sites in flight, each with three sheets that grow, to 190 KB each.
func TestMemory(t *testing.T) {
	if raced {
		t.Skip("the race detector has memory of its own in what is measured, and there is one goroutine")
	}
	r := openRun(t, testOptions(t.TempDir()))
	defer r.Close()
	writeAll(t, r, siteRecords("first.example", 0, 4000)) // what is made once, for the first site, is no site's
	records := siteRecords("example.com", 0, 20000)
	records = records[:len(records)-1]
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const sites = 80
	for i := range sites {
		writeAll(t, r, renamed(records[:40], fmt.Sprintf("site-%d.example", i))) // some 4,000 URLs
	}
	runtime.GC()
	runtime.GC() // what rests in pools, which is no site's, goes with the second
	runtime.ReadMemStats(&after)
	each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / sites
	t.Logf("%d bytes for each site in flight", each)
	if each > 190<<10 {
		t.Errorf("%d bytes for each site in flight", each)
	}
	runtime.KeepAlive(records)
}
