package match

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"robots-audit/engine/internal/bytealg"
)

// tree is a radix tree over the texts that patterns begin with.
type tree struct {
	nodes  []node // breadth first, so that a node's children are neighbours
	stops  []stop
	labels string // the labels of all nodes
}

// node is one branching of the tree; its label is the text between its parent
// and itself.
//
// A node fills one line of the processor's cache.
type node struct {
	kids   [4]uint64 // first bytes of the children's labels
	first  uint32    // index of the first child; the others follow in order of their first byte
	label  uint32    // offset in tree.labels
	length uint32    // length of the label
	stop   int32     // the deepest stop from the root to here; -1 = none
	head   [2]uint64 // the first 16 bytes of the label, the first one lowest
}

// stop is a node at which patterns end or have their first wildcard.
type stop struct {
	depth        int     // length of the text from the root to here
	best, second int32   // best two prefix patterns of different rules from the root to here
	wildBest     int32   // best pattern with wildcards that hangs here
	prefix       []int32 // ranks of the patterns that are just this text
	exact        []int32 // ranks of the patterns that are just this text, with an end anchor
	wild         sieve   // patterns that go on with a wildcard
	up, upWild   *stop   // the next stops towards the root: any, and one with wildcards
}

// hang returns the text of the node that a glob hangs on. Wildcards right at
// the beginning and after the first slash share the root: both see nearly every
// path, and one sieve is cheaper than two.
func (g *glob) hang() string {
	if g.wild && len(g.prefix) <= 1 {
		return ""
	}
	return g.prefix
}

// span is a run of patterns, sorted by the text that they hang on and then by
// rank, that share a node on its way into the tree.
type span struct {
	ranks []int32
	depth int   // bytes of the text that the nodes above have taken
	stop  int32 // the deepest stop above
}

// newTree builds the tree over all globs.
func newTree(globs []glob, owner []int32) *tree {
	ranks := make([]int32, len(globs))
	for i := range ranks {
		ranks[i] = int32(i)
	}
	slices.SortFunc(ranks, func(a, b int32) int {
		if c := strings.Compare(globs[a].hang(), globs[b].hang()); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	// stops never grows beyond the patterns, so that pointers into it hold.
	t := &tree{stops: make([]stop, 0, len(ranks))}
	var labels strings.Builder
	spans := []span{{ranks: ranks, stop: -1}}
	for i := 0; i < len(spans); i++ {
		s := spans[i]
		first, last := globs[s.ranks[0]].hang(), globs[s.ranks[len(s.ranks)-1]].hang()
		end := s.depth
		for end < len(first) && end < len(last) && first[end] == last[end] {
			end++
		}
		n := node{label: uint32(labels.Len()), length: uint32(end - s.depth), first: uint32(len(spans)), stop: s.stop}
		for i := range min(end-s.depth, 16) {
			n.head[i/8] |= uint64(first[s.depth+i]) << (i % 8 * 8)
		}
		labels.WriteString(first[s.depth:end])
		rest := s.ranks
		if len(first) == end {
			here := 1
			for here < len(rest) && len(globs[rest[here]].hang()) == end {
				here++
			}
			n.stop = t.addStop(globs, rest[:here], s.stop, owner)
			rest = rest[here:]
		}
		for len(rest) > 0 {
			c, same := globs[rest[0]].hang()[end], 1
			for same < len(rest) && globs[rest[same]].hang()[end] == c {
				same++
			}
			n.kids[c>>6] |= 1 << (c & 63)
			spans = append(spans, span{rest[:same], end, n.stop})
			rest = rest[same:]
		}
		t.nodes = append(t.nodes, n)
	}
	t.labels = labels.String()
	return t
}

// addStop makes the stop of patterns that hang on one text, below the stop up.
func (t *tree) addStop(globs []glob, here []int32, up int32, owner []int32) int32 {
	s := stop{depth: len(globs[here[0]].hang()), wildBest: none}
	q := NewTopTwo(owner)
	if up >= 0 {
		s.up = &t.stops[up]
		s.upWild = s.up
		if s.up.wildBest == none {
			s.upWild = s.up.upWild
		}
		q.best, q.second = s.up.best, s.up.second
	}
	var wild []int32
	for _, rank := range here {
		switch g := &globs[rank]; {
		case g.wild:
			s.wildBest = min(s.wildBest, rank)
			wild = append(wild, rank)
		case g.end:
			s.exact = append(s.exact, rank)
		default:
			s.prefix = append(s.prefix, rank)
			q.Add(rank)
		}
	}
	s.best, s.second = q.best, q.second
	s.wild = newSieve(globs, wild, s.depth)
	t.stops = append(t.stops, s)
	return int32(len(t.stops) - 1)
}

// find walks down as far as path goes and returns the deepest stop; nil = none.
func (t *tree) find(path string) *stop {
	stop, pos := int32(-1), 0
	n := &t.nodes[0]
	for {
		end := pos + int(n.length)
		if n.length <= 8 && pos+8 <= len(path) {
			if (bytealg.Load8(path[pos:])^n.head[0])<<(64-8*n.length) != 0 {
				break
			}
		} else if end > len(path) || !t.onLabel(n, path, pos, end) {
			break
		}
		stop, pos = n.stop, end
		if pos == len(path) {
			break
		}
		c := path[pos]
		word, bit := n.kids[c>>6], uint64(1)<<(c&63)
		if word&bit == 0 {
			break
		}
		kid := n.first + uint32(bits.OnesCount64(word&(bit-1)))
		for _, lower := range n.kids[:c>>6] {
			kid += uint32(bits.OnesCount64(lower))
		}
		n = &t.nodes[kid]
	}
	if stop < 0 {
		return nil
	}
	return &t.stops[stop]
}

// onLabel reports whether the label of n is path[pos:end].
func (t *tree) onLabel(n *node, path string, pos, end int) bool {
	if bytealg.Load(path, pos, min(end-pos, 8)) != n.head[0] {
		return false
	}
	return end-pos <= 8 || bytealg.Load(path, pos+8, min(end-pos-8, 8)) == n.head[1] &&
		(end-pos <= 16 || path[pos+16:end] == t.labels[n.label+16:n.label+n.length])
}
