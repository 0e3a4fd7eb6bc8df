package compare

import (
	"cmp"
	"slices"
	"strings"
)

// maxPairs bounds the work of aligning two files: the number of pairs of equal lines examined.
// Files of up to a thousand lines never reach it.
const maxPairs = 1 << 20

// aligner finds the longest common sequence of lines of two files, after Hunt and Szymanski (1977).
// Its time depends on the number of pairs of equal lines, so that files without common lines are
// fast. If there are too many pairs, it aligns the rarest lines first, and then the others between
// them. Blank lines always come last, because they do not show what belongs together.
type aligner struct {
	old, new           *sideLines
	blank              []bool  // by kind
	countOld, countNew []int32 // by kind, in the current part
	pairs              int64   // remaining number of pairs to examine
}

// align sets the matches of both files. kinds is the number of different lines.
func align(old, new *sideLines, kinds int) {
	a := &aligner{old, new, make([]bool, kinds), make([]int32, kinds), make([]int32, kinds), 4 * maxPairs}
	for i, kind := range old.kinds {
		a.blank[kind] = strings.TrimSpace(old.lines[i].text) == ""
	}
	a.align(hunk{0, len(old.lines), 0, len(new.lines)})
}

// align aligns a part of the files.
func (a *aligner) align(h hunk) {
	for h.oldFrom < h.oldTo && h.newFrom < h.newTo && a.old.kinds[h.oldFrom] == a.new.kinds[h.newFrom] {
		a.matched(h.oldFrom, h.newFrom)
		h.oldFrom, h.newFrom = h.oldFrom+1, h.newFrom+1
	}
	for h.oldFrom < h.oldTo && h.newFrom < h.newTo && a.old.kinds[h.oldTo-1] == a.new.kinds[h.newTo-1] {
		h.oldTo, h.newTo = h.oldTo-1, h.newTo-1
		a.matched(h.oldTo, h.newTo)
	}
	first, pairs, all := a.choose(h)
	switch {
	case len(first) == 0:
		return
	case pairs > a.pairs:
		a.inOrder(h, first[0])
	default:
		a.pairs -= pairs
		a.longest(h, first)
	}
	if all {
		return
	}
	between := h
	for i := h.oldFrom; i < h.oldTo; i++ {
		if k := int(a.old.match[i]); k >= 0 {
			between.oldTo, between.newTo = i, k
			a.align(between)
			between.oldFrom, between.newFrom = i+1, k+1
		}
	}
	between.oldTo, between.newTo = h.oldTo, h.newTo
	a.align(between)
}

func (a *aligner) matched(i, k int) { a.old.match[i], a.new.match[k] = int32(k), int32(i) }

// choose selects the kinds of lines to align first, and counts their pairs. all = these are all
// common kinds of the parts.
func (a *aligner) choose(h hunk) (first []int32, pairs int64, all bool) {
	olds, news := a.old.kinds[h.oldFrom:h.oldTo], a.new.kinds[h.newFrom:h.newTo]
	var common []int32
	for _, kind := range news {
		a.countNew[kind]++
	}
	for _, kind := range olds {
		if a.countOld[kind]++; a.countOld[kind] == 1 && a.countNew[kind] > 0 {
			common = append(common, kind)
		}
	}
	pairsOf := func(kind int32) int64 { return int64(a.countOld[kind]) * int64(a.countNew[kind]) }
	slices.SortStableFunc(common, func(x, y int32) int {
		switch {
		case a.blank[x] == a.blank[y]:
			return cmp.Compare(pairsOf(x), pairsOf(y))
		case a.blank[x]:
			return 1
		default:
			return -1
		}
	})
	for _, kind := range common {
		n := pairsOf(kind)
		if len(first) > 0 && (pairs+n > min(maxPairs, a.pairs) || a.blank[kind] && !a.blank[first[0]]) {
			break
		}
		first, pairs = append(first, kind), pairs+n
	}
	for _, kind := range olds {
		a.countOld[kind] = 0
	}
	for _, kind := range news {
		a.countNew[kind] = 0
	}
	return first, pairs, len(first) == len(common)
}

// inOrder matches the lines of one kind in their order.
func (a *aligner) inOrder(h hunk, kind int32) {
	k := h.newFrom
	for i := h.oldFrom; i < h.oldTo; i++ {
		if a.old.kinds[i] != kind {
			continue
		}
		for k < h.newTo && a.new.kinds[k] != kind {
			k++
		}
		if k == h.newTo {
			return
		}
		a.matched(i, k)
		k++
	}
}

// longest matches the longest common sequence of lines of some kinds.
func (a *aligner) longest(h hunk, kinds []int32) {
	places := map[int32][]int32{} // in the new file, last first
	for _, kind := range kinds {
		places[kind] = nil
	}
	for k := h.newTo - 1; k >= h.newFrom; k-- {
		if list, is := places[a.new.kinds[k]]; is {
			places[a.new.kinds[k]] = append(list, int32(k))
		}
	}
	// ends[n] is the pair that ends a common sequence of n+1 lines at the earliest line of the new
	// file.
	type pair struct{ old, new, before int32 }
	var pairs []pair
	var ends []int32
	for i := h.oldFrom; i < h.oldTo; i++ {
		for _, k := range places[a.old.kinds[i]] {
			n, found := slices.BinarySearchFunc(ends, k, func(end, k int32) int { return cmp.Compare(pairs[end].new, k) })
			if found {
				continue
			}
			p := pair{int32(i), k, -1}
			if n > 0 {
				p.before = ends[n-1]
			}
			pairs = append(pairs, p)
			if n == len(ends) {
				ends = append(ends, 0)
			}
			ends[n] = int32(len(pairs) - 1)
		}
	}
	if len(ends) == 0 {
		return
	}
	for at := ends[len(ends)-1]; at >= 0; at = pairs[at].before {
		a.matched(int(pairs[at].old), int(pairs[at].new))
	}
}
