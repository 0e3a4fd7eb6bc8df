package urlindex

import (
	"bytes"
	"testing"
)

// Code for eight bytes at a time gives the same as the simple way.
func TestToLower(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 63} {
		for c := range 256 {
			text := bytes.Repeat([]byte{byte(c), byte(c + 1), 'Q'}, n)
			var want []byte
			for _, c := range text {
				if 'A' <= c && c <= 'Z' {
					c += 'a' - 'A'
				}
				want = append(want, c)
			}
			toLower(text)
			if !bytes.Equal(text, want) {
				t.Fatalf("%q, want %q", text, want)
			}
		}
	}
}
