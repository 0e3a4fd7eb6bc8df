//go:build soak

package urlindex

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
	"time"
)

// TestSoak indexes TEST_URLS URLs (10,000,000) of one site, and of 2,000. It compares memory with
// the bound, and logs times.
func TestSoak(t *testing.T) {
	n := 10_000_000
	if s := os.Getenv("TEST_URLS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	for _, sites := range []int{1, 2000} {
		path := filepath.Join(t.TempDir(), "urls.index")
		debug.FreeOSMemory()
		before, most, stop := heapNow(), uint64(0), make(chan bool)
		done := make(chan bool)
		go func() {
			defer close(done)
			for {
				select {
				case <-stop:
					return
				case <-time.After(10 * time.Millisecond):
					most = max(most, heapNow())
				}
			}
		}()
		began := time.Now()
		d := NewDictionary()
		err := Build(t.Context(), path, "key", d, manyURLs(d, n, sites))
		close(stop)
		<-done
		if err != nil {
			t.Fatal(err)
		}
		took := int64(most-before) >> 20
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d sites: %d MB in %v; %d MB of memory", sites, info.Size()>>20, time.Since(began), took)
		if took > buildMemory>>20 {
			t.Errorf("%d MB of memory", took)
		}
		x, err := Open(path, "key", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		for _, text := range []string{"https://www.shop0.example/da", "shop0.example", "/damen/", "/", "e", "z", "qz", "xyzzy", "leder", "html", "12345"} {
			got, err := x.Search(context.Background(), Query{Text: text, Limit: 100})
			if err != nil || got.More {
				t.Errorf("%q: %v", text, err)
			}
			t.Logf("%-30q %9d URLs in %v", text, got.Total, got.Took)
		}
		for name, q := range map[string]Query{
			"blocked": {Filter: Filter{Blocked: BlockedAny}}, "not blocked": {Filter: Filter{Blocked: BlockedNone}}, "for a crawler by a line": {Filter: Filter{Blocked: BlockedAny, Crawler: "GPTBot", Line: 9}},
			"by a rule": {Filter: Filter{Rule: "/shop/"}}, "template": {Filter: Filter{Template: "/damen/schuhe/item-{n}"}}, "text and blocked": {Text: "e", Filter: Filter{Blocked: BlockedAny}},
			"with clicks": {Filter: Filter{Clicks: 500}}, "with hits of a crawler": {Filter: Filter{Crawler: "Bingbot", Hits: 3}}, "most clicks": {Sort: ByClicks}, "most clicks, blocked, text": {Text: "leder", Sort: ByClicks, Filter: Filter{Blocked: BlockedAny}},
			"most clicks, deep": {Sort: ByClicks, Offset: MaxSorted - 100}, "deep": {Offset: int64(n) * 9 / 10}, "blocked, deep": {Filter: Filter{Blocked: BlockedAny}, Offset: int64(n) / 5}, "status": {Filter: Filter{Status: &Span{404, 404}}},
		} {
			q.Limit = 100
			before := heapNow()
			got, err := x.Search(context.Background(), q)
			if err != nil || got.More {
				t.Errorf("%q: %v", name, err)
			}
			t.Logf("%-30q %9d URLs in %v, %d MB", name, got.Total, got.Took, (int64(heapNow())-int64(before))>>20)
		}
		for _, q := range []Query{{Limit: MaxSorted}, {Limit: MaxSorted, Sort: ByClicks}} {
			began, count := time.Now(), 0
			rows, err := x.Rows(t.Context(), q, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range rows.All {
				if err != nil {
					t.Fatal(err)
				}
				count++
			}
			t.Logf("%d rows of order %d in %v, heap %d MB", count, q.Sort, time.Since(began), heapNow()>>20)
		}
		debug.FreeOSMemory()
		if held := int64(heapNow()-before) >> 20; held > 20 {
			t.Errorf("the index holds %d MB of memory", held)
		}
	}
}

func heapNow() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}
