package match

import (
	"math/bits"
	"strings"
	"testing"
)

// byByte is Load by its definition.
func byByte(text string, at, size int) (word uint64) {
	for i := range size {
		if at+i < len(text) {
			word |= uint64(text[at+i]) << (8 * i)
		}
	}
	return word
}

func TestLoad(t *testing.T) {
	for length := range 20 {
		text := "abcdefghijklmnopqrst"[:length]
		for at := range length + 1 {
			for size := range 9 {
				if got, want := Load(text, at, size), byByte(text, at, size); got != want {
					t.Errorf("Load(%q, %d, %d) = %x, want %x", text, at, size, got, want)
				}
			}
			if length-at < 8 {
				if got, want := Tail(text, at), byByte(text, at, 8); got != want {
					t.Errorf("Tail(%q, %d) = %x, want %x", text, at, got, want)
				}
			} else if got, want := Load8(text[at:]), byByte(text, at, 8); got != want {
				t.Errorf("Load8(%q) = %x, want %x", text[at:], got, want)
			}
		}
	}
}

// TestEqual searches each byte among all others: the lowest mark must be at the
// first equal byte.
func TestEqual(t *testing.T) {
	for c := range 256 {
		for other := range 256 {
			for at := range 8 {
				text := []byte(strings.Repeat("x", 8))
				for i := range text {
					text[i] = byte(other)
				}
				text[at] = byte(c)
				want := at
				if c == other {
					want = 0
				}
				mark := Equal(Load8(string(text)), byte(c))
				if got := bits.TrailingZeros64(mark) / 8; mark&^HighBits != 0 || got != want {
					t.Fatalf("Equal(%q, %q) = %x: the first byte is %d, want %d", text, byte(c), mark, got, want)
				}
			}
			if c != other && Equal(uint64(other)*LowBits, byte(c)) != 0 {
				t.Fatalf("%q is found among %q", byte(c), byte(other))
			}
		}
	}
}
