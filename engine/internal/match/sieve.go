package match

// sieve finds, among the patterns with wildcards that hang on one node, those
// that are worth trying on a path: those of which a characteristic gram (up to
// four bytes in a row) occurs in the path, or stands at its end.
type sieve struct {
	from  int     // the prefix of every pattern is the path up to here, or is tested again
	few   []int32 // patterns that are always tried
	inner *grams  // by a gram anywhere in the path; nil = none
	ends  *grams  // by the gram at the end of the path; nil = none
}

// fewMax is the number of patterns up to which trying them all is cheaper than
// looking at every byte of the path; below a prefix, which few paths have, more
// are tried, because a sieve takes some kilobytes.
const fewMax, fewBelow = 3, 12

// newSieve makes a sieve for the globs of list, ascending.
func newSieve(globs []glob, list []int32, from int) sieve {
	s := sieve{from: from}
	if len(list) <= fewMax || from > 0 && len(list) <= fewBelow {
		s.few = list
		return s
	}
	inner, ends := newCensus(len(list)), newCensus(len(list))
	for _, rank := range list {
		if text, end := globs[rank].longest(); end {
			ends.shorten(lastGram(text), len(text))
		} else {
			inner.shorten(gramAt(text, 0), len(text))
		}
	}
	for _, rank := range list {
		g := &globs[rank]
		ends.count(lastGram(g.last), len(g.last))
		for text := range g.texts {
			for at := range len(text) {
				inner.count(gramAt(text, at), len(text)-at)
			}
		}
	}
	for _, rank := range list {
		s.place(&globs[rank], rank, inner, ends)
	}
	s.inner, s.ends = inner.grams(), ends.grams()
	return s
}

// place chooses the gram by which a pattern is found. The end of a path is
// looked at once, its inside at every byte: the end is left only where too many
// patterns share it.
func (s *sieve) place(g *glob, rank int32, inner, ends *census) {
	end := ends.load(lastGram(g.last), len(g.last))
	if end > fewMax {
		if text, at, n := inner.rarest(g); n < end {
			inner.add(gramAt(text, at), newChoice(text, at, rank))
			return
		}
	}
	if end == none { // no gram of this pattern can be used
		s.few = append(s.few, rank)
		return
	}
	ends.add(lastGram(g.last), newChoice(g.last, len(g.last), rank))
}

// search tries the patterns that the path calls for.
func (s *sieve) search(globs []glob, q *query) {
	for _, rank := range s.few {
		q.try(globs, rank)
	}
	if s.ends != nil {
		q.tryAt(globs, s.ends.at(lastGram(q.path)), len(q.path))
	}
	if g := s.inner; g != nil {
		for at := g.next(q.path, s.from); at < len(q.path); at = g.next(q.path, at+1) {
			q.tryAt(globs, g.at(gramAt(q.path, at)), at)
		}
	}
}
