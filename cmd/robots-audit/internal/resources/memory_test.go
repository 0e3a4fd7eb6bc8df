package resources

import "testing"

// The limit stays as long as the collector has some room below it; then there is a
// quarter more than is in use, however much that is.
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
