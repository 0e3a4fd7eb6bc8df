package migration

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/audit/migrate"
	"robots-audit/engine"
)

// FlipCount counts the changes by the proposed robots.txt for a crawler: each target counts once,
// however many old URLs lead to it.
type FlipCount struct {
	Crawler      string `json:"crawler"`
	StaysAllowed int64  `json:"stays_allowed"`
	StaysBlocked int64  `json:"stays_blocked"`
	compare.Counts
	StaysUnclear int64 `json:"stays_unclear"`
	Weight       int64 `json:"weight"` // clicks of the newly blocked; a pair without clicks counts as one
}

// Flipped is a target for which the proposed robots.txt changes a verdict.
type Flipped struct {
	URL    string `json:"url"`
	Pairs  int64  `json:"pairs"`  // pairs that lead to it
	Clicks int64  `json:"clicks"` // of their old URLs
	Flips  []Flip `json:"flips"`  // for each crawler with a change
}

// Flip is a change of a crawler's verdict on a target by the proposed robots.txt.
type Flip struct {
	Crawler  string    `json:"crawler"`
	Class    string    `json:"class"` // see compare.Class.Words
	Live     VerdictBy `json:"live"`
	Proposed VerdictBy `json:"proposed"`
}

// VerdictBy is a verdict with the rule that decided it.
type VerdictBy struct {
	Verdict string `json:"verdict"`
	Rule    string `json:"rule,omitempty"`
	Line    int    `json:"line,omitempty"` // 0 = no rule decided
}

// flips reports whether the proposed robots.txt changes a verdict on a pair's target.
func flips(r *migrate.Result) bool {
	t := &r.Target
	for i := range min(len(t.Live), len(t.Proposed)) {
		if t.Live[i].Verdict != t.Proposed[i].Verdict {
			return true
		}
	}
	return false
}

// flipsOf returns the changes for a pair's target.
func (f *Folder) flipsOf(r *migrate.Result) (list []Flip) {
	t := &r.Target
	for i := range min(len(t.Live), len(t.Proposed), len(f.Crawlers)) {
		live, proposed := &t.Live[i], &t.Proposed[i]
		if class := compare.ClassOf(live.Verdict, proposed.Verdict); class != compare.Same {
			list = append(list, Flip{f.Crawlers[i].Label, class.Words(), verdictBy(live), verdictBy(proposed)})
		}
	}
	return list
}

func verdictBy(v *migrate.Verdict) VerdictBy { return VerdictBy{v.Verdict.String(), v.Rule, v.Line} }

// flipTotals counts the changes by the proposed robots.txt. A target takes about 40 bytes.
type flipTotals struct {
	seed    maphash.Seed
	seen    map[uint64]int32 // all targets; index into targets, -1 = no change
	targets []flippedTarget
}

// flippedTarget is a target with changes and the first pair that leads to it.
type flippedTarget struct {
	entry         entry
	pairs, clicks int64
}

func newFlipTotals() *flipTotals {
	return &flipTotals{seed: maphash.MakeSeed(), seen: map[uint64]int32{}}
}

// add adds a pair, whose entry is e.
func (t *flipTotals) add(counts []FlipCount, r *migrate.Result, e entry) {
	of := &r.Target
	if len(of.Proposed) == 0 || len(of.Live) == 0 {
		return
	}
	hash := maphash.String(t.seed, r.New)
	at, known := t.seen[hash]
	if !known {
		if at = -1; flips(r) {
			at = int32(len(t.targets))
			t.targets = append(t.targets, flippedTarget{entry: e})
		}
		t.seen[hash] = at
	}
	if at >= 0 {
		t.targets[at].pairs++
		t.targets[at].clicks += r.Clicks
	}
	for i := range min(len(of.Live), len(of.Proposed), len(counts)) {
		counts[i].add(of.Live[i].Verdict, of.Proposed[i].Verdict, !known, max(1, r.Clicks))
	}
}

// add counts a pair; first = its target is new.
func (n *FlipCount) add(live, proposed engine.Verdict, first bool, weight int64) {
	class := compare.ClassOf(live, proposed)
	to := n.Of(class)
	switch {
	case class == compare.NewlyBlocked:
		n.Weight += weight
	case class != compare.Same:
	case proposed == engine.Allow:
		to = &n.StaysAllowed
	case proposed == engine.Disallow:
		to = &n.StaysBlocked
	default:
		to = &n.StaysUnclear
	}
	if first {
		*to++
	}
}

// byClicks returns the targets with changes, those with most clicks first.
func (t *flipTotals) byClicks() []flippedTarget {
	slices.SortStableFunc(t.targets, func(a, b flippedTarget) int {
		return cmp.Or(cmp.Compare(b.clicks, a.clicks), cmp.Compare(a.entry.line, b.entry.line))
	})
	return t.targets
}

// flipped reads a target from the journal again.
func (f *Folder) flipped(t *flippedTarget) (*Flipped, error) {
	r, err := f.journal.read(&t.entry)
	if err != nil {
		return nil, err
	}
	return &Flipped{URL: strings.Clone(r.New), Pairs: t.pairs, Clicks: t.clicks, Flips: f.flipsOf(r)}, nil
}
