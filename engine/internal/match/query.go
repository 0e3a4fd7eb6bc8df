package match

import "sync"

// query is one search and its result so far. Unless all matches are wanted,
// only a rank below second can still change the result.
type query struct {
	TopTwo
	path     string
	has      signature // of the path; 0 = not yet computed
	bestOnly bool      // only the best is wanted: second is the same
	all      bool      // every match is wanted: it goes to scratch.found
	tried    int       // patterns tried so far, until scratch remembers which
	compared int       // entries compared with the path
	scratch  *Scratch  // remembers which were tried; nil = not yet needed
}

// signature returns the signature of the path.
func (q *query) signature() signature {
	if q.has == 0 {
		q.has = signatureOf(q.path)
	}
	return q.has
}

// add adds the matching pattern of a rank to the result.
func (q *query) add(rank int32) {
	if !q.bestOnly {
		q.TopTwo.Add(rank)
	} else if rank < q.best {
		q.best, q.second = rank, rank
	}
}

// unrememberedMax is the number of patterns that a search tries before it begins
// to remember them. For fewer, a repeated try costs less than remembering.
const unrememberedMax = 16

// try matches the pattern of a rank against the path, unless it can no longer
// change the result.
func (q *query) try(gs *globs, rank int32) {
	if q.all {
		if q.scratch.firstTry(rank) && gs.match(rank, q.path) {
			q.scratch.found = append(q.scratch.found, rank)
		}
		return
	}
	if rank >= q.second {
		return
	}
	if q.tried++; q.tried > unrememberedMax {
		if q.scratch == nil {
			q.scratch = scratches.Get().(*Scratch)
			q.scratch.reset(len(gs.list))
		}
		if !q.scratch.firstTry(rank) {
			return
		}
	}
	if gs.match(rank, q.path) {
		q.add(rank)
	}
}

// tryAt tries the patterns whose key matches the path with the gram at offset
// at, not before from. The entries are in order of precedence.
func (q *query) tryAt(gs *globs, entries []gramEntry, from, at int) {
	for i := range entries {
		e := &entries[i]
		if e.rank >= q.second {
			return
		}
		if q.compared++; !e.keyMatches(q.path, from, at) {
			continue
		}
		switch {
		case e.proof == proofTry:
			q.try(gs, e.rank)
		case e.proof == proofSlash && (q.path[0] != '/' || at == int(e.back)):
			// The text was found in place of the slash.
		case !q.all:
			q.add(e.rank)
		case q.scratch.firstTry(e.rank):
			q.scratch.found = append(q.scratch.found, e.rank)
		}
	}
}

// Scratch is working memory for [Set.All]. The zero Scratch is ready for use.
// It grows to the size of the largest Set. Only one goroutine may use it at a
// time.
type Scratch struct {
	found      []int32  // ranks of the patterns that match
	lastTry    []uint32 // the generation in which each pattern was last tried
	generation uint32   // the current one: a new number for each search saves clearing lastTry
}

var scratches = sync.Pool{New: func() any { return new(Scratch) }}

// reset forgets which patterns were tried, for a Set of n patterns.
func (s *Scratch) reset(n int) {
	if len(s.lastTry) < n {
		s.lastTry, s.generation = make([]uint32, n), 0
	}
	if s.generation++; s.generation == 0 {
		clear(s.lastTry)
		s.generation = 1
	}
}

// firstTry reports whether the i-th pattern is tried for the first time since reset.
func (s *Scratch) firstTry(i int32) bool {
	if s.lastTry[i] == s.generation {
		return false
	}
	s.lastTry[i] = s.generation
	return true
}
