package match

import "robots-audit/engine/internal/bytealg"

// gramIndex is a hash table from grams to the patterns that are found by them. A
// gram is one to four bytes in a row as a number, the first byte the lowest, or
// for grams at the end of a path the last one. Grams that begin with the same
// byte have the same length, kept as a mask, which is 0 for a byte that no gram
// begins with. Two grams may share a slot, which costs comparisons and no more.
type gramIndex struct {
	mask    [256]uint32
	shift   uint8
	bucket  []uint16    // of each slot, counted from 1; 0 = none: the slot is free, as slot 0 always is
	starts  []uint32    // where each bucket begins in entries, and where the last one ends
	entries []gramEntry // sorted by slot, then by precedence
}

// gramEntry is how a pattern is found: by the slot of a gram, and by a key, up to
// eight bytes of the same text, which saves trying most patterns that do not match.
type gramEntry struct {
	key  uint64 // the first byte lowest
	rank int32  // the pattern
	back uint16 // the key begins so many bytes before the gram or, for a gram at the end, before the end of the path
	size uint8  // bytes of the key
}

// newGramEntry makes the entry of a pattern that is found by the gram at offset at
// of its text, or where at is len(text) by the gram at the end.
func newGramEntry(text string, at int, rank int32) gramEntry {
	begin := max(min(at, len(text)-8), 0)
	size := min(len(text)-begin, 8)
	return gramEntry{key: bytealg.Load(text, begin, size), rank: rank, back: uint16(at - begin), size: uint8(size)}
}

// keyMatches reports whether path holds the key where it must, the gram being at
// offset at.
func (e *gramEntry) keyMatches(path string, at int) bool {
	begin, size := at-int(e.back), int(e.size)
	return begin >= 0 && begin+size <= len(path) && bytealg.Load(path, begin, size) == e.key
}

// gramAt returns the four bytes of text from at on; bytes beyond the end are 0.
func gramAt(text string, at int) uint32 { return uint32(bytealg.Load(text, at, 4)) }

// lastGram returns the last four bytes of text, the last one lowest; bytes
// before the beginning are 0.
func lastGram(text string) (w uint32) {
	for i := max(len(text)-4, 0); i < len(text); i++ {
		w = w<<8 | uint32(text[i])
	}
	return w
}

// hashMultiplier multiplies a gram so that its upper bits depend on all of its bytes.
const hashMultiplier = 0x9e3779b1

// slot returns the slot of a masked gram.
func (g *gramIndex) slot(gram uint32) uint32 { return gram * hashMultiplier >> (g.shift & 31) }

// lookup returns the entries in the slot of the gram that w begins with.
func (g *gramIndex) lookup(w uint32) []gramEntry {
	n := g.bucket[g.slot(w&g.mask[byte(w)])]
	if n == 0 {
		return nil
	}
	return g.entries[g.starts[n-1]:g.starts[n]]
}

// nextHit returns the first offset of path, at or after from, at which a gram
// begins whose slot is in use; len(path) = none. It looks four offsets up at a
// time, which do not wait for each other as the steps of an automaton would.
func (g *gramIndex) nextHit(path string, from int) int {
	mask, bucket, shift := &g.mask, g.bucket, g.shift&31
	for at := from; at < len(path); at += 4 {
		var w uint64
		if len(path)-at >= 8 {
			w = bytealg.Load8(path[at:])
		} else {
			w = bytealg.Tail(path, at)
		}
		w0, w1, w2, w3 := uint32(w), uint32(w>>8), uint32(w>>16), uint32(w>>24)
		t0 := bucket[(w0&mask[byte(w0)])*hashMultiplier>>shift]
		t1 := bucket[(w1&mask[byte(w1)])*hashMultiplier>>shift]
		t2 := bucket[(w2&mask[byte(w2)])*hashMultiplier>>shift]
		t3 := bucket[(w3&mask[byte(w3)])*hashMultiplier>>shift]
		switch {
		case t0|t1|t2|t3 == 0:
		case t0 != 0:
			return at
		case t1 != 0:
			return min(at+1, len(path))
		case t2 != 0:
			return min(at+2, len(path))
		default:
			return min(at+3, len(path))
		}
	}
	return len(path)
}
