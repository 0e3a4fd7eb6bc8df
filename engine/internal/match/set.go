package match

import "slices"

// Set is a compiled list of patterns in order of precedence: index 0, the rank
// of the first, beats 1 and so on. It is immutable and may be used by several
// goroutines.
type Set struct {
	owner []int32 // rule of each pattern; nil = each pattern is a rule of its own
	globs []glob  // the patterns in order of precedence
	tree  *tree   // nil = too few patterns for a tree
}

// linearMax is the number of patterns up to which trying them one by one is
// faster than walking a tree.
const linearMax = 6

// Compile prepares patterns that are given in order of precedence. owner, where
// it is not nil, holds the rule that each pattern comes from: a number that is
// equal for patterns of one rule. It is kept and must not be changed.
func Compile(patterns []Pattern, owner []int32) *Set {
	s := &Set{owner: owner, globs: make([]glob, len(patterns))}
	for i, p := range patterns {
		s.globs[i] = newGlob(p)
	}
	if len(patterns) > linearMax {
		s.tree = newTree(s.globs, owner)
	}
	return s
}

// Best returns the rank of the strongest pattern that matches path; -1 = none.
// It costs less than BestTwo.
func (s *Set) Best(path string) int32 {
	q := query{path: path, bestOnly: true}
	s.search(&q)
	best, _ := q.Ranks()
	return best
}

// BestTwo returns the rank of the strongest pattern that matches path, and that
// of the strongest one that matches and belongs to another rule; -1 = none.
func (s *Set) BestTwo(path string) (best, second int32) {
	best, second, _ = s.BestTwoCost(path)
	return best, second
}

// BestTwoCost is BestTwo, with what it took: the number of patterns that were
// looked at, and for each that was tried the length of the path and 8 more.
func (s *Set) BestTwoCost(path string) (best, second int32, cost int) {
	q := query{path: path, TopTwo: TopTwo{owner: s.owner}}
	s.search(&q)
	best, second = q.Ranks()
	return best, second, q.compared + q.tried*(8+len(path))
}

// search finds the best two, or the best where no more is asked for.
func (s *Set) search(q *query) {
	q.best, q.second = none, none
	if s.tree == nil {
		for i := range s.globs {
			if int32(i) < q.second && s.globs[i].match(q.path) {
				q.add(int32(i))
			}
		}
		return
	}
	node := s.tree.deepest(q.path)
	if node == nil {
		return
	}
	q.best, q.second = node.best, node.second
	if q.bestOnly {
		q.second = q.best
	}
	if node.depth == len(q.path) {
		for _, rank := range node.exact {
			q.add(rank)
		}
	}
	for ; node != nil; node = node.wildParent {
		if node.wildBest < q.second {
			node.wild.search(s.globs, q)
		}
	}
	if q.scratch != nil {
		scratches.Put(q.scratch)
	}
}

// All returns the rank of every pattern that matches path, in ascending order.
// The slice belongs to scratch and stays as it is until the next call with it.
func (s *Set) All(path string, scratch *Scratch) []int32 {
	scratch.found = scratch.found[:0]
	if s.tree == nil {
		for i := range s.globs {
			if s.globs[i].match(path) {
				scratch.found = append(scratch.found, int32(i))
			}
		}
		return scratch.found
	}
	node := s.tree.deepest(path)
	if node == nil {
		return scratch.found
	}
	if node.depth == len(path) {
		scratch.found = append(scratch.found, node.exact...)
	}
	q := query{path: path, scratch: scratch, all: true, TopTwo: NewTopTwo(nil)}
	scratch.reset(len(s.globs))
	for up := node; up != nil; up = up.parent {
		scratch.found = append(scratch.found, up.prefix...)
	}
	for ; node != nil; node = node.wildParent {
		node.wild.search(s.globs, &q)
	}
	slices.Sort(scratch.found)
	return scratch.found
}
