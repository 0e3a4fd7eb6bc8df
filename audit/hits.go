package audit

import (
	"time"

	"robots-audit/engine"
)

// Hits are the requests of crawlers in access logs. They weigh URLs beside clicks. All sites of an
// audit use it at the same time.
type Hits interface {
	// Period returns the time of the logs of a site; false = they have no request for it.
	Period(d Domain) (p LogPeriod, ok bool)
	// Hits adds the requests for a URL, as URL.Loc has it, to counts, one for each of the audit's
	// crawlers. false = there are none.
	Hits(url string, counts []int64) bool
}

// LogPeriod has the times of the first and the last request in access logs, in UTC.
type LogPeriod struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// findHits prepares the site for hits, if there are logs.
func (s *site) findHits() *LogPeriod {
	if s.auditor.Hits == nil {
		return nil
	}
	period, ok := s.auditor.Hits.Period(s.domain)
	if !ok {
		return nil
	}
	n := len(s.auditor.Crawlers)
	s.hits, s.done.Hits, s.done.HitsBlocked = make([]int64, n), make([]int64, n), make([]int64, n)
	return &period
}

// addHits sets the hits of the i-th URL of a batch. The lists of earlier URLs stay valid if the
// batch's memory grows.
func (s *site) addHits(batch *URLs, i int) {
	if s.hits == nil {
		return
	}
	clear(s.hits)
	if u := &batch.List[i]; s.auditor.Hits.Hits(u.Loc, s.hits) && hasHits(s.hits) {
		batch.hits, u.Hits = moved(batch.hits, s.hits)
	}
}

func hasHits(hits []int64) bool { return lastHit(hits) > 0 }

// lastHit is the number of crawlers up to the last one with hits.
func lastHit(hits []int64) int {
	n := len(hits)
	for n > 0 && hits[n-1] == 0 {
		n--
	}
	return n
}

// CountHits adds the URL's hits to those of each crawler, and to blocked where the URL is blocked for
// that crawler.
func (u *URL) CountHits(all, blocked []int64) {
	for i, n := range u.Hits[:min(len(u.Hits), len(all))] {
		if all[i] += n; u.BlockedFor(i) {
			blocked[i] += n
		}
	}
}

// HitsOf returns the requests of the i-th crawler; 0 = none, or i is no crawler.
func (u *URL) HitsOf(i int) int64 {
	if i < 0 || i >= len(u.Hits) {
		return 0
	}
	return u.Hits[i]
}

// BlockedFor reports whether the URL is blocked for the i-th crawler.
func (u *URL) BlockedFor(i int) bool { return i < len(u.Verdicts) && u.Verdicts[i] == engine.Disallow }

// HitsCrawler returns the crawler whose hits stand for all in summaries, the first of Leading; -1 =
// no access logs were given.
func (s *Site) HitsCrawler() int {
	if s.Logs == nil || len(s.Crawlers) == 0 {
		return -1
	}
	return Leading(s.Crawlers)[0]
}
