package xlsx

import (
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

func TestJoinedCRC(t *testing.T) {
	text, random := make([]byte, 100000), rand.New(rand.NewPCG(1, 1))
	for i := range text {
		text[i] = byte(random.Uint32())
	}
	want := crc32.ChecksumIEEE(text)
	for _, cut := range []int{0, 1, 2, 7, 255, 256, 65536, 99999, 100000} {
		if got := joinedCRC(crc32.ChecksumIEEE(text[:cut]), crc32.ChecksumIEEE(text[cut:]), uint64(len(text)-cut)); got != want {
			t.Errorf("cut at %d: %08x, want %08x", cut, got, want)
		}
	}
	// More than 4 GiB may follow: a gap of n zero bytes in two steps equals one step.
	const n = uint64(5) << 30
	zeros := func(crc uint32, n uint64) uint32 { return joinedCRC(crc, 0, n) }
	if got := zeros(zeros(want, n/2), n/2); got != zeros(want, n) {
		t.Errorf("over 5 GiB: %08x, want %08x", got, zeros(want, n))
	}
}
