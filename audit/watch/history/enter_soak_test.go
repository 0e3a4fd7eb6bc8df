//go:build soak

package history

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
)

// BenchmarkEnterReal enters runs of 5,000 sites whose robots.txt are real ones: see
// TestLongHistory. It tells what a site takes of the processor, garbage and commit included,
// in the first run, which has everything to enter, and in those after it; without a list of
// important URLs, and with one that has up to 100 of each site.
func BenchmarkEnterReal(b *testing.B) {
	const sites = 5000
	seed := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64); err == nil {
		seed = n
	}
	for _, important := range []bool{false, true} {
		b.Run(fmt.Sprintf("important=%t", important), func(b *testing.B) {
			var first, later time.Duration
			runs := 0
			for b.Loop() {
				w := newWorld(b, seed, sites)
				db := mustOpen(b, b.TempDir())
				for n := range 5 {
					entries := w.run()
					for i := range entries {
						if !important {
							entries[i].Site.URLs = nil
						}
					}
					begin := processorTime(b)
					w.enter(b, db, n, entries)
					if took := processorTime(b) - begin; n == 0 {
						first += took
					} else {
						later += took
					}
				}
				noError(b, db.Close())
				runs++
			}
			b.ReportMetric(float64(first.Microseconds())/float64(runs*sites), "µs/site-first")
			b.ReportMetric(float64(later.Microseconds())/float64(4*runs*sites), "µs/site-later")
			b.ReportMetric(0, "ns/op")
		})
	}
}
