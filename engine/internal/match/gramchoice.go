package match

// poorMax is the number of patterns without a fair gram that are listed instead.
// Such a gram would be in most paths, and would limit the length of other grams
// with the same first byte.
const poorMax = 16

// fairGram returns a text of a pattern and an offset at which a gram may begin that
// is long or rare enough; len(text) for a gram at the end. fair is false if there is
// no such gram. Grams with the same first byte are made as short as this one.
func (b *treeBuilder) fairGram(rank int32) (text string, at int, fair bool) {
	g := &b.globs.list[rank]
	longest, end := b.globs.longestText(g)
	switch {
	case end:
		return longest, len(longest), true
	case len(longest) >= 3:
		return longest, 0, true
	case g.end:
		last := b.globs.last(g)
		return last, len(last), true
	}
	next := g.text + g.prefix
	for range g.middle {
		text, next = b.globs.textAt(next)
		for at := range len(text) {
			if signatureBits[text[at]]&commonBits == 0 {
				return text, at, true
			}
		}
	}
	return longest, 0, false
}

// countPoor returns how many patterns have no fair gram.
func (b *treeBuilder) countPoor(list []int32) (n int) {
	for _, rank := range list {
		if _, _, fair := b.fairGram(rank); !fair {
			n++
		}
	}
	return n
}

// list adds a pattern that is tried on every path with the bytes it needs.
func (b *treeBuilder) list(f *gramFilter, rank int32) {
	f.listed = append(f.listed, wildRank{b.globs.need(&b.globs.list[rank]), rank}) // there is capacity after those of other filters
	b.listed = b.listed[:len(b.listed)+1]
}

// countGrams counts the grams of a text that may be anywhere in the path.
func (b *treeBuilder) countGrams(text string) {
	for at := range len(text) {
		b.inner.count(gramAt(text, at), len(text)-at)
	}
}

// rarest returns the text of g with the least frequent gram, the offset of that
// gram, and its count; n = none: there is no gram.
func (b *treeBuilder) rarest(g *glob) (text string, at int, n uint32) {
	n = none
	try := func(t string) {
		for i := range len(t) {
			if m := b.inner.frequency(gramAt(t, i), len(t)-i); m < n {
				text, at, n = t, i, m
			}
		}
	}
	next := g.text + g.prefix + g.last
	for range g.middle {
		var t string
		t, next = b.globs.textAt(next)
		try(t)
	}
	try(b.globs.last(g))
	return text, at, n
}

// endShared is the number of patterns with the same gram at the end from which
// another gram is preferred. A gram at the end of a path is looked up once, one
// inside it at every offset.
const endShared = 4

// assignGram chooses the gram that finds a pattern.
func (b *treeBuilder) assignGram(f *gramFilter, rank int32) {
	g := &b.globs.list[rank]
	last := b.globs.last(g)
	end := b.ends.frequency(lastGram(last), len(last))
	if end >= endShared {
		if text, at, n := b.rarest(g); n < end {
			e := newGramEntry(text, at, rank)
			if g.middle == 1 && !g.end {
				b.prove(&e, text, g)
			}
			b.inner.choose(gramAt(text, at), e)
			return
		}
	}
	if end == none { // no gram of this pattern can be used
		b.list(f, rank)
		return
	}
	e := newGramEntry(last, len(last), rank)
	if g.middle == 0 {
		b.prove(&e, last, g)
	}
	b.ends.choose(lastGram(last), e)
}

// prove sets e.proof for a pattern whose only text after the first wildcard is the
// key. A prefix longer than a slash was already matched when an entry is tested:
// see treeText.
func (b *treeBuilder) prove(e *gramEntry, text string, g *glob) {
	switch prefix := b.globs.prefix(g); {
	case len(text) > 8 || g.more:
	case prefix == "/":
		e.proof = proofSlash
	case len(prefix) != 1:
		e.proof = proofNone
	}
}
