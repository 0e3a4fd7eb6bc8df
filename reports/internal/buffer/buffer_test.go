package buffer

import "testing"

// What is lent is empty, and never larger than what is kept.
func TestBuffer(t *testing.T) {
	for range 100 {
		Put(nil)
		Put(make([]byte, 10, 100))
		Put(make([]byte, 0, maxKept))
		if buf := Get(); len(buf) > 0 || cap(buf) >= maxKept {
			t.Fatalf("a buffer of %d bytes, %d at most", len(buf), cap(buf))
		}
	}
}
