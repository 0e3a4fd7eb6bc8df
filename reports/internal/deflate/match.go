package deflate

import (
	"encoding/binary"
	"math/bits"
)

// Limits of matches.
const (
	maxMatch   = 258
	window     = 1 << 15
	shortMatch = 16
	tableBits  = 12

	// MaxText is the number of bytes that a text may have: positions in it are kept in 16 bits.
	MaxText = 1<<16 - 2
)

// token is a byte, or a match: text that stands a distance before, too.
type token uint32

const matchToken token = 1 << 31 // typed: an int may have 32 bits

func newMatch(n, distance int) token {
	return matchToken | token(distance-1)<<8 | token(n-3)
}

func (t token) length() uint32   { return uint32(t) & 0xff }              // less 3
func (t token) distance() uint32 { return uint32(t) >> 8 & (window - 1) } // less 1

// table tells where a text had the bytes of a hash last: the position and 1, or 0.
type table [1 << tableBits]uint16

func load32(text []byte, at int) uint32 { return binary.LittleEndian.Uint32(text[at:]) }
func load64(text []byte, at int) uint64 { return binary.LittleEndian.Uint64(text[at:]) }

// note notes that eight bytes stand at a position. It returns the distance at which bytes of
// the same hash, that of the first five, stood last; more than the position where none did.
func (t *table) note(v uint64, at int) (distance int) {
	slot := &t[v<<24*0x9e3779b185ebca87>>(64-tableBits)]
	distance = at + 1 - int(*slot)
	*slot = uint16(at + 1)
	return distance
}

// appendTokens appends the tokens of a text from a position on; what stands before it may be
// matched. The table knows places in the text before, and gets some of those that follow.
//
// Text that repeats itself as rows do has matches at the distance of a row, or of ten, of
// which the last digit is the same: so the last two distances are tried before the table is.
func appendTokens(tokens []token, text []byte, from int, known *table) []token {
	at := from
	if at == 0 && len(text) > 0 { // nothing to match
		tokens = append(tokens, token(text[0]))
		at++
	}
	last, before := 1, 1 // distances
	end := len(text) - 16
	for at < end {
		n, distance := 0, 0
		v := load64(text, at)
		third := known.note(v, at)
		switch {
		case load64(text, at-last) == v:
			n, distance = matched(text, at-last, at), last
		case load64(text, at-before) == v:
			n, distance = matched(text, at-before, at), before
		case third <= min(at, window) && load32(text, at-third) == uint32(v):
			n, distance = matched(text, at-third, at), third
		default:
			tokens = append(tokens, token(text[at]))
			at++
			continue
		}
		if n < shortMatch { // the one from the next byte on may be better
			n1, distance1 := 0, 0
			v := load64(text, at+1)
			third := known.note(v, at+1)
			switch {
			case load64(text, at+1-last) == v:
				n1, distance1 = matched(text, at+1-last, at+1), last
			case third <= min(at+1, window) && load32(text, at+1-third) == uint32(v):
				n1, distance1 = matched(text, at+1-third, at+1), third
			}
			if saved(n1, distance1) > saved(n, distance) {
				tokens = append(tokens, token(text[at]))
				at++
				n, distance = n1, distance1
			}
		}
		tokens = append(tokens, newMatch(n, distance))
		if distance != last {
			last, before = distance, last
		}
		if next := at + n; next < end {
			known.note(load64(text, at+2), at+2)
			for k := next - 3; k < next; k++ {
				known.note(load64(text, k), k)
			}
		}
		at += n
	}
	for ; at < len(text); at++ {
		tokens = append(tokens, token(text[at]))
	}
	return tokens
}

// saved is about the number of bits that a match saves.
func saved(n, distance int) int { return 6*n - bits.Len32(uint32(distance)) }

// matched returns how many bytes at two positions are the same.
func matched(text []byte, a, b int) int {
	other := text[b:min(len(text), b+maxMatch)]
	one := text[a : a+len(other)]
	n := 0
	for ; n+8 <= len(other); n += 8 {
		if x := binary.LittleEndian.Uint64(one[n:]) ^ binary.LittleEndian.Uint64(other[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)>>3
		}
	}
	for n < len(other) && one[n] == other[n] {
		n++
	}
	return n
}
