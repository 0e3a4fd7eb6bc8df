package match

import (
	"math/bits"
)

// tree is a radix tree over the prefixes of patterns.
type tree struct {
	nodes     []node // breadth first, so that a node's children are neighbours
	terminals []terminal
	ranks     []int32 // of all patterns, grouped by terminal
	filters   []gramFilter
}

// node is one node of the tree; its label is the text between its parent and
// itself.
//
// A node fills one cache line of the processor.
type node struct {
	children [4]uint64 // first bytes of the children's labels
	first    uint32    // index of the first child; the others follow in order of their first byte
	sums     uint32    // a byte for each word of children: the number of children in the words before it
	terminal int32     // the deepest terminal from the root to here, an index; -1 = none
	length   uint8     // length of the label
	shift    uint8     // number of bits after the label in a word of eight bytes
	head     [2]uint64 // the label, the first byte lowest
}

// maxLabel is the longest label of a node; longer ones are split over several.
const maxLabel = 16

// terminal is a node at which patterns end or have their first wildcard.
type terminal struct {
	depth              uint32 // length of the text from the root to here
	best, second       int32  // best two prefix patterns of different rules from the root to here
	wildBest           int32  // best wildcard pattern of this node
	filter             int32  // index of the filter for the wildcard patterns of this node
	parent, wildParent int32  // the next terminals towards the root: any, and one with wildcards; -1 = none
	from               uint32 // where in ranks the patterns without wildcard and end anchor begin
	exact              uint32 // where the patterns with an end anchor begin
	wild               uint32 // where the patterns with a wildcard begin
}

// deepest walks down as far as path matches and returns the deepest terminal;
// -1 = none. The label of the root is empty.
func (t *tree) deepest(path string) int32 {
	n := &t.nodes[0]
	found := n.terminal
	for pos := 0; pos < len(path); {
		c := path[pos]
		word, bit := n.children[c>>6], uint64(1)<<(c&63)
		if word&bit == 0 {
			break
		}
		// Bits and sums give the index of the child without a branch that depends on
		// the path.
		child := n.first + uint32(bits.OnesCount64(word&(bit-1))) + n.sums>>(c>>6*8)&0xff
		n = &t.nodes[child]
		length := int(n.length)
		if pos+8 <= len(path) {
			// The shift drops the bytes after a label of less than eight bytes.
			if (Load8(path[pos:])^n.head[0])<<(n.shift&63) != 0 ||
				length > 8 && !n.tailMatches(path, pos, pos+length) {
				break
			}
		} else if pos+length > len(path) || Tail(path, pos)&^(^uint64(0)<<(8*length)) != n.head[0] {
			break
		}
		found = n.terminal
		pos += length
	}
	return found
}

// tailMatches reports whether a label of more than eight bytes is path[pos:end],
// if its first eight bytes match.
func (n *node) tailMatches(path string, pos, end int) bool {
	return end <= len(path) && Load(path, pos+8, end-pos-8) == n.head[1]
}
