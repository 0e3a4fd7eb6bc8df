package urlindex

import (
	"encoding/binary"
	"math/bits"
)

// sharedBytes is how many bytes two texts have in common at their beginnings.
func sharedBytes(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		if differ := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); differ != 0 {
			return i + bits.TrailingZeros64(differ)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// toLower makes the ASCII letters of a text small ones, eight at a time: a search
// does so with all that it reads.
func toLower(b []byte) {
	const each = 0x0101010101010101
	for len(b) >= 8 {
		x := binary.LittleEndian.Uint64(b)
		low := x & (0x7f * each)                                      // without the high bits, no sum leaves its byte
		letters := (low + (0x80-'A')*each) &^ (low + (0x7f-'Z')*each) // the high bit of each that is a capital letter
		binary.LittleEndian.PutUint64(b, x|(letters&^x&(0x80*each))>>2)
		b = b[8:]
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
}

// reach returns a slice of n bytes that begins as b does, in b's memory where that is enough.
func reach(b []byte, n int) []byte {
	for cap(b) < n {
		b = append(b[:cap(b)], 0)
	}
	return b[:n]
}
