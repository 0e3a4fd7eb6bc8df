package deflate

// Best is the stream of a text, MaxText bytes at most, that is compressed once for many files:
// in a code of its own, and with the best tokens.
func Best(text []byte) []byte {
	tokens := bestTokens(text, new(table))
	var of counts
	of.add(tokens)
	var c Code
	c.set(&of)
	out := c.header
	out.markLast(0)
	out.addTokens(tokens, &c)
	out.end(&c)
	out.fill()
	return out.bytes
}

// bestTokens are the tokens of a text that is compressed once for many streams: all places
// are looked at where it may have stood before. The table gets some of those in it, as
// appendTokens leaves it.
func bestTokens(text []byte, known *table) (tokens []token) {
	appendTokens(nil, text, 0, known)
	var newest table                    // where three bytes of a hash stood last: the position and 1, or 0
	before := make([]uint16, len(text)) // likewise, where those of a position stood before it
	slot := func(at int) *uint16 {
		return &newest[(uint32(text[at])|uint32(text[at+1])<<8|uint32(text[at+2])<<16)*0x9e3779b1>>(32-tableBits)]
	}
	longest := func(at int) (n, distance int) {
		if at+3 > len(text) {
			return 0, 0
		}
		for place := int(*slot(at)) - 1; place >= 0 && at-place <= window; place = int(before[place]) - 1 {
			if m := matched(text, place, at); m >= 3 && saved(m, at-place) > saved(n, distance) {
				n, distance = m, at-place
			}
		}
		return n, distance
	}
	for at := 0; at < len(text); {
		n, distance := longest(at)
		if n > 0 {
			if later, from := longest(at + 1); saved(later, from) > saved(n, distance)+2 {
				n = 0
			}
		}
		if n < 4 && saved(n, distance) < 10 {
			tokens, n = append(tokens, token(text[at])), 1
		} else {
			tokens = append(tokens, newMatch(n, distance))
		}
		for ; n > 0; n-- {
			if at+3 <= len(text) {
				s := slot(at)
				before[at], *s = *s, uint16(at+1)
			}
			at++
		}
	}
	return tokens
}
