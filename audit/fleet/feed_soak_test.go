//go:build soak

package fleet

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFeedSoak measures how fast sites are fed to a server that syncs always, in this process, and
// what a queued one costs: all memory of the process, and of its heap.
func TestFeedSoak(t *testing.T) {
	sites := 200_000
	if text := os.Getenv("TEST_SITES"); text != "" {
		sites, _ = strconv.Atoi(text)
	}
	c := testBucketFleet(t, time.Minute)
	run, err := Submit(t.Context(), c, Run{ID: "soak"}, strings.NewReader(names(sites)), nil)
	if err != nil {
		t.Fatal(err)
	}
	f := &feeder{c: c, run: &run, check: func() error { return nil }, log: func(level, text string) { t.Log(level, text) }}
	if err := f.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	heap, cpu, begun := heapBytes(), cpuTime(), time.Now()
	if err := f.pass(t.Context(), true, &bitmap{}); err != nil {
		t.Fatal(err)
	}
	took, cpuTook := time.Since(begun), cpuTime()-cpu
	f.close()
	perSite := float64(heapBytes()-heap) / float64(sites)
	t.Logf("%d sites fed in %.1f s: %.0f sites/s, %.1f µs of CPU a site (feeder and server), %.0f bytes of heap a queued site",
		sites, took.Seconds(), float64(sites)/took.Seconds(), float64(cpuTook.Microseconds())/float64(sites), perSite)
	if f.accepted != sites {
		t.Errorf("%d sites were accepted", f.accepted)
	}
	if perSite > 400 {
		t.Errorf("a queued site costs %.0f bytes, want 400 at most", perSite)
	}
}

// TestFoldSoak measures what a run of a million sites costs its coordinator beside the merge.
func TestFoldSoak(t *testing.T) {
	const sites = 1_000_000
	before := heapBytes()
	var known bitmap
	for n := range sites {
		known.set(n)
	}
	t.Logf("bitmap of %d sites, and its copy for the feeder: %d bytes", sites, heapBytes()-before+uint64(8*len(known.words)))
	runtime.KeepAlive(&known)
}

func heapBytes() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
