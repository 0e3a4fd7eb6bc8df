package match

// gramIndex is a hash table from grams to the patterns that they find. A gram is
// one to four consecutive bytes as a number. The lowest byte is the first one,
// or the last one for grams at the end of a path. Grams with the same first byte
// have the same length, kept as a mask; the mask is 0 for a byte that begins no
// gram. Two grams may share a slot, which only costs comparisons.
type gramIndex struct {
	mask    [256]uint32
	used    [1 << 32 >> hashShift / 64]uint64 // a bit for each hash of a gram. Hash 0 is never used: it is the hash of all offsets where no gram begins
	coarse  uint8                             // shift from a product to the slot, which covers several hashes
	starts  []uint32                          // where each slot begins in entries, and where the last one ends
	entries []gramEntry                       // sorted by slot, then by precedence
}

// gramEntry finds a pattern by the slot of a gram and by a key. The key is up to
// eight bytes of the same text, and rules out most patterns that do not match.
type gramEntry struct {
	key   uint64 // the first byte lowest
	rank  int32  // the pattern
	back  uint16 // bytes from the start of the key to the gram or, for a gram at the end, to the end of the path
	size  uint8  // bytes of the key
	proof uint8  // what else a path with the key needs to match
}

// What else a path with the key of a pattern needs to match.
const (
	proofNone  = iota // nothing: there is no other text
	proofSlash        // a "/" before anything else
	proofTry          // a full test of the pattern
)

// newGramEntry makes the entry of a pattern for the gram at an offset of its text.
// If at is len(text), it is the gram at the end.
func newGramEntry(text string, at int, rank int32) gramEntry {
	begin := max(min(at, len(text)-8), 0)
	size := min(len(text)-begin, 8)
	return gramEntry{key: Load(text, begin, size), rank: rank, back: uint16(at - begin), size: uint8(size), proof: proofTry}
}

// keyMatches reports whether path has the key at its position, with the gram at
// offset at, and not before from.
func (e *gramEntry) keyMatches(path string, from, at int) bool {
	begin, size := at-int(e.back), int(e.size)
	return begin >= from && begin+size <= len(path) && Load(path, begin, size) == e.key
}

// gramAt returns the four bytes of text from at on; bytes beyond the end are 0.
func gramAt(text string, at int) uint32 { return uint32(Load(text, at, 4)) }

// lastGram returns the last four bytes of text, the last one lowest; bytes
// before the beginning are 0.
func lastGram(text string) (w uint32) {
	for i := max(len(text)-4, 0); i < len(text); i++ {
		w = w<<8 | uint32(text[i])
	}
	return w
}

// hashMultiplier mixes all bytes of a gram into the upper bits of the product.
const hashMultiplier = 0x9e3779b1

// hashShift makes a hash of such a product. With 128 Ki hashes, few grams of a path
// have a used one by accident. The bits for them fit into the processor's L1 cache.
const hashShift = 32 - 17

// product returns the number whose upper bits are the hash of the gram that w begins
// with.
func (g *gramIndex) product(w uint32) uint32 { return w & g.mask[byte(w)] * hashMultiplier }

// slot returns the entries in the slot of the gram that w begins with.
func (g *gramIndex) slot(w uint32) []gramEntry {
	slot := g.product(w) >> (g.coarse & 31)
	return g.entries[g.starts[slot]:g.starts[slot+1]]
}

// lookup returns the entries in the slot of the gram that w begins with, if its hash
// is used.
func (g *gramIndex) lookup(w uint32) []gramEntry {
	if h := g.product(w) >> hashShift; g.used[h>>6]>>(h&63)&1 == 0 {
		return nil
	}
	return g.slot(w)
}

// nextHit returns the first offset of path, at or after from, where a gram with
// a used hash begins; len(path) = none. It looks up four offsets at a time,
// which do not wait for each other, unlike the steps of an automaton.
func (g *gramIndex) nextHit(path string, at int) int {
	if len(path) < 8 {
		for ; at < len(path) && len(g.lookup(gramAt(path, at))) == 0; at++ {
		}
		return at
	}
	mask, used := &g.mask, &g.used
	for ; at < len(path); at += 4 {
		from := min(at, len(path)-8) // near the end, zeros are shifted in after the text
		w := Load8(path[from:]) >> (8 * (at - from) & 63)
		w0, w1, w2, w3 := uint32(w), uint32(w>>8), uint32(w>>16), uint32(w>>24)
		h0 := w0 & mask[byte(w0)] * hashMultiplier >> hashShift
		h1 := w1 & mask[byte(w1)] * hashMultiplier >> hashShift
		h2 := w2 & mask[byte(w2)] * hashMultiplier >> hashShift
		h3 := w3 & mask[byte(w3)] * hashMultiplier >> hashShift
		u0, u1, u2, u3 := used[h0>>6]>>(h0&63), used[h1>>6]>>(h1&63), used[h2>>6]>>(h2&63), used[h3>>6]>>(h3&63)
		switch {
		case (u0|u1|u2|u3)&1 == 0:
		case u0&1 != 0:
			return at
		case u1&1 != 0:
			return min(at+1, len(path))
		case u2&1 != 0:
			return min(at+2, len(path))
		default:
			return min(at+3, len(path))
		}
	}
	return len(path)
}
