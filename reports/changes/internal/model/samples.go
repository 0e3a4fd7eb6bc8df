package model

import (
	"cmp"
	"container/heap"
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
)

// Rank is the rank of a changed URL before its weight: lower ranks come first. A URL with several changes
// has the lowest rank of them.
type Rank uint8

// The ranks.
const (
	Lost            Rank = iota // newly blocked for a leading crawler, see audit.Leading
	Blocked                     // newly blocked for another crawler
	Unclear                     // now unclear
	Allowed                     // newly allowed
	Clear                       // clear again
	AppearedBlocked             // only in the new run, and blocked: not a changed verdict
	ranks
)

var rankNames = [...]string{"newly_blocked", "newly_blocked", "now_unclear", "newly_allowed", "clear_again", "appeared_blocked"}

// String returns the key of the change in files.
func (r Rank) String() string { return rankNames[r] }

// Words returns the change in words.
func (r Rank) Words() string {
	return strings.ReplaceAll(strings.Replace(rankNames[r], "d_b", "d, b", 1), "_", " ")
}

// Sample is a copied Flip, which shares no memory with others.
type Sample struct {
	compare.Flip
	Rank Rank
}

// Clicks is the number of clicks of the URL, see compare.Clicks.
func (s *Sample) Clicks() int64 { return compare.Clicks(s.Weight) }

// MaxSamples bounds the samples of a site.
const MaxSamples = 1000

// Samples are the changed URLs of a site with the most weight, independent of the order in which
// they come: with equal weight, URLs in a sitemap first, then by their text.
type Samples struct {
	Seen   int64 // number of added URLs of any kind
	leads  []bool
	ranked [ranks]ranking
}

// newSamples makes empty samples for a site with these crawlers.
func newSamples(crawlers []compare.Crawler) *Samples {
	s := &Samples{leads: make([]bool, len(crawlers))}
	for _, i := range leading(crawlers) {
		s.leads[i] = true
	}
	return s
}

// leading returns the indices of the leading crawlers.
func leading(crawlers []compare.Crawler) []int {
	list := make([]audit.Crawler, len(crawlers))
	for i := range crawlers {
		list[i] = crawlers[i].New
	}
	return audit.Leading(list)
}

// rankOf ranks a URL.
func (s *Samples) rankOf(f *compare.Flip) Rank {
	if f.Appeared {
		return AppearedBlocked
	}
	rank := Clear
	for i := range f.Verdicts {
		of := Clear
		switch f.Verdicts[i].Class {
		case compare.NewlyBlocked:
			if of = Blocked; s.leads[i] {
				return Lost
			}
		case compare.NowUnclear:
			of = Unclear
		case compare.NewlyAllowed:
			of = Allowed
		}
		rank = min(rank, of)
	}
	return rank
}

// add adds a flip, which the caller may change afterwards.
func (s *Samples) add(f *compare.Flip) {
	s.Seen++
	rank := s.rankOf(f)
	in := &s.ranked[rank]
	if len(*in) < MaxSamples {
		kept := &Sample{Rank: rank}
		kept.take(f)
		heap.Push(in, kept)
		return
	}
	if last := (*in)[0]; before(f, &last.Flip) < 0 {
		last.take(f)
		heap.Fix(in, 0)
	}
}

// take copies a flip into the memory of an older one.
func (s *Sample) take(f *compare.Flip) {
	verdicts, hits := append(s.Verdicts[:0], f.Verdicts...), append(s.Hits[:0], f.Hits...)
	s.Flip = *f
	s.Loc, s.Verdicts, s.Hits = strings.Clone(f.Loc), verdicts, hits
	for i := range verdicts {
		verdicts[i].Lines = slices.Clone(verdicts[i].Lines)
	}
}

// First returns the first n samples, at most MaxSamples: by rank, then by weight. No rank takes all
// places while others have samples: a tenth is reserved for each.
func (s *Samples) First(n int) (list []*Sample) {
	n = min(n, MaxSamples)
	least, kept := n/10, 0
	for rank := range s.ranked {
		kept += min(len(s.ranked[rank]), least)
	}
	free := n - kept
	for rank := range s.ranked {
		in := slices.Clone(s.ranked[rank])
		slices.SortFunc(in, func(a, b *Sample) int { return before(&a.Flip, &b.Flip) })
		own := min(len(in), least)
		more := min(len(in)-own, free)
		free -= more
		list = append(list, in[:own+more]...)
	}
	return list
}

// before compares two flips of one rank: negative = a weighs more.
func before(a, b *compare.Flip) int {
	if by := cmp.Compare(compare.Clicks(b.Weight), compare.Clicks(a.Weight)); by != 0 {
		return by
	}
	if a.Listed != b.Listed {
		if a.Listed {
			return -1
		}
		return 1
	}
	return cmp.Or(strings.Compare(a.Loc, b.Loc), cmp.Compare(a.Kind, b.Kind))
}

// ranking is a heap of samples: the one with the least weight is the first.
type ranking []*Sample

func (r ranking) Len() int           { return len(r) }
func (r ranking) Less(i, j int) bool { return before(&r[i].Flip, &r[j].Flip) > 0 }
func (r ranking) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ranking) Push(x any)        { *r = append(*r, x.(*Sample)) }
func (r *ranking) Pop() any          { panic("model: samples are not taken back") }

// Outcomes yields sets of crawlers for which a URL changed in the same way for the same reason:
// verdicts, rules and changed lines are the same. Each set is in the order of the crawlers and
// valid until the next.
func Outcomes(f *compare.Flip) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		var alike []int
		for i := range f.Verdicts {
			v := &f.Verdicts[i]
			same := func(w compare.Verdicts) bool { return sameOutcome(v, &w) }
			if classKey(f, i) == "" || slices.ContainsFunc(f.Verdicts[:i], same) {
				continue
			}
			alike = alike[:0]
			for k := i; k < len(f.Verdicts); k++ {
				if same(f.Verdicts[k]) {
					alike = append(alike, k)
				}
			}
			if !yield(alike) {
				return
			}
		}
	}
}

// sameOutcome reports whether two changes are the same, with the same reason.
func sameOutcome(v, w *compare.Verdicts) bool {
	return v.Alike(w) && slices.Equal(v.Lines, w.Lines) && v.Together == w.Together
}

// ClassKey returns the key of the URL's change for the i-th crawler: "newly_blocked",
// "appeared_blocked"; "" = none.
func (s *Sample) ClassKey(i int) string { return classKey(&s.Flip, i) }

func classKey(f *compare.Flip, i int) string {
	v := &f.Verdicts[i]
	switch {
	case f.Appeared && v.Is == engine.Disallow:
		return AppearedBlocked.String()
	case f.Appeared || v.Class == compare.Same:
		return ""
	}
	return v.Class.String()
}

// Of returns the URL's change for the i-th crawler in words: "newly blocked", "appeared, blocked";
// "" = none.
func (s *Sample) Of(i int) string {
	key := s.ClassKey(i)
	if key == AppearedBlocked.String() {
		return AppearedBlocked.Words()
	}
	return strings.ReplaceAll(key, "_", " ")
}
