package matchtest

import (
	"slices"
	"testing"
	"time"
)

// U, the unit of the benchmarks, is the time of one dependent table lookup for
// each byte of the path: the minimum for an automaton over a path. It is
// measured in the same process and on the same paths as the measured code. So
// ratios are the same on other machines.

// scanTable is any permutation of the bytes, so that the next value is unpredictable.
var scanTable = func() (t [256]uint8) {
	for i := range t {
		t[i] = uint8(167*i + 13)
	}
	return t
}()

// scan steps over path. Each lookup waits for the previous one, the first one
// for the last one of the previous path.
func scan(state uint8, path string) uint8 {
	for i := range len(path) {
		state = scanTable[state^path[i]]
	}
	return state
}

var scanSink uint8

// Measure is a benchmark of judge, which judges the i-th of paths. It judges each once
// unmeasured and then as often as b requires, and measures U too.
func Measure(b *testing.B, paths []string, judge func(i int)) {
	for i := range paths {
		judge(i)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		judge(i)
	}
	report(b, paths, judge)
}

// report measures judge, which judges the i-th path, against U and reports
// ns/URL and U. The two alternate every few tens of microseconds. The median of
// the ratios is reported, so that a busy machine has little effect.
func report(b *testing.B, paths []string, judge func(i int)) {
	var ns, ratio []float64
	rounds := 1 + 4096/totalBytes(paths)
	for range 101 {
		start := time.Now()
		for range rounds {
			for _, path := range paths {
				scanSink = scan(scanSink, path)
			}
		}
		unit := time.Since(start)
		start = time.Now()
		for range rounds {
			for i := range paths {
				judge(i)
			}
		}
		took := time.Since(start)
		ns = append(ns, float64(took)/float64(rounds*len(paths)))
		ratio = append(ratio, float64(took)/float64(unit))
	}
	slices.Sort(ns)
	slices.Sort(ratio)
	b.ReportMetric(ns[len(ns)/2], "ns/URL")
	b.ReportMetric(ratio[len(ratio)/2], "U")
}

func totalBytes(paths []string) (bytes int) {
	for _, path := range paths {
		bytes += len(path)
	}
	return bytes
}

// Scan is a benchmark of U over paths.
func Scan(b *testing.B, paths []string) {
	for i := 0; b.Loop(); i++ {
		scanSink = scan(scanSink, paths[i%len(paths)])
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N), "ns/URL")
	b.ReportMetric(float64(totalBytes(paths))/float64(len(paths)), "bytes/URL")
}
