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
	places := map[[3]byte][]int{} // where three bytes stand
	longest := func(at int) (n, distance int) {
		if at+3 > len(text) {
			return 0, 0
		}
		for _, place := range places[[3]byte(text[at:])] {
			if m := matched(text, place, at); at-place <= window && saved(m, at-place) > saved(n, distance) {
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
				key := [3]byte(text[at:])
				places[key] = append(places[key], at)
			}
			at++
		}
	}
	return tokens
}
