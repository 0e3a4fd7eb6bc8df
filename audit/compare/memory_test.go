package compare

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// many returns the records of a site with n pages, made on demand. The i-th page is number at(i).
func many(t testing.TB, robots string, n int, at func(i int) int) iter.Seq2[audit.Record, error] {
	begin := run(t, "Googlebot,YandexBot", robots)
	return func(yield func(audit.Record, error) bool) {
		for rec, err := range begin {
			if rec.Done != nil { // URLs come before the end
				batch := &audit.URLs{List: make([]audit.URL, 0, 256)}
				for i := range n {
					k := at(i)
					path := fmt.Sprintf("https://example.com/catalog/department-%d/product-%d.html", k%100, k)
					batch.List = append(batch.List, audit.URL{Loc: path, Verdicts: make([]engine.Verdict, 2), Lines: make([]int32, 2)})
					if len(batch.List) == cap(batch.List) || i == n-1 {
						if !yield(audit.Record{URLs: batch}, nil) {
							return
						}
						batch.List = batch.List[:0]
					}
				}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// shuffle returns an order of n numbers in which no two neighbours stay together; n must not
// be a multiple of 7,919.
func shuffle(n int) func(i int) int {
	return func(i int) int { return int(int64(i) * 7919 % int64(n)) }
}

func inStep(i int) int { return i }

// heldMemory runs a comparison, and returns its maximum memory in bytes, and its result. each is
// called at intervals.
func heldMemory(t *testing.T, old, new iter.Seq2[audit.Record, error], o Options, each func()) (most int64, site *Site) {
	t.Helper()
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	look := func() {
		runtime.GC()
		runtime.ReadMemStats(&now)
		most = max(most, int64(now.HeapAlloc)-int64(before.HeapAlloc))
		each()
	}
	n := 0
	for item, err := range Sides(old, watched(new, look), o) {
		noError(t, err)
		site = item.Site
		if n++; n%20_000 == 0 { // flips come from partitions, when the records have ended
			look()
		}
	}
	return most, site
}

// watched are records, with a look now and then.
func watched(records iter.Seq2[audit.Record, error], look func()) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		n := 0
		for rec, err := range records {
			if n++; n%200 == 0 || rec.Done != nil {
				look()
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// TestMemory checks that memory does not grow with the number of URLs, both in one order and with
// partitions on disk. A tenth of the URLs flips.
func TestMemory(t *testing.T) {
	const less, more = "User-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /a\nDisallow: /catalog/department-7\n"
	for _, test := range []struct {
		name  string
		order func(n int) func(i int) int
		limit int64
	}{
		{"in step", func(int) func(int) int { return inStep }, 1 << 20},
		{"shuffled", shuffle, 32 << 20}, // 16 MB of URLs that wait, their tables, and the chunks of 512 partitions
	} {
		t.Run(test.name, func(t *testing.T) {
			counts := []int{300_000}
			if soaked {
				counts = []int{1_000_000, 4_000_000}
			}
			var held []int64
			for _, n := range counts {
				dir := t.TempDir()
				most, site := heldMemory(t, many(t, less, n, inStep), many(t, more, n, test.order(n)), Options{Temp: dir}, func() { noNames(t, dir) })
				t.Logf("%d URLs a side: %d KB", n, most>>10)
				if want := int64(n / 100 * 11); site.Totals != (Totals{Known: int64(n), Counts: Counts{NewlyBlocked: want}, Weight: want}) {
					t.Errorf("%d URLs a side: %+v", n, site.Totals)
				}
				held = append(held, most)
			}
			if most := slices.Max(held); most > test.limit {
				t.Errorf("%d bytes, of %d at most", most, test.limit)
			}
			if soaked && held[1] > held[0]+held[0]/4+1<<20 {
				t.Errorf("%d bytes, and %d for four times the URLs", held[0], held[1])
			}
		})
	}
}

// noNames checks that no temporary file has a name.
func noNames(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 && runtime.GOOS != "windows" {
		t.Fatalf("%v have names (%v)", left, err)
	}
}

// nameless counts the open files of a folder without a name; -1 = unknown on this system.
func nameless(t *testing.T, dir string) (n int) {
	t.Helper()
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		return -1
	}
	links, err := filepath.Glob("/proc/self/fd/*")
	noError(t, err)
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && strings.HasPrefix(to, dir) && strings.HasSuffix(to, " (deleted)") {
			n++
		}
	}
	return n
}
