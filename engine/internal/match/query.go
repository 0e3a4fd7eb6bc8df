package match

import "sync"

// query is the state of one search. Only a rank below second can still change
// its outcome.
type query struct {
	TopTwo
	path    string
	one     bool     // only best is asked for: second is the same
	all     bool     // collect in scratch.found instead of best and second
	tried   int      // patterns tried so far, while no scratch remembers which
	looked  int      // places of patterns that were looked at
	scratch *Scratch // remembers which were tried; nil = not yet needed
}

// add takes a matching pattern into account.
func (q *query) add(rank int32) {
	if !q.one {
		q.TopTwo.Add(rank)
	} else if rank < q.best {
		q.best, q.second = rank, rank
	}
}

// tryMax is the number of patterns that a search tries before it begins to
// remember which: below it, trying one again costs less than remembering.
const tryMax = 16

// try matches the pattern of a rank against the path, unless it cannot change
// the outcome any more.
func (q *query) try(globs []glob, rank int32) {
	if q.all {
		if q.scratch.once(rank) && globs[rank].match(q.path) {
			q.scratch.found = append(q.scratch.found, rank)
		}
		return
	}
	if rank >= q.second {
		return
	}
	if q.tried++; q.tried > tryMax {
		if q.scratch == nil {
			q.scratch = scratches.Get().(*Scratch)
			q.scratch.reset(len(globs))
		}
		if !q.scratch.once(rank) {
			return
		}
	}
	if globs[rank].match(q.path) {
		q.add(rank)
	}
}

// tryAt tries those of list whose key stands in the path where it must, seen
// from at.
func (q *query) tryAt(globs []glob, list []choice, at int) {
	for i := range list {
		if c := &list[i]; c.rank >= q.second {
			return
		} else if q.looked++; c.stands(q.path, at) {
			q.try(globs, c.rank)
		}
	}
}

// scratch is the memory of a search. It is used by one goroutine at a time and
// grows to the largest Set it met.
type Scratch struct {
	found []int32
	seen  []uint32 // generation in which each pattern was last tried
	now   uint32   // the current generation: a new number instead of clearing seen
}

var scratches = sync.Pool{New: func() any { return new(Scratch) }}

// reset forgets what was tried, for a Set of n patterns.
func (s *Scratch) reset(n int) {
	if len(s.seen) < n {
		s.seen, s.now = make([]uint32, n), 0
	}
	if s.now++; s.now == 0 {
		clear(s.seen)
		s.now = 1
	}
}

// once reports whether the i-th pattern is tried for the first time since reset.
func (s *Scratch) once(i int32) bool {
	if s.seen[i] == s.now {
		return false
	}
	s.seen[i] = s.now
	return true
}
