package deflate

import (
	"math/bits"
	"slices"
)

// Limits of the format (RFC 1951, 3.2).
const (
	literals   = 256 // the symbols of bytes; endOfBlock follows, then those of lengths
	endOfBlock = 256
	symbols    = 286 // bytes, the end of a block, lengths
	distances  = 30
	maxBits    = 15 // of a symbol
	maxMeta    = 7  // of a symbol in the code in which a code is told
)

// word is what is written for a symbol: its bits, the first one lowest, and above
// wordBits how many there are. That of a length holds its extra bits, too.
type word uint32

const wordBits = 24

func (w word) bits() uint64 { return uint64(w & (1<<wordBits - 1)) }
func (w word) len() uint    { return uint(w >> wordBits) }

// Code is a pair of Huffman codes, one of bytes and lengths, one of distances.
type Code struct {
	literal  [literals + 1]word
	length   [256]word // of a match, less 3
	distance [distances]word
	sizes    [symbols + distances]uint8 // bits of each symbol
	header   bitString                  // that tells a reader of the code, and opens a block which is not the last
}

// lengthSymbols are the symbols of lengths of matches, less 3; lengthExtra how many extra
// bits a symbol of lengths has.
var (
	lengthSymbols [256]uint16
	lengthExtra   [symbols - literals - 1]uint8
)

func init() {
	n := 0
	for i := range lengthExtra {
		if i >= 8 && i < len(lengthExtra)-1 {
			lengthExtra[i] = uint8(i/4 - 1)
		}
		for range 1 << lengthExtra[i] {
			if n < len(lengthSymbols) {
				lengthSymbols[n] = uint16(literals + 1 + i)
			}
			n++
		}
	}
	lengthSymbols[255] = symbols - 1 // 258 has a symbol of its own
}

// distanceSymbol returns the symbol of a distance, less 1, and its number of extra bits,
// which are the lowest of it.
func distanceSymbol(d uint32) (symbol, extra uint) {
	if d < 2 {
		return uint(d), 0
	}
	extra = uint(bits.Len32(d)) - 2
	return 2*extra + 2 + uint(d>>extra)&1, extra
}

// counts are how often symbols occur: those of bytes and lengths, then those of distances.
type counts [symbols + distances]uint32

func (c *counts) add(tokens []token) {
	for _, t := range tokens {
		if t < literals {
			c[t]++
			continue
		}
		c[lengthSymbols[t.length()]]++
		symbol, _ := distanceSymbol(t.distance())
		c[symbols+symbol]++
	}
}

// set makes c the best code for a block in which symbols occur so often.
func (c *Code) set(of *counts) {
	of[endOfBlock]++
	setSizes(c.sizes[:symbols], of[:symbols], maxBits)
	setSizes(c.sizes[symbols:], of[symbols:], maxBits)
	var words [symbols]word
	setWords(words[:], c.sizes[:symbols])
	copy(c.literal[:], words[:])
	for n := range c.length {
		w := words[lengthSymbols[n]]
		symbol := int(lengthSymbols[n]) - literals - 1
		if extra := uint(lengthExtra[symbol]); extra > 0 {
			first := n &^ (1<<extra - 1)
			w += word(n-first)<<w.len() + word(extra)<<wordBits
		}
		c.length[n] = w
	}
	setWords(c.distance[:], c.sizes[symbols:])
	c.header.reset()
	c.header.addHeader(c.sizes[:])
}

// size returns the bits that symbols take which occur so often, but for extra bits, which
// are the same in every code.
func (c *Code) size(of *counts) (n int) {
	for i, count := range of {
		n += int(count) * int(c.sizes[i])
	}
	return n
}

// setSizes sets the number of bits of each symbol, 0 = it does not occur, to the Huffman
// code for these counts. Codes that are longer than limit are shortened, and others made
// longer for it. A code has two symbols at least, though one may be for nothing.
func setSizes(sizes []uint8, of []uint32, limit int) {
	clear(sizes)
	var memory [symbols]uint64
	list := memory[:0] // count and symbol, the rarest first
	for symbol, n := range of {
		if n > 0 {
			list = append(list, uint64(n)<<16|uint64(symbol))
		}
	}
	for symbol := 0; len(list) < 2; symbol++ {
		if of[symbol] == 0 {
			list = append(list, 1<<16|uint64(symbol))
		}
	}
	slices.Sort(list)
	var depths [64]int // how many symbols there are of so many bits
	countDepths(depths[:limit+1], list)
	shorten(depths[:limit+1])
	i := len(list)
	for depth, n := range depths {
		for range n {
			i--
			sizes[list[i]&0xffff] = uint8(depth)
		}
	}
}

// countDepths counts the leaves of each depth of the Huffman tree over a list of counts
// (above 16 bits), the rarest first; those that lie deeper count for the last. The two
// rarest of all that has no parent yet get one, until one is left; both leaves and parents
// come in order of their counts.
func countDepths(depths []int, list []uint64) {
	var counts, parents, depth [2 * symbols]uint32
	n := len(list)
	for i, entry := range list {
		counts[i] = uint32(entry >> 16)
	}
	leaf, inner, root := 0, n, 2*n-2 // leaf, inner: the first of either without a parent
	for parent := n; parent <= root; parent++ {
		for range 2 {
			at := leaf
			if leaf < n && (inner == parent || counts[leaf] <= counts[inner]) {
				leaf++
			} else {
				at = inner
				inner++
			}
			counts[parent] += counts[at]
			parents[at] = uint32(parent)
		}
	}
	for i := root - 1; i >= 0; i-- {
		depth[i] = depth[parents[i]] + 1
		if i < n {
			depths[min(int(depth[i]), len(depths)-1)]++
		}
	}
}

// shorten takes symbols of a number of bits each, of which those of the most bits may have
// been cut to it, and makes others longer until all find room.
func shorten(depths []int) {
	limit := len(depths) - 1
	room := 1 << limit
	for depth, n := range depths {
		room -= n << (limit - depth)
	}
	for room < 0 { // one more bit for a symbol, and one of the longest beside it
		depth := limit - 1
		for depths[depth] == 0 {
			depth--
		}
		depths[limit]--
		depths[depth]--
		depths[depth+1] += 2
		room++
	}
}

// setWords sets the canonical code of these numbers of bits (RFC 1951, 3.2.2).
func setWords(words []word, sizes []uint8) {
	var next [maxBits + 2]uint32
	for _, n := range sizes {
		next[n+1]++
	}
	next[1] = 0 // symbols that do not occur
	for n := 2; n < len(next); n++ {
		next[n] = (next[n] + next[n-1]) << 1
	}
	clear(words)
	for i, n := range sizes {
		if n > 0 {
			words[i] = word(bits.Reverse32(next[n]<<(32-n))) | word(n)<<wordBits
			next[n]++
		}
	}
}
