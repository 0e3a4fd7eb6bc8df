package match

import "robots-audit/engine/internal/bytealg"

// grams maps grams to the patterns that ask for them: a gram is one to four
// bytes in a row, the first one lowest, or for grams at the end the last one.
// Grams that begin with the same byte have the same length, kept as a mask,
// which is 0 for a byte that no gram begins with. Grams share slots now and
// then, which costs a comparison in vain and no more.
type grams struct {
	mask  [256]uint32
	shift uint8
	taken []uint16 // number of each slot's part of list, from 1 on; 0 = free, as slot 0 always is
	heads []uint32 // where each part begins in list, and where the last one ends
	list  []choice // sorted by slot, then by precedence
}

// choice is how a pattern is found: by the slot of a gram, and by a key, up to
// eight bytes of the same text, which saves most patterns a trial in vain.
type choice struct {
	key  uint64 // the first byte lowest
	rank int32  // the pattern
	back uint16 // the key begins so many bytes before the gram or, for a gram at the end, before the end of the path
	size uint8  // bytes of the key
}

// newChoice makes the choice of the gram at offset at of text, or of the gram
// at its end where at is len(text).
func newChoice(text string, at int, rank int32) choice {
	begin := max(min(at, len(text)-8), 0)
	size := min(len(text)-begin, 8)
	return choice{key: bytealg.Load(text, begin, size), rank: rank, back: uint16(at - begin), size: uint8(size)}
}

// stands reports whether the key stands in path, seen from at.
func (c *choice) stands(path string, at int) bool {
	begin, size := at-int(c.back), int(c.size)
	return begin >= 0 && begin+size <= len(path) && bytealg.Load(path, begin, size) == c.key
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

// spread multiplies a gram so that its upper bits depend on all of its bytes.
const spread = 0x9e3779b1

// slot returns the slot of a masked gram.
func (g *grams) slot(gram uint32) uint32 { return gram * spread >> (g.shift & 31) }

// at returns the choices in the slot of the gram that w begins with.
func (g *grams) at(w uint32) []choice {
	n := g.taken[g.slot(w&g.mask[byte(w)])]
	if n == 0 {
		return nil
	}
	return g.list[g.heads[n-1]:g.heads[n]]
}

// next returns the first offset of path, at or after from, at which a gram
// stands whose slot is taken; len(path) = none. It looks at four offsets at a
// time, which do not wait for each other as the steps of an automaton would.
func (g *grams) next(path string, from int) int {
	mask, taken, shift := &g.mask, g.taken, g.shift&31
	for at := from; at < len(path); at += 4 {
		var w uint64
		if len(path)-at >= 8 {
			w = bytealg.Load8(path[at:])
		} else {
			w = bytealg.Tail(path, at)
		}
		w0, w1, w2, w3 := uint32(w), uint32(w>>8), uint32(w>>16), uint32(w>>24)
		t0 := taken[(w0&mask[byte(w0)])*spread>>shift]
		t1 := taken[(w1&mask[byte(w1)])*spread>>shift]
		t2 := taken[(w2&mask[byte(w2)])*spread>>shift]
		t3 := taken[(w3&mask[byte(w3)])*spread>>shift]
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
