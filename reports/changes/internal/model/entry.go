package model

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
)

// Entry is the data of a site for the summary of all sites.
type Entry struct {
	Name               string
	Number             int // from 0, in the order of the list
	Changed            bool
	OnlyOld            bool        // only the old run has it
	OnlyNew            bool        // only the new run has it
	Old, New           audit.State // "" = that run does not have the site, or was cut short within it
	Totals             compare.Totals
	compare.Severities                  // number of changes
	Lead               string           // one or a few sentences
	Brief              string           // the first sentence of Lead
	Crawlers           []CrawlerFlips   // with changed verdicts: leading crawlers first, then those with the most weight; at most MaxEntryCrawlers
	Further            int              // number of other crawlers with changed verdicts
	Gravest            []compare.Change // at most MaxGravest, with shortened texts
	Notes              int              // number of Site.Notes
	Share              float64          // share of the URLs in both runs that are newly blocked, for the leading crawler with the largest share
	Weighed            bool             // Weights count clicks
	Weights
}

// CrawlerFlips are the changed verdicts for one crawler.
type CrawlerFlips struct {
	Label  string
	Clicks Clicks          // zero if not known
	Hits   compare.Traffic // its own requests; zero without access logs
	compare.CrawlerTotals
}

// Bounds of an entry.
const (
	MaxEntryCrawlers = 12
	MaxGravest       = 3
	maxGravestText   = 200 // bytes
	maxLead          = 700 // bytes
)

func newEntry(s *Site, number int, w Weights) *Entry {
	e := &Entry{Name: s.Name, Number: number, Changed: s.Changed(), OnlyOld: s.New == nil, OnlyNew: s.Old == nil, Totals: s.Totals, Severities: compare.CountSeverities(s.Changes), Notes: len(s.Notes), Weights: w}
	if s.Old != nil {
		e.Old = s.Old.State
	}
	if s.New != nil {
		e.New = s.New.State
	}
	flips := s.CrawlerFlips()
	kept := min(len(flips), MaxEntryCrawlers)
	e.Crawlers, e.Further = slices.Clone(flips[:kept]), len(flips)-kept
	for _, c := range s.Changes[:min(len(s.Changes), MaxGravest)] {
		c.What, c.Before, c.After = Text(c.What, maxGravestText), Text(c.Before, maxGravestText), Text(c.After, maxGravestText)
		e.Gravest = append(e.Gravest, c)
	}
	e.Share, e.Weighed = s.newlyBlocked(), s.Clicks != nil
	lead := lead(s)
	e.Brief, e.Lead = Text(lead[0], maxLead), Text(strings.Join(lead, " "), maxLead)
	return e
}

// Facts lists the changes other than verdicts, in a few words: "1 critical, 2 medium", "only in the
// older run"; "" = none.
func (e *Entry) Facts() string {
	switch {
	case e.OnlyOld:
		return "only in the older run"
	case e.OnlyNew:
		return "only in the newer run"
	}
	return e.Severities.Words()
}

// CrawlerFlips returns the crawlers with changed verdicts or with new blocked URLs: leading
// crawlers first, then those with the most weight.
func (s *Site) CrawlerFlips() (list []CrawlerFlips) {
	leads := map[string]int{}
	for _, i := range leading(s.Crawlers) {
		leads[s.Crawlers[i].Label] = 1
	}
	for i, t := range s.Flips {
		if t == (compare.CrawlerTotals{}) {
			continue
		}
		of := CrawlerFlips{Label: s.Crawlers[i].Label, CrawlerTotals: t}
		if s.Clicks != nil {
			of.Clicks = s.Clicks[i]
		}
		if s.Hits != nil {
			of.Hits = s.Hits[i]
		}
		list = append(list, of)
	}
	slices.SortStableFunc(list, func(a, b CrawlerFlips) int {
		return cmp.Or(cmp.Compare(leads[b.Label], leads[a.Label]), cmp.Compare(b.WeightBlocked, a.WeightBlocked), cmp.Compare(b.Weight, a.Weight))
	})
	return list
}

// newlyBlocked is the share of the pages found that are newly blocked for a leading crawler, the
// largest one. A half is as severe as a critical change.
func (s *Site) newlyBlocked() (share float64) {
	for _, i := range leading(s.Crawlers) {
		if s.Totals.Known > 0 {
			share = max(share, float64(s.Flips[i].NewlyBlocked)/float64(s.Totals.Known))
		}
	}
	return share
}

// severity ranks the most severe change, 0 = critical. Half of the pages newly blocked for a
// leading crawler is critical, and any page is high.
func (e *Entry) severity() int {
	switch {
	case e.Share >= 0.5 || e.Critical > 0:
		return 0
	case e.Leading > 0:
		return 1
	}
	counts := []int64{e.Critical, e.High, e.Medium, e.Info}
	if at := slices.IndexFunc(counts, func(n int64) bool { return n > 0 }); at >= 0 {
		return at
	}
	return len(counts)
}

// Severity is the rank of the site in words, so that a list of sites has the most severe first; ""
// = nothing changed.
func (e *Entry) Severity() compare.Severity {
	return [...]compare.Severity{compare.Critical, compare.High, compare.Medium, compare.Info, ""}[e.severity()]
}

// clicks are those of the URLs newly blocked for leading crawlers; 0 if unknown.
func (e *Entry) clicks() int64 {
	if e.Weighed {
		return e.Leading
	}
	return 0
}

// Compare orders sites, negative if e comes before f: by the most severe change, then by the clicks, the share and the number of
// URLs newly blocked for leading crawlers. Next come URLs newly blocked for any crawler, newly allowed URLs, and the number of
// changes. If all of these are equal, sites with changes come first, in the order of the list.
func (e *Entry) Compare(f *Entry) int {
	return cmp.Or(
		cmp.Compare(e.severity(), f.severity()),
		cmp.Compare(f.clicks(), e.clicks()), cmp.Compare(f.Share, e.Share), cmp.Compare(f.Leading, e.Leading), cmp.Compare(f.Blocked, e.Blocked), cmp.Compare(f.Allowed, e.Allowed),
		cmp.Compare(f.Critical, e.Critical), cmp.Compare(f.High, e.High), cmp.Compare(f.Medium, e.Medium), cmp.Compare(f.Info, e.Info),
		cmp.Compare(f.Totals.NowUnclear, e.Totals.NowUnclear), cmp.Compare(f.Totals.AppearedBlocked, e.Totals.AppearedBlocked),
		cmp.Compare(changedFirst(e), changedFirst(f)), cmp.Compare(e.Number, f.Number),
	)
}

func changedFirst(e *Entry) int {
	if e.Changed {
		return 0
	}
	return 1
}
