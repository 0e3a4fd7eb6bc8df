package match

import "slices"

// Set is a compiled list of patterns in order of precedence: rank 0 is the
// strongest, then 1 and so on. It is immutable and may be used by several
// goroutines.
type Set struct {
	owner []int32 // rule of each pattern; nil = each pattern is a rule of its own
	globs globs
	list  list  // nil = too many patterns for a list
	tree  *tree // nil = too few patterns for a tree
}

// limits are the numbers of patterns up to which simpler structures are faster.
type limits struct {
	list int // patterns of a Set that are tested one by one, without a tree
	wild int // wildcard patterns of a node that are tested one by one, without an index of grams
}

var usual = limits{list: 40, wild: 12}

// Compile prepares patterns given in order of precedence. owner, if not nil,
// contains the rule of each pattern: a number that is equal for patterns of one
// rule. It is kept and must not be changed.
func Compile(patterns []Pattern, owner []int32) *Set { return compile(patterns, owner, usual) }

func compile(patterns []Pattern, owner []int32, most limits) *Set {
	s := &Set{owner: owner, globs: newGlobs(patterns)}
	if len(patterns) <= most.list {
		s.list = newList(&s.globs)
	} else {
		s.tree = newTree(&s.globs, owner, most.wild)
	}
	return s
}

// CompileCost returns the cost of compiling n patterns, as the number of patterns that
// can be tried one by one in that time. Callers compile after as many tries: so at most
// half of the total work is wasted. BenchmarkCompile measures it: 9 to 14 a pattern for a
// list, and 44 to 80 for a tree of any size.
func CompileCost(n int) int {
	if n <= usual.list {
		return 12 * n
	}
	return 50 * n
}

// Owner returns the rule of the pattern of a rank, if Compile got an owner.
func (s *Set) Owner(rank int32) int32 { return s.owner[rank] }

// Best returns the rank of the strongest pattern that matches path; -1 = none.
// It costs less than BestTwo.
func (s *Set) Best(path string) int32 {
	if s.tree != nil {
		return s.searchBest(path)
	}
	var has signature
	if best := s.list.next(&s.globs, path, &has, 0); best != none {
		return best
	}
	return -1
}

// searchBest is Best in the tree.
func (s *Set) searchBest(path string) int32 {
	q := query{path: path, bestOnly: true}
	q.best, q.second = none, none
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

// BestTwoCost is BestTwo with its cost: the number of patterns compared, plus
// the length of the path and 8 for each that was tried.
func (s *Set) BestTwoCost(path string) (best, second int32, cost int) {
	q := query{path: path}
	q.owner, q.best, q.second = s.owner, none, none
	if s.tree != nil {
		s.search(&q)
	} else {
		for rank := int32(-1); rank != none && q.second == none; {
			if rank = s.list.next(&s.globs, path, &q.has, int(rank)+1); rank != none {
				q.add(rank)
			}
		}
	}
	best, second = q.Ranks()
	return best, second, q.compared + q.tried*(8+len(path))
}

// search finds the best two in the tree, or only the best.
func (s *Set) search(q *query) {
	t := s.tree
	i := t.deepest(q.path)
	if i < 0 {
		return
	}
	at := &t.terminals[i]
	q.best, q.second = at.best, at.second
	if q.bestOnly {
		q.second = q.best
	}
	if int(at.depth) == len(q.path) {
		for _, rank := range t.ranks[at.exact:at.wild] {
			q.add(rank)
		}
	}
	for {
		if at.wildBest < q.second {
			t.filters[at.filter].search(&s.globs, q)
		}
		if at.wildParent < 0 {
			break
		}
		at = &t.terminals[at.wildParent]
	}
	if q.scratch != nil {
		scratches.Put(q.scratch)
	}
}

// All returns the rank of every pattern that matches path, in ascending order.
// The slice belongs to scratch and is valid until the next call with it.
func (s *Set) All(path string, scratch *Scratch) []int32 {
	if s.tree != nil {
		return s.searchAll(path, scratch)
	}
	scratch.found = scratch.found[:0]
	var has signature
	for from := 0; ; {
		rank := s.list.next(&s.globs, path, &has, from)
		if rank == none {
			return scratch.found
		}
		scratch.found = append(scratch.found, rank)
		from = int(rank) + 1
	}
}

// searchAll is All in the tree.
func (s *Set) searchAll(path string, scratch *Scratch) []int32 {
	q := query{path: path, scratch: scratch, all: true}
	q.best, q.second = none, none
	scratch.found = scratch.found[:0]
	t := s.tree
	deepest := t.deepest(path)
	if deepest < 0 {
		return scratch.found
	}
	if at := &t.terminals[deepest]; int(at.depth) == len(path) {
		scratch.found = append(scratch.found, t.ranks[at.exact:at.wild]...)
	}
	scratch.reset(len(s.globs.list))
	for i := deepest; i >= 0; i = t.terminals[i].parent {
		at := &t.terminals[i]
		scratch.found = append(scratch.found, t.ranks[at.from:at.exact]...)
		if at.filter >= 0 {
			t.filters[at.filter].search(&s.globs, &q)
		}
	}
	if len(scratch.found) > 1 {
		slices.Sort(scratch.found)
	}
	return scratch.found
}
