package match

import "strings"

// glob is a pattern cut at its wildcards, so that matching needs no parsing. Its
// texts are contiguous in globs.text: prefix, last, and each middle text after
// its length.
type glob struct {
	text   uint32 // offset of its texts
	prefix uint32 // length of the text before the first wildcard
	last   uint32 // length of the text after the last wildcard, if the path must end with it
	middle uint32 // number of texts between wildcards, or after the last one if anything may follow
	end    bool   // the path must end where the pattern ends
	wild   bool   // there is a wildcard that matters
	more   bool   // the pattern is ambiguous: a path that these texts match is also compared with globs.ambiguous
}

// globs are patterns by rank. A Set of 10,000 has its texts in two blocks of
// memory. As single strings they would be spread over the whole file.
type globs struct {
	list      []glob
	text      string
	ambiguous map[int32]ambiguous
}

// newGlobs cuts patterns. It drops wildcards without effect: repeated ones, and a
// last one, which also cancels the end anchor.
func newGlobs(patterns []Pattern) globs {
	size := 0
	for i := range patterns {
		size += len(patterns[i].Text) + 1 // the length of a text replaces its wildcard
	}
	var text strings.Builder
	text.Grow(size)
	gs := globs{list: make([]glob, len(patterns))}
	for i := range patterns {
		if p := patterns[i]; p.Ambiguous {
			if gs.ambiguous == nil {
				gs.ambiguous = map[int32]ambiguous{}
			}
			gs.ambiguous[int32(i)] = newAmbiguous(p)
			p = atLeast(p)
			gs.list[i] = newGlob(&p, &text)
			gs.list[i].wild, gs.list[i].more = true, true
			continue
		}
		gs.list[i] = newGlob(&patterns[i], &text)
	}
	gs.text = text.String()
	return gs
}

// newGlob cuts a pattern and adds its texts to text.
func newGlob(p *Pattern, text *strings.Builder) glob {
	g := glob{text: uint32(text.Len()), end: p.End}
	prefix, rest, wild := strings.Cut(p.Text, "*")
	if p.Literal || !wild {
		g.prefix = uint32(len(p.Text))
		text.WriteString(p.Text)
		return g
	}
	g.prefix = uint32(len(prefix))
	text.WriteString(prefix)
	last := rest[strings.LastIndexByte(rest, '*')+1:]
	if g.end = p.End && last != ""; g.end {
		rest = rest[:len(rest)-len(last)]
		g.last = uint32(len(last))
		text.WriteString(last)
	}
	for rest != "" {
		var part string
		if part, rest, _ = strings.Cut(rest, "*"); part != "" {
			writeLength(text, len(part))
			text.WriteString(part)
			g.middle++
		}
	}
	g.wild = g.end || g.middle > 0
	return g
}

// writeLength writes the length of a text in one byte, or in several of seven bits each.
func writeLength(text *strings.Builder, n int) {
	for ; n >= 0x80; n >>= 7 {
		text.WriteByte(byte(n) | 0x80)
	}
	text.WriteByte(byte(n))
}

// textAt returns the text whose length is at an offset, and the offset after it.
func (gs *globs) textAt(at uint32) (text string, next uint32) {
	n := uint32(gs.text[at])
	at++
	if n >= 0x80 {
		n &= 0x7f
		for shift := 7; ; shift += 7 {
			c := gs.text[at]
			at++
			if n |= uint32(c&0x7f) << shift; c < 0x80 {
				break
			}
		}
	}
	return gs.text[at : at+n], at + n
}

// prefix returns the text of a glob before its first wildcard.
func (gs *globs) prefix(g *glob) string { return gs.text[g.text : g.text+g.prefix] }

// last returns the text that the path must end with.
func (gs *globs) last(g *glob) string {
	return gs.text[g.text+g.prefix : g.text+g.prefix+g.last]
}

// match reports whether the pattern of a rank matches path, as [Pattern.Match]
// does. If the path must end with the last text, that is compared first, as it
// is the cheapest test. Every other text is matched at its leftmost offset, so
// that the path is read once.
func (gs *globs) match(rank int32, path string) bool {
	g := &gs.list[rank]
	if !strings.HasPrefix(path, gs.prefix(g)) {
		return false
	}
	if !g.wild {
		return !g.end || len(path) == int(g.prefix)
	}
	rest := path[g.prefix:]
	if g.end {
		if !strings.HasSuffix(rest, gs.last(g)) {
			return false
		}
		rest = rest[:len(rest)-int(g.last)]
	}
	next := g.text + g.prefix + g.last
	for range g.middle {
		var text string
		text, next = gs.textAt(next)
		at := strings.Index(rest, text)
		if at < 0 {
			return false
		}
		rest = rest[at+len(text):]
	}
	if g.more {
		a := gs.ambiguous[rank]
		return a.match(path)
	}
	return true
}

// longestText returns the longest text after the first wildcard, and whether the
// path must end with it.
func (gs *globs) longestText(g *glob) (longest string, end bool) {
	longest, end = gs.last(g), g.end
	next := g.text + g.prefix + g.last
	for range g.middle {
		var text string
		if text, next = gs.textAt(next); len(text) > len(longest) {
			longest, end = text, false
		}
	}
	return longest, end
}

// need returns the signature of the bytes that a path must contain after the
// glob's prefix.
func (gs *globs) need(g *glob) signature {
	s := signatureOf(gs.last(g))
	next := g.text + g.prefix + g.last
	for range g.middle {
		var text string
		text, next = gs.textAt(next)
		s |= signatureOf(text)
	}
	return s
}
