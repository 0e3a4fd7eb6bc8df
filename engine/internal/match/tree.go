package match

import (
	"math/bits"
)

// tree is a radix tree over the texts that patterns begin with.
type tree struct {
	nodes     []node // breadth first, so that a node's children are neighbours
	terminals []terminal
	ranks     []int32 // of all patterns, those of a terminal together
	filters   []gramFilter
}

// node is one branching of the tree; its label is the text between its parent
// and itself.
//
// A node fills one line of the processor's cache.
type node struct {
	children [4]uint64 // first bytes of the children's labels
	first    uint32    // index of the first child; the others follow in order of their first byte
	sums     uint32    // a byte for each word of children: how many children the words before it hold
	terminal int32     // the deepest terminal from the root to here, an index; -1 = none
	length   uint8     // length of the label
	shift    uint8     // how many bits of eight bytes are behind the label
	head     [2]uint64 // the label, the first byte lowest
}

// maxLabel is the longest label of a node: a longer one is spread over several.
const maxLabel = 16

// terminal is a node at which patterns end or have their first wildcard.
type terminal struct {
	depth              uint32 // length of the text from the root to here
	best, second       int32  // best two prefix patterns of different rules from the root to here
	wildBest           int32  // best pattern with wildcards that belongs here
	filter             int32  // for the patterns with wildcards that belong here, an index
	parent, wildParent int32  // the next terminals towards the root, any and one with wildcards; -1 = none
	from               uint32 // where in ranks the patterns begin that are just this text
	exact              uint32 // and those that are just this text, with an end anchor
	wild               uint32 // and those that go on with a wildcard
}

// deepest walks down as far as path goes and returns the deepest terminal; -1 =
// none. The label of the root is empty.
func (t *tree) deepest(path string) int32 {
	n := &t.nodes[0]
	found := n.terminal
	for pos := 0; pos < len(path); {
		c := path[pos]
		word, bit := n.children[c>>6], uint64(1)<<(c&63)
		if word&bit == 0 {
			break
		}
		// Bits and sums say which child it is; no branch depends on the path.
		child := n.first + uint32(bits.OnesCount64(word&(bit-1))) + n.sums>>(c>>6*8)&0xff
		n = &t.nodes[child]
		length := int(n.length)
		if pos+8 <= len(path) {
			// The shift drops what is behind a label of less than eight bytes.
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

// tailMatches reports whether a label of more than eight bytes, the first eight of
// which match, is path[pos:end].
func (n *node) tailMatches(path string, pos, end int) bool {
	return end <= len(path) && Load(path, pos+8, end-pos-8) == n.head[1]
}
