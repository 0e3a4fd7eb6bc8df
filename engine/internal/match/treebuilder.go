package match

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// treeBuilder is the state needed to make a tree.
type treeBuilder struct {
	tree
	globs       *globs
	owner       []int32
	wildMax     int        // see limits.wild
	listed      []wildRank // of all filters
	inner, ends gramCounter
}

// span is a run of patterns, sorted by treeText and then by rank, that share a
// node which is not made yet.
type span struct {
	from, to uint32 // in tree.ranks
	depth    uint32 // bytes of the text in the nodes above
	terminal int32  // the deepest terminal above; -1 = none
}

// treeText returns the text of the node that a glob belongs to: the text before
// its first wildcard. Patterns with a wildcard at the beginning or after the
// first slash share the root: nearly every path reaches both, and one filter is
// cheaper than two.
func (gs *globs) treeText(rank int32) string {
	g := &gs.list[rank]
	if g.wild && g.prefix <= 1 {
		return ""
	}
	return gs.prefix(g)
}

// sortRanks sorts the ranks of all patterns by their treeText. Most comparisons
// are of the first eight bytes as a number, which takes half the time.
func (gs *globs) sortRanks() []int32 {
	type key struct {
		head uint64 // the first byte highest
		rank int32
	}
	keys := make([]key, len(gs.list))
	for i := range keys {
		text := gs.treeText(int32(i))
		keys[i] = key{bits.ReverseBytes64(Load(text, 0, min(len(text), 8))), int32(i)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		if c := strings.Compare(gs.treeText(a.rank), gs.treeText(b.rank)); c != 0 {
			return c
		}
		return cmp.Compare(a.rank, b.rank)
	})
	ranks := make([]int32, len(keys))
	for i := range keys {
		ranks[i] = keys[i].rank
	}
	return ranks
}

// newTree builds the tree over all globs.
func newTree(gs *globs, owner []int32, wildMax int) *tree {
	b := &treeBuilder{owner: owner, wildMax: wildMax}
	b.globs, b.ranks = gs, gs.sortRanks()
	n := len(b.ranks)
	spans := append(make([]span, 0, n+n/2+8), span{to: uint32(n), terminal: -1})
	b.nodes = make([]node, 0, cap(spans))
	b.makeRoom()
	for i := 0; i < len(spans); i++ {
		s := spans[i]
		first, last := gs.treeText(b.ranks[s.from]), gs.treeText(b.ranks[s.to-1])
		end := int(s.depth)
		for end < len(first) && end < len(last) && end < int(s.depth)+maxLabel && first[end] == last[end] {
			end++
		}
		if i == 0 {
			end = 0
		}
		label := first[s.depth:end]
		n := node{length: uint8(len(label)), shift: uint8(64 - 8*min(len(label), 8)), first: uint32(len(spans)), terminal: s.terminal}
		n.head[0] = Load(label, 0, min(len(label), 8))
		if len(label) > 8 {
			n.head[1] = Load(label, 8, min(len(label)-8, 8))
		}
		rest := s.from
		if len(first) == end {
			rest++
			for rest < s.to && len(gs.treeText(b.ranks[rest])) == end {
				rest++
			}
			n.terminal = b.addTerminal(s.from, rest, s.terminal)
		}
		for rest < s.to {
			c, from := gs.treeText(b.ranks[rest])[end], rest
			for rest < s.to && gs.treeText(b.ranks[rest])[end] == c {
				rest++
			}
			n.children[c>>6] |= 1 << (c & 63)
			spans = append(spans, span{from, rest, uint32(end), n.terminal})
		}
		for i, sum := 0, 0; i < 3; i++ {
			sum += bits.OnesCount64(n.children[i])
			n.sums |= uint32(sum) << (8*i + 8)
		}
		b.nodes = append(b.nodes, n)
	}
	t := b.tree // without the builder's other fields
	return &t
}

// makeRoom allocates the maximum number of terminals, filters and listed patterns.
func (b *treeBuilder) makeRoom() {
	terminals, filters, wilds, last := 0, 0, 0, -1
	for i, rank := range b.ranks {
		if i == 0 || b.globs.treeText(rank) != b.globs.treeText(b.ranks[i-1]) {
			terminals++
		}
		if b.globs.list[rank].wild {
			if wilds++; last != terminals {
				filters, last = filters+1, terminals
			}
		}
	}
	b.terminals = make([]terminal, 0, terminals)
	b.filters = make([]gramFilter, 0, filters)
	b.listed = make([]wildRank, 0, wilds)
}

// addTerminal makes the terminal of the patterns ranks[from:to], which belong to one
// text, and returns its index. above is the next terminal towards the root (-1 =
// none).
func (b *treeBuilder) addTerminal(from, to uint32, above int32) int32 {
	here := b.ranks[from:to]
	s := terminal{depth: uint32(len(b.globs.treeText(here[0]))), wildBest: none, filter: -1, parent: above, wildParent: -1, from: from}
	q := NewTopTwo(b.owner)
	if above >= 0 {
		p := &b.terminals[above]
		if s.wildParent = above; p.wildBest == none {
			s.wildParent = p.wildParent
		}
		q.best, q.second = p.best, p.second
	}
	kind := func(rank int32) int {
		switch g := &b.globs.list[rank]; {
		case g.wild:
			return 2
		case g.end:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(here, func(a, b int32) int { return kind(a) - kind(b) })
	s.exact, s.wild = from, to
	for i, rank := range here {
		switch kind(rank) {
		case 0:
			s.exact++
			q.Add(rank)
		case 2:
			s.wild = min(s.wild, from+uint32(i))
		}
	}
	s.best, s.second = q.best, q.second
	if wild := b.ranks[s.wild:to]; len(wild) > 0 {
		s.wildBest, s.filter = wild[0], int32(len(b.filters))
		b.filters = append(b.filters, b.newFilter(wild, int(s.depth)))
	}
	b.terminals = append(b.terminals, s)
	return int32(len(b.terminals) - 1)
}
