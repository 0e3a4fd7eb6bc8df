package migration

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/migrate"
	"robots-audit/engine/wording"
)

// Summary is the data on a whole check.
type Summary struct {
	Run          Head           `json:"run"`
	Finished     time.Time      `json:"finished"`
	Totals       Totals         `json:"totals"`
	Classes      []ClassCount   `json:"classes"` // those that occur, the most severe first; with equal severity those with the most clicks, then pairs
	Leaks        []migrate.Leak `json:"leaks"`
	Expectations *Expectations  `json:"expectations,omitempty"` // nil = there are none, or the check did not reach them
	Unmapped     []string       `json:"unmapped"`               // important URLs without a pair, at most maxNamed
	Chains       []Chain        `json:"chains"`                 // chains of responses, those of most pairs first
	Flips        []FlipCount    `json:"flips,omitempty"`        // targets, for each crawler: changes by the proposed robots.txt
	Flipped      []*Flipped     `json:"flipped,omitempty"`      // targets with changes, those with most clicks first, at most maxTargets
	MoreFlipped  int64          `json:"more_flipped,omitempty"` // number of further ones
	Targets      []Target       `json:"targets,omitempty"`      // targets of several old URLs, those of most first, at most maxTargets
	Samples      []*Sample      `json:"samples,omitempty"`      // the most severe pairs of each class, at most maxSamples for each
	MoreFound    int64          `json:"more_samples"`           // number of further pairs with remarks
	Left         int64          `json:"not_asked,omitempty"`    // pairs of the map that have no result yet

	flipped []flippedTarget // all targets with changes
}

// Totals counts pairs by the severity of their class.
type Totals struct {
	Pairs            int64 `json:"pairs"`
	OK               int64 `json:"ok"`
	Critical         int64 `json:"critical"`
	Error            int64 `json:"error"`
	Unknown          int64 `json:"unknown"`
	Warning          int64 `json:"warning"`
	Info             int64 `json:"info"`
	Passing          int64 `json:"passing"` // pairs worth requesting again
	Important        int64 `json:"important"`
	ImportantFailing int64 `json:"important_failing"` // of class error or critical, and those without a pair
}

// ClassCount is the number of pairs of a class.
type ClassCount struct {
	Class    string           `json:"class"`
	Severity migrate.Severity `json:"severity"`
	Pairs    int64            `json:"pairs"`
	Clicks   int64            `json:"clicks"`
	Words    string           `json:"words"`
	Todo     string           `json:"todo,omitempty"`
}

// Target is a new URL to which several old ones lead.
type Target struct {
	URL    string `json:"url"`
	Pairs  int64  `json:"pairs"`
	Clicks int64  `json:"clicks"`
	Status int    `json:"status"`
}

// Sample is a pair with the responses on its way.
type Sample struct {
	*migrate.Result
	Severity migrate.Severity `json:"severity"`
	Words    string           `json:"words"`
	Todo     string           `json:"todo"`
}

// Bounds of the lists outside of the workbook.
const (
	maxSamples = 100 // of a class
	maxTargets = 1000
	maxNamed   = 1000
)

// Whole has the data on a check in addition to its results.
type Whole struct {
	Pairs        int64 // of the map
	Leaks        []migrate.Leak
	Unmapped     []string      // important URLs without a pair
	Expectations *Expectations // nil = there are none, or the check did not reach them
}

// newSummary counts all results.
func (f *Folder) newSummary(order []entry, of *Whole) (*Summary, error) {
	s := &Summary{Run: f.Head, Finished: time.Now().UTC().Truncate(time.Second), Leaks: append([]migrate.Leak{}, of.Leaks...), Expectations: of.Expectations,
		Unmapped: append([]string{}, of.Unmapped[:min(len(of.Unmapped), maxNamed)]...)}
	counts := make([]ClassCount, len(migrate.Classes))
	for _, e := range order {
		c := &migrate.Classes[e.rank]
		counts[e.rank].Pairs++
		counts[e.rank].Clicks += e.clicks
		s.Totals.add(c.Severity, e.flags)
	}
	for i, c := range migrate.Classes {
		if n := counts[i]; n.Pairs > 0 {
			s.Classes = append(s.Classes, ClassCount{c.ID, c.Severity, n.Pairs, n.Clicks, c.Words, c.Todo})
		}
	}
	slices.SortStableFunc(s.Classes, func(a, b ClassCount) int {
		return cmp.Or(a.Severity.Compare(b.Severity), cmp.Compare(b.Clicks, a.Clicks), cmp.Compare(b.Pairs, a.Pairs))
	})
	s.Totals.Important += int64(len(of.Unmapped))
	s.Totals.ImportantFailing += int64(len(of.Unmapped))
	s.Left = max(0, of.Pairs-s.Totals.Pairs)
	if f.Head.Proposed != "" {
		for _, c := range f.Crawlers {
			s.Flips = append(s.Flips, FlipCount{Crawler: c.Label})
		}
	}
	targets, ways, changed, sampled := map[string]*Target{}, chains{byName: map[string]*Chain{}}, newFlipTotals(), map[string]int{}
	at := 0
	for r, err := range f.results(order) {
		if err != nil {
			return nil, err
		}
		s.sample(r, sampled)
		s.target(r, targets)
		ways.add(r)
		changed.add(s.Flips, r, order[at])
		at++
	}
	for _, t := range targets {
		if t.Pairs > 1 {
			s.Targets = append(s.Targets, *t)
		}
	}
	slices.SortFunc(s.Targets, func(a, b Target) int {
		return cmp.Or(cmp.Compare(b.Pairs, a.Pairs), cmp.Compare(b.Clicks, a.Clicks), strings.Compare(a.URL, b.URL))
	})
	s.Chains, s.flipped = ways.list(), changed.byClicks()
	for i := range s.flipped[:min(len(s.flipped), maxTargets)] {
		t, err := f.flipped(&s.flipped[i])
		if err != nil {
			return nil, err
		}
		s.Flipped = append(s.Flipped, t)
	}
	s.MoreFlipped = int64(len(s.flipped) - len(s.Flipped))
	return s, nil
}

// sample keeps the first pairs of each class, which are the most severe.
func (s *Summary) sample(r *migrate.Result, of map[string]int) {
	if r.Class == migrate.ClassOK {
		return
	}
	if of[r.Class]++; of[r.Class] > maxSamples {
		s.MoreFound++
		return
	}
	c := migrate.ClassOf(r.Class)
	s.Samples = append(s.Samples, &Sample{r, c.Severity, c.Words, c.Todo})
}

// target counts the old URLs that lead to one target.
func (s *Summary) target(r *migrate.Result, targets map[string]*Target) {
	if !slices.ContainsFunc(r.Remarks, func(m migrate.Remark) bool { return m.Class == migrate.ClassManyToOne }) {
		return
	}
	t := targets[r.New]
	if t == nil {
		t = &Target{URL: r.New, Status: r.Target.Status}
		targets[r.New] = t
	}
	t.Pairs++
	t.Clicks += r.Clicks
}

func (t *Totals) add(s migrate.Severity, flags uint8) {
	t.Pairs++
	switch s {
	case migrate.Critical:
		t.Critical++
	case migrate.Error:
		t.Error++
	case migrate.Warning:
		t.Warning++
	case migrate.Info:
		t.Info++
	case migrate.Fine:
		t.OK++
	default:
		t.Unknown++
	}
	if flags&flagPassing != 0 {
		t.Passing++
	}
	if flags&flagImportant != 0 {
		t.Important++
		if s.AtLeast(migrate.Error) {
			t.ImportantFailing++
		}
	}
}

// AtLeast returns the number of pairs of at least a severity. It does not count unclear ones.
func (t *Totals) AtLeast(s migrate.Severity) int64 {
	n := t.Critical
	for _, level := range []struct {
		severity migrate.Severity
		pairs    int64
	}{{migrate.Error, t.Error}, {migrate.Warning, t.Warning}, {migrate.Info, t.Info}} {
		if level.severity.AtLeast(s) {
			n += level.pairs
		}
	}
	return n
}

// Headline describes the check in one sentence, without zero counts.
func (t *Totals) Headline() string {
	var parts []string
	for _, part := range []struct {
		n     int64
		words string
	}{
		{t.Critical, wording.Thousands(t.Critical) + " critical"}, {t.Error, wording.Plural(t.Error, "error")}, {t.Unknown, wording.Thousands(t.Unknown) + " unknown"},
		{t.Warning, wording.Plural(t.Warning, "warning")}, {t.Info, wording.Thousands(t.Info) + " info"}, {t.OK, wording.Thousands(t.OK) + " as planned"},
	} {
		if part.n > 0 {
			parts = append(parts, part.words)
		}
	}
	if parts == nil {
		return wording.Plural(t.Pairs, "pair")
	}
	return wording.Plural(t.Pairs, "pair") + ": " + strings.Join(parts, ", ")
}
