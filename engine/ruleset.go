package engine

import "slices"

// ruleset answers, for one path, which of many patterns match it: the first
// and the second in order of precedence, or all of them.
//
// The patterns are spread over a radix tree by the text before their first
// wildcard. One walk down the tree as far as the path goes collects every
// literal prefix at once, because a node knows the best two patterns on the
// way to it. Patterns with wildcards hang on the node of their prefix: a few
// of them are tried one by one, many of them go through a sieve, which looks
// at the path's four-byte grams and names the few patterns worth trying. Trying
// one is linear in the path, and no pattern is tried twice for one path, so
// that no pair of pattern and path makes the matcher run away.
//
// A ruleset is immutable and may be used by several goroutines.
type ruleset struct {
	owner []int32 // rule of each pattern; nil = each pattern is a rule of its own
	globs []glob  // the patterns in order of precedence
	tree  *tree   // nil = too few patterns for a tree
}

// plainMax is the number of patterns up to which trying them one by one is
// faster than walking a tree.
const plainMax = 6

// newRuleset prepares patterns given in order of precedence: index 0 beats 1
// and so on. owner, where it is not nil, holds the rule that each pattern comes
// from; first then names two patterns of different rules.
func newRuleset(patterns []pattern, owner []int32) *ruleset {
	rs := &ruleset{owner: owner, globs: make([]glob, len(patterns))}
	for i, p := range patterns {
		rs.globs[i] = newGlob(p)
	}
	if len(patterns) > plainMax {
		rs.tree = newTree(rs.globs, owner)
	}
	return rs
}

// best returns the smallest index that matches path; -1 = none.
func (rs *ruleset) best(path string) int32 {
	q := query{path: path, one: true}
	rs.search(&q)
	best, _ := q.result()
	return best
}

// first returns the smallest index that matches path and the smallest one that
// matches and belongs to another rule; -1 = none.
func (rs *ruleset) first(path string) (best, second int32) {
	q := query{path: path, owner: rs.owner}
	rs.search(&q)
	return q.result()
}

// firstAndWork is first, with what it took: the patterns looked at, weighed with
// the length of the path that each of them is tried on.
func (rs *ruleset) firstAndWork(path string) (best, second int32, work int) {
	q := query{path: path, owner: rs.owner}
	rs.search(&q)
	best, second = q.result()
	return best, second, q.looked + q.tried*(8+len(path))
}

// search finds the best two.
func (rs *ruleset) search(q *query) {
	q.best, q.second = none, none
	if rs.tree == nil {
		for i := range rs.globs {
			if int32(i) < q.second && rs.globs[i].match(q.path) {
				q.add(int32(i))
			}
		}
		return
	}
	stop := rs.tree.find(q.path)
	if stop == nil {
		return
	}
	q.best, q.second = stop.best, stop.second
	if q.one {
		q.second = q.best
	}
	if stop.depth == len(q.path) {
		for _, rank := range stop.exact {
			q.add(rank)
		}
	}
	for ; stop != nil; stop = stop.upWild {
		if stop.wildBest < q.second {
			stop.wild.search(rs.globs, q)
		}
	}
	if q.scratch != nil {
		scratches.Put(q.scratch)
	}
}

// all returns every index that matches path in ascending order. The slice is
// the scratch's and stays as it is until the next call with it.
func (rs *ruleset) all(path string, s *scratch) []int32 {
	s.found = s.found[:0]
	if rs.tree == nil {
		for i := range rs.globs {
			if rs.globs[i].match(path) {
				s.found = append(s.found, int32(i))
			}
		}
		return s.found
	}
	stop := rs.tree.find(path)
	if stop == nil {
		return s.found
	}
	if stop.depth == len(path) {
		s.found = append(s.found, stop.exact...)
	}
	q := query{path: path, scratch: s, all: true, best: none, second: none}
	s.reset(len(rs.globs))
	for up := stop; up != nil; up = up.up {
		s.found = append(s.found, up.prefix...)
	}
	for ; stop != nil; stop = stop.upWild {
		stop.wild.search(rs.globs, &q)
	}
	slices.Sort(s.found)
	return s.found
}
