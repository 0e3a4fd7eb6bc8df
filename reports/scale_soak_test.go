//go:build soak

package reports

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// TestSoakSummaries closes a run of a million sites (TEST_SITES), and tells what its summaries
// take: memory is to be some hundred bytes a site. Whatever its size, a site is demanded soon.
func TestSoakSummaries(t *testing.T) {
	sites := 1_000_000
	if n, err := strconv.Atoi(os.Getenv("TEST_SITES")); err == nil {
		sites = n
	}
	dir := os.Getenv("TEST_DIR")
	if dir == "" {
		dir = t.TempDir()
	}
	o := testOptions(filepath.Join(dir, fmt.Sprint(sites)))
	o.Reports = []string{levelBlocked}
	r := openRun(t, o)
	begin := time.Now()
	enterMany(t, r, sites)
	writeAll(t, r, siteRecords("demanded.example", sites, 100))
	t.Logf("entered: %v", time.Since(begin).Round(time.Millisecond))
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		var top uint64
		for {
			select {
			case <-stop:
				most <- top
				return
			case <-time.After(50 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				top = max(top, m.HeapInuse)
			}
		}
	}()
	runtime.GC()
	begin = time.Now()
	closeRun(t, r)
	took := time.Since(begin)
	close(stop)
	memory := <-most
	t.Logf("closed: %v, heap %d MB", took.Round(time.Millisecond), memory>>20)
	if limit := uint64(200<<20) + uint64(sites)*700; memory > limit {
		t.Errorf("%d MB of memory, more than %d", memory>>20, limit>>20)
	}
	sizes := map[string]int64{}
	filepath.WalkDir(o.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(o.Dir, path)
		if filepath.Dir(name) != "." && filepath.Dir(name) != hidden {
			name = filepath.Dir(name)
		}
		if info, err := d.Info(); err == nil {
			sizes[name] += info.Size()
		}
		return nil
	})
	t.Logf("bytes: %v", sizes)
	begin = time.Now()
	made, err := Options{Dir: o.Dir}.Demand([]string{"demanded.example"}, "")
	if err != nil || len(made) != 1 {
		t.Fatal(made, err)
	}
	t.Logf("demanded: %v", time.Since(begin).Round(time.Millisecond))
	begin = time.Now()
	if _, err := (Options{Dir: o.Dir}).Demand([]string{"demandet.example"}, ""); err == nil {
		t.Error("there is no such site")
	}
	t.Logf("not found: %v", time.Since(begin).Round(time.Millisecond))
}
