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
	for n := range 5000 {
		if b.has(n) != known[n] {
			t.Fatalf("has(%d) = %t", n, b.has(n))
		}
	}
	other := b.clone()
	other.set(100_000)
	if b.has(100_000) || b.has(-1) || !other.has(100_000) {
		t.Error("a clone is not a set of its own")
	}
}
