package fleet

import (
	"math/rand/v2"
	"testing"
)

func TestBitmap(t *testing.T) {
	var b bitmap
	known := map[int]bool{}
	for range 5000 {
		n := rand.IntN(3000)
		if rand.IntN(3) == 0 {
			b.clear(n)
			delete(known, n)
		} else if b.set(n) == known[n] {
			t.Fatalf("set(%d) says new although it is %t that it is there", n, known[n])
		} else {
			known[n] = true
		}
	}
	if b.count != len(known) {
		t.Errorf("count %d, want %d", b.count, len(known))
	}
	for _, end := range []int{0, 1, 63, 64, 65, 1000, 2999, 5000} {
		want := 0
		for n := range end {
			if b.has(n) != known[n] {
				t.Fatalf("has(%d) = %t", n, b.has(n))
			}
			if !known[n] {
				want++
			}
		}
		if got := b.missing(end); got != want {
			t.Errorf("missing(%d) = %d, want %d", end, got, want)
		}
	}
	other := b.clone()
	other.set(100_000)
	if b.has(100_000) || b.has(-1) || !other.has(100_000) {
		t.Error("a clone is not a set of its own")
	}
}
