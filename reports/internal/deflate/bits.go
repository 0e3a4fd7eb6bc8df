package deflate

import "encoding/binary"

// bitString is a string of bits, the first one lowest: whole bytes, and what fills no byte yet.
type bitString struct {
	bytes []byte
	rest  uint64
	n     uint // of rest, less than 8 between calls
}

func (b *bitString) reset() { b.bytes, b.rest, b.n = b.bytes[:0], 0, 0 }

// add adds the n lowest bits of v, which has no others; at most 56.
func (b *bitString) add(v uint64, n uint) {
	b.rest |= v << b.n
	b.n += n
	for b.n >= 8 {
		b.bytes = append(b.bytes, byte(b.rest))
		b.rest >>= 8
		b.n -= 8
	}
}

// addString adds a string of bits.
func (b *bitString) addString(s *bitString) {
	from := s.bytes
	at, _ := b.grow(len(from) + 16)
	to, rest, n := b.bytes[:cap(b.bytes)], b.rest, b.n
	for ; len(from) >= 4; from = from[4:] {
		rest |= uint64(binary.LittleEndian.Uint32(from)) << n
		binary.LittleEndian.PutUint64(to[at:], rest)
		at += 4
		rest >>= 32
	}
	b.bytes, b.rest = to[:at], rest
	for _, c := range from {
		b.add(uint64(c), 8)
	}
	b.add(s.rest, s.n)
}

// grow makes room for n bytes more, and returns where they go.
func (b *bitString) grow(n int) (at, room int) {
	at = len(b.bytes)
	if cap(b.bytes)-at < n {
		b.bytes = append(make([]byte, 0, 2*cap(b.bytes)+n), b.bytes...)
	}
	return at, n
}

// addTokens adds tokens in a code.
func (b *bitString) addTokens(tokens []token, c *Code) {
	at, _ := b.grow(6*len(tokens) + 16) // a match has 48 bits at most
	to, rest, n := b.bytes[:cap(b.bytes)], b.rest, b.n
	for _, t := range tokens {
		if t < literals {
			w := c.literal[t]
			rest |= w.bits() << n
			n += w.len()
		} else {
			w := c.length[t.length()]
			rest |= w.bits() << n
			n += w.len()
			d := t.distance()
			symbol, extra := distanceSymbol(d)
			w = c.distance[symbol]
			rest |= w.bits() << n
			n += w.len()
			rest |= uint64(d&(1<<extra-1)) << n
			n += extra
		}
		binary.LittleEndian.PutUint64(to[at:], rest)
		at += int(n >> 3)
		rest >>= n &^ 7
		n &= 7
	}
	b.bytes, b.rest, b.n = to[:at], rest, n
}

// addText adds bytes, each for itself.
func (b *bitString) addText(text []byte, c *Code) {
	for _, at := range text {
		b.add(c.literal[at].bits(), c.literal[at].len())
	}
}

// end ends the block.
func (b *bitString) end(c *Code) { b.add(c.literal[endOfBlock].bits(), c.literal[endOfBlock].len()) }

// fill fills the last byte.
func (b *bitString) fill() {
	if b.n > 0 {
		b.add(0, 8-b.n)
	}
}
