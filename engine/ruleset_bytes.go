package engine

// Bytes of a text as numbers, so that they are compared and looked up without
// a loop. The first byte is the lowest one unless said otherwise.

// eight returns the first eight bytes of text, which has as many.
func eight(text string) uint64 {
	_ = text[7]
	return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
}

// tail returns the bytes of text from at on, fewer than eight of them; bytes
// beyond the end are 0.
func tail(text string, at int) (w uint64) {
	if len(text) >= 8 {
		return eight(text[len(text)-8:]) >> (8 * uint(8-len(text)+at))
	}
	for i := len(text) - 1; i >= at; i-- {
		w = w<<8 | uint64(text[i])
	}
	return w
}

// part returns the size bytes of text from at on, up to eight of them.
func part(text string, at, size int) uint64 {
	if len(text)-at >= 8 {
		return eight(text[at:]) & (1<<(8*uint(size)) - 1)
	}
	return tail(text, at) & (1<<(8*uint(size)) - 1)
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// marks sets the highest bit of each byte of word that is c. Above the lowest
// byte that is, others may be marked as well: subtracting borrows.
func marks(word uint64, c byte) uint64 {
	word ^= ones * uint64(c)
	return (word - ones) &^ word & highs
}

// forward returns the four bytes of text from at on; bytes beyond the end are 0.
func forward(text string, at int) uint32 { return uint32(part(text, at, 4)) }

// backward returns the last four bytes of text, the last one lowest; bytes
// before the beginning are 0.
func backward(text string) (w uint32) {
	for i := max(len(text)-4, 0); i < len(text); i++ {
		w = w<<8 | uint32(text[i])
	}
	return w
}
