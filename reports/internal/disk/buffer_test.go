package disk

import (
	"runtime"
	"testing"
)

// A buffer from the pool is empty, and never larger than maxKept.
func TestBuffer(t *testing.T) {
	for range 100 {
		PutBuffer(nil)
		PutBuffer(make([]byte, 10, 100))
		PutBuffer(make([]byte, 0, maxKept))
		if buf := GetBuffer(); len(buf) > 0 || cap(buf) >= maxKept {
			t.Fatalf("a buffer of %d bytes, %d at most", len(buf), cap(buf))
		}
	}
}

// A FreeList makes as many values as are in use at once, and reuses them after garbage collections.
func TestFreeList(t *testing.T) {
	var list FreeList[int]
	made := 0
	get := func() *int {
		return list.Get(func() *int { made++; return new(int) })
	}
	a, b := get(), get()
	list.Put(a)
	list.Put(b)
	runtime.GC()
	runtime.GC()
	if c, d := get(), get(); made != 2 || c == d {
		t.Errorf("%d values were made, want 2", made)
	}
}
