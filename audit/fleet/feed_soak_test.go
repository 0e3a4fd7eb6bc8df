//go:build soak && unix

package fleet

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

// TestFoldSoak measures the cost of a run of a million sites for its coordinator, without the
// merge.
func TestFoldSoak(t *testing.T) {
	const sites = 1_000_000
	before := heapBytes()
	var known bitmap
	for n := range sites {
		known.set(n)
	}
	size := heapBytes() - before + uint64(8*len(known.words))
	t.Logf("bitmap of %d sites, and its copy for the feeder: %d bytes", sites, size)
	if size > 1<<20 {
		t.Errorf("%d bytes, want less than a megabyte", size)
	}
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
