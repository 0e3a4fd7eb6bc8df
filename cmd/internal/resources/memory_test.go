package resources

import (
	"runtime"
	"testing"
)

// The limit stays as long as the collector has some room below it. Above that it is a quarter more
// than is in use.
func TestMemoryLimit(t *testing.T) {
	const mb = 1 << 20
	for _, used := range []int64{0, 100 * mb, 345 * mb} {
		if limit := memoryLimit(used); limit != leastMemoryLimit {
			t.Errorf("%d MB in use: limit of %d MB, want %d", used/mb, limit/mb, leastMemoryLimit/mb)
		}
	}
	for _, used := range []int64{350 * mb, 500 * mb, 20_000 * mb} {
		if limit := memoryLimit(used); limit < used*5/4 || limit > used*5/4+32*mb {
			t.Errorf("%d MB in use: limit of %d MB, want a quarter more than that", used/mb, limit/mb)
		}
	}
}

// A small heap grows to leastHeap before it is collected, a larger one by a share. Stacks, which
// the collector counts too, do not delay it.
func TestHeapGrowth(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct{ live, stacks, most int64 }{
		{0, 0, leastHeap}, {5 * mb, 0, leastHeap}, {12 * mb, 0, leastHeap}, {12 * mb, 20 * mb, leastHeap},
		{leastHeap, 0, leastHeap * 160 / 100}, {100 * mb, 0, 160 * mb}, {100 * mb, 50 * mb, 190 * mb},
	} {
		heap := c.live + max(c.live+c.stacks, 4*mb)*int64(heapGrowth(c.live, c.stacks))/100
		if heap > c.most || heap < c.most-mb {
			t.Errorf("%d MB and stacks of %d MB: the heap grows to %d MB, want %d", c.live/mb, c.stacks/mb, heap/mb, c.most/mb)
		}
	}
}

// The function is called after each collection, not only after the first.
func TestAfterEachCollection(t *testing.T) {
	done := make(chan struct{}, 1)
	afterEachCollection(func() {
		select {
		case done <- struct{}{}:
		default:
		}
	})
	for range 3 {
		runtime.GC()
		<-done
	}
}
