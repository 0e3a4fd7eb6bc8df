package site

import "robots-audit/engine"

// Tally counts pages of one sort and the blocked ones among them.
type Tally struct {
	URLs          int64   // pages
	BlockedAny    int64   // of them blocked for at least one crawler
	Blocked       []int64 // for each crawler
	Unclear       []int64 // for each crawler, pages without a clear verdict; nil = none
	Clicks        int64   // clicks of all pages that have them in the user's own list
	BlockedClicks int64   // clicks of the pages in BlockedAny
	Hits          Hits
}

// Hits count the requests of one crawler, the one of audit.Site.HitsCrawler.
type Hits struct {
	All     int64 `json:"all"`     // for all pages
	Blocked int64 `json:"blocked"` // for pages that are blocked for it
}

func (h *Hits) add(of Hits) {
	h.All += of.All
	h.Blocked += of.Blocked
}

// count counts a page.
func (t *Tally) count(u *URL) {
	t.URLs++
	t.Clicks += u.Clicks
	if u.Blocked {
		t.BlockedAny++
		t.BlockedClicks += u.Clicks
		for i, v := range u.Verdicts[:min(len(u.Verdicts), len(t.Blocked))] {
			if v == engine.Disallow {
				t.Blocked[i]++
			}
		}
	}
	if u.Unclear {
		if t.Unclear == nil {
			t.Unclear = make([]int64, len(t.Blocked))
		}
		for i, v := range u.Verdicts[:min(len(u.Verdicts), len(t.Unclear))] {
			if v != engine.Disallow && v != engine.Allow {
				t.Unclear[i]++
			}
		}
	}
}

// add adds the pages of another tally.
func (t *Tally) add(of *Tally) {
	t.URLs += of.URLs
	t.BlockedAny += of.BlockedAny
	t.Clicks += of.Clicks
	t.BlockedClicks += of.BlockedClicks
	t.Hits.add(of.Hits)
	for i, n := range of.Blocked {
		t.Blocked[i] += n
	}
	if t.Unclear == nil {
		t.Unclear = of.Unclear
		return
	}
	for i, n := range of.Unclear {
		t.Unclear[i] += n
	}
}

// Judged reports whether the verdict for the i-th crawler is clear on any of the pages.
func (t *Tally) Judged(i int) bool { return t.Unclear == nil || t.Unclear[i] < t.URLs }

// JudgedAny reports whether it is clear for any crawler.
func (t *Tally) JudgedAny() bool {
	for i := range t.Blocked {
		if t.Judged(i) {
			return t.URLs > 0
		}
	}
	return false
}
