package migrate

import (
	"hash/maphash"

	"robots-audit/audit"
)

// Hits are the requests of a search crawler in the access logs of an earlier run. They order the pairs
// that have the same clicks.
type Hits struct {
	Crawler string // its label

	seed  maphash.Seed
	byURL map[uint64]int64 // by hash, which takes less memory than URLs
	at    int              // index of the crawler among those of the current site; -1 = the site has no logs
}

// NewHits returns Hits without requests.
func NewHits() *Hits { return &Hits{seed: maphash.MakeSeed(), byURL: map[uint64]int64{}, at: -1} }

// Add adds the requests in a record of a run. The records of a site follow on each other.
func (h *Hits) Add(rec *audit.Record) {
	switch {
	case rec.Site != nil:
		if h.at = rec.Site.HitsCrawler(); h.at >= 0 {
			h.Crawler = rec.Site.Crawlers[h.at].Label
		}
	case rec.URLs != nil && h.at >= 0:
		for i := range rec.URLs.List {
			if u := &rec.URLs.List[i]; u.HitsOf(h.at) > 0 {
				h.byURL[maphash.String(h.seed, u.Loc)] = u.HitsOf(h.at)
			}
		}
	}
}

// of returns the requests for a URL.
func (h *Hits) of(url string) int64 {
	if h == nil {
		return 0
	}
	return h.byURL[maphash.String(h.seed, url)]
}
