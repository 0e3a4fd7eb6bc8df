package match

// gramFilter finds, among the patterns with wildcards of one node, those that are
// worth trying on a path: those of which a characteristic gram (up to four bytes
// in a row) occurs in the path, or is its end.
type gramFilter struct {
	from   int        // the prefix of every pattern is the path up to here, or is tested again
	always []int32    // patterns that are always tried
	inner  *gramIndex // by a gram anywhere in the path; nil = none
	ends   *gramIndex // by the gram at the end of the path; nil = none
}

// alwaysMax is the number of patterns up to which trying them all is cheaper than
// looking at every byte of the path; below a prefix, which few paths have, more
// are tried, because a filter takes some kilobytes.
const alwaysMax, alwaysMaxBelow = 3, 12

// newGramFilter makes the filter of the patterns of list, which are ascending
// ranks. from is the length of the text that all of them begin with.
func newGramFilter(globs []glob, list []int32, from int) gramFilter {
	f := gramFilter{from: from}
	if len(list) <= alwaysMax || from > 0 && len(list) <= alwaysMaxBelow {
		f.always = list
		return f
	}
	inner, ends := newGramCounter(len(list)), newGramCounter(len(list))
	for _, rank := range list {
		if text, end := globs[rank].longestText(); end {
			ends.limitLength(lastGram(text), len(text))
		} else {
			inner.limitLength(gramAt(text, 0), len(text))
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
		f.assignGram(&globs[rank], rank, inner, ends)
	}
	f.inner, f.ends = inner.index(), ends.index()
	return f
}

// assignGram chooses the gram by which a pattern is found. A gram at the end of a
// path is looked up once, one inside it at every offset, so that one inside is
// chosen only where too many patterns share their end.
func (f *gramFilter) assignGram(g *glob, rank int32, inner, ends *gramCounter) {
	end := ends.frequency(lastGram(g.last), len(g.last))
	if end > alwaysMax {
		if text, at, n := inner.rarest(g); n < end {
			inner.choose(gramAt(text, at), newGramEntry(text, at, rank))
			return
		}
	}
	if end == none { // no gram of this pattern can be used
		f.always = append(f.always, rank)
		return
	}
	ends.choose(lastGram(g.last), newGramEntry(g.last, len(g.last), rank))
}

// search tries the patterns that the path calls for.
func (f *gramFilter) search(globs []glob, q *query) {
	for _, rank := range f.always {
		q.try(globs, rank)
	}
	if f.ends != nil {
		q.tryAt(globs, f.ends.lookup(lastGram(q.path)), len(q.path))
	}
	if g := f.inner; g != nil {
		for at := g.nextHit(q.path, f.from); at < len(q.path); at = g.nextHit(q.path, at+1) {
			q.tryAt(globs, g.lookup(gramAt(q.path, at)), at)
		}
	}
}
