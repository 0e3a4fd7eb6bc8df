package match

import (
	"cmp"
	"slices"
)

// gramFilter finds, among the patterns with wildcards of one node, those that are
// worth trying on a path. These are the patterns whose characteristic gram (up to
// four consecutive bytes) is in the path or at its end. If there are few
// patterns, these are the ones whose kinds of bytes are in the path.
type gramFilter struct {
	from   int        // the prefix of every pattern equals the path up to here, or is tested again
	listed []wildRank // patterns that are tried if the path has the bytes they need, strongest first
	inner  *gramIndex // by a gram anywhere in the path; nil = none
	ends   *gramIndex // by the gram at the end of the path; nil = none
}

// wildRank is the rank of a pattern with wildcards, and the bytes a path must
// have.
type wildRank struct {
	need signature
	rank int32
}

// belowRoot multiplies the number of patterns that are listed at a node below the
// root. Few paths reach it, and an index takes about 20 KB.
const belowRoot = 4

// newFilter makes the filter for the patterns in list, which are ascending
// ranks. from is the length of the text that all of them begin with.
func (b *treeBuilder) newFilter(list []int32, from int) gramFilter {
	f := gramFilter{from: from, listed: b.listed[len(b.listed):]}
	if len(list) <= b.wildMax || from > 0 && len(list) <= belowRoot*b.wildMax {
		for _, rank := range list {
			b.list(&f, rank)
		}
		return f
	}
	grams, inner, ends := list, &b.inner, &b.ends
	if poor := b.countPoor(list); poor > 0 && poor <= poorMax {
		grams = make([]int32, 0, len(list)-poor)
		for _, rank := range list {
			if _, _, fair := b.fairGram(rank); fair {
				grams = append(grams, rank)
			} else {
				b.list(&f, rank)
			}
		}
	}
	inner.reset(len(grams))
	ends.reset(len(grams))
	for _, rank := range grams {
		if text, at, _ := b.fairGram(rank); at == len(text) {
			ends.limitLength(lastGram(text), len(text))
		} else {
			inner.limitLength(gramAt(text, at), len(text)-at)
		}
	}
	for _, rank := range grams {
		g := &b.globs.list[rank]
		last := b.globs.last(g)
		ends.count(lastGram(last), len(last))
		b.countGrams(last)
		next := g.text + g.prefix + g.last
		for range g.middle {
			var text string
			text, next = b.globs.textAt(next)
			b.countGrams(text)
		}
	}
	for _, rank := range grams {
		b.assignGram(&f, rank)
	}
	f.inner, f.ends = inner.index(), ends.index()
	slices.SortFunc(f.listed, func(a, b wildRank) int { return cmp.Compare(a.rank, b.rank) })
	return f
}

// search tries the patterns that may match the path.
func (f *gramFilter) search(gs *globs, q *query) {
	if len(f.listed) > 2 {
		q.signature()
	}
	for i := range f.listed {
		e := &f.listed[i]
		if e.rank >= q.second {
			break
		}
		if q.compared++; q.has == 0 || e.need&^q.has == 0 {
			q.try(gs, e.rank)
		}
	}
	if f.ends != nil {
		q.tryAt(gs, f.ends.lookup(lastGram(q.path)), f.from, len(q.path))
	}
	if g := f.inner; g != nil {
		for at := g.nextHit(q.path, f.from); at < len(q.path); at = g.nextHit(q.path, at+1) {
			q.tryAt(gs, g.slot(gramAt(q.path, at)), f.from, at)
		}
	}
}
