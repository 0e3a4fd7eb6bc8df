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
	nodes     []node // breadth first, so that a node's children are neighbours
	terminals []terminal
	labels    string // the labels of all nodes
}

// node is one branching of the tree; its label is the text between its parent
// and itself.
//
// A node fills one line of the processor's cache.
type node struct {
	children [4]uint64 // first bytes of the children's labels
	first    uint32    // index of the first child; the others follow in order of their first byte
	label    uint32    // offset in tree.labels
	length   uint32    // length of the label
	terminal int32     // the deepest terminal from the root to here, an index; -1 = none
	head     [2]uint64 // the first 16 bytes of the label, the first one lowest
}

// terminal is a node at which patterns end or have their first wildcard.
type terminal struct {
	depth              int        // length of the text from the root to here
	best, second       int32      // best two prefix patterns of different rules from the root to here
	wildBest           int32      // best pattern with wildcards that belongs here
	prefix             []int32    // ranks of the patterns that are just this text
	exact              []int32    // ranks of the patterns that are just this text, with an end anchor
	wild               gramFilter // patterns that go on with a wildcard
	parent, wildParent *terminal  // the next ones towards the root: any, and one with wildcards
}

// treeText returns the text of the node that a glob belongs to: that before its
// first wildcard. Those with a wildcard right at the beginning or after the first
// slash share the root: both are met by nearly every path, and one filter is
// cheaper than two.
func (g *glob) treeText() string {
	if g.wild && len(g.prefix) <= 1 {
		return ""
	}
	return g.prefix
}

// span is a run of patterns, sorted by treeText and then by rank, that share a
// node which is still to be made.
type span struct {
	ranks    []int32
	depth    int   // bytes of the text that the nodes above have taken
	terminal int32 // the deepest terminal above; -1 = none
}

// newTree builds the tree over all globs.
func newTree(globs []glob, owner []int32) *tree {
	ranks := make([]int32, len(globs))
	for i := range ranks {
		ranks[i] = int32(i)
	}
	slices.SortFunc(ranks, func(a, b int32) int {
		if c := strings.Compare(globs[a].treeText(), globs[b].treeText()); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	// There is room for a terminal of each pattern, so that pointers to terminals
	// stay good while more are appended.
	t := &tree{terminals: make([]terminal, 0, len(ranks))}
	var labels strings.Builder
	spans := []span{{ranks: ranks, terminal: -1}}
	for i := 0; i < len(spans); i++ {
		s := spans[i]
		first, last := globs[s.ranks[0]].treeText(), globs[s.ranks[len(s.ranks)-1]].treeText()
		end := s.depth
		for end < len(first) && end < len(last) && first[end] == last[end] {
			end++
		}
		n := node{label: uint32(labels.Len()), length: uint32(end - s.depth), first: uint32(len(spans)), terminal: s.terminal}
		for i := range min(end-s.depth, 16) {
			n.head[i/8] |= uint64(first[s.depth+i]) << (i % 8 * 8)
		}
		labels.WriteString(first[s.depth:end])
		rest := s.ranks
		if len(first) == end {
			here := 1
			for here < len(rest) && len(globs[rest[here]].treeText()) == end {
				here++
			}
			n.terminal = t.addTerminal(globs, rest[:here], s.terminal, owner)
			rest = rest[here:]
		}
		for len(rest) > 0 {
			c, same := globs[rest[0]].treeText()[end], 1
			for same < len(rest) && globs[rest[same]].treeText()[end] == c {
				same++
			}
			n.children[c>>6] |= 1 << (c & 63)
			spans = append(spans, span{rest[:same], end, n.terminal})
			rest = rest[same:]
		}
		t.nodes = append(t.nodes, n)
	}
	t.labels = labels.String()
	return t
}

// addTerminal makes the terminal of patterns that belong to one text, above being
// the next terminal towards the root (-1 = none), and returns its index.
func (t *tree) addTerminal(globs []glob, here []int32, above int32, owner []int32) int32 {
	s := terminal{depth: len(globs[here[0]].treeText()), wildBest: none}
	q := NewTopTwo(owner)
	if above >= 0 {
		s.parent = &t.terminals[above]
		s.wildParent = s.parent
		if s.parent.wildBest == none {
			s.wildParent = s.parent.wildParent
		}
		q.best, q.second = s.parent.best, s.parent.second
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
	s.wild = newGramFilter(globs, wild, s.depth)
	t.terminals = append(t.terminals, s)
	return int32(len(t.terminals) - 1)
}

// deepest walks down as far as path goes and returns the deepest terminal; nil =
// none.
func (t *tree) deepest(path string) *terminal {
	found, pos := int32(-1), 0
	n := &t.nodes[0]
	for {
		end := pos + int(n.length)
		if n.length <= 8 && pos+8 <= len(path) {
			if (bytealg.Load8(path[pos:])^n.head[0])<<(64-8*n.length) != 0 {
				break
			}
		} else if end > len(path) || !t.labelMatches(n, path, pos, end) {
			break
		}
		found, pos = n.terminal, end
		if pos == len(path) {
			break
		}
		c := path[pos]
		word, bit := n.children[c>>6], uint64(1)<<(c&63)
		if word&bit == 0 {
			break
		}
		child := n.first + uint32(bits.OnesCount64(word&(bit-1)))
		for _, lower := range n.children[:c>>6] {
			child += uint32(bits.OnesCount64(lower))
		}
		n = &t.nodes[child]
	}
	if found < 0 {
		return nil
	}
	return &t.terminals[found]
}

// labelMatches reports whether the label of n is path[pos:end].
func (t *tree) labelMatches(n *node, path string, pos, end int) bool {
	if bytealg.Load(path, pos, min(end-pos, 8)) != n.head[0] {
		return false
	}
	return end-pos <= 8 || bytealg.Load(path, pos+8, min(end-pos-8, 8)) == n.head[1] &&
		(end-pos <= 16 || path[pos+16:end] == t.labels[n.label+16:n.label+n.length])
}
