package model

import (
	"slices"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
)

// Site is a compared site, with the data that all outputs use.
type Site struct {
	*compare.Site
	Entry   *Entry
	Samples *Samples
	Clicks  []Clicks // one for each of Crawlers; nil = no changed page has clicks
}

// Clicks are the clicks of changed pages, from the user's own list. A page without clicks counts as 0 here,
// but as 1 in a weight.
type Clicks struct {
	Lost   int64 // of pages that are newly blocked
	Gained int64 // of pages that are newly allowed
}

// Gathering collects the data of a site while it is compared.
type Gathering struct {
	site    *compare.Site
	samples *Samples
	clicks  []Clicks
	known   bool // clicks are known
	weights Weights
}

// Weights are those of the pages of a site whose verdict changes in either direction for at least
// one crawler.
type Weights struct {
	Leading int64 // newly blocked for a leading crawler, or vanished and the crawler is blocked from everything
	Blocked int64
	Allowed int64
}

// Gather begins a site, with known Name and Crawlers.
func Gather(site *compare.Site) *Gathering {
	return &Gathering{site: site, samples: newSamples(site.Crawlers), clicks: make([]Clicks, len(site.Crawlers))}
}

// Flip adds a flip, which the caller may change afterwards.
func (g *Gathering) Flip(f *compare.Flip) {
	g.samples.add(f)
	if f.Appeared || !audit.IsPage(f.Kind) {
		return
	}
	var blocked, allowed, leading bool
	for i := range f.Verdicts {
		switch f.Verdicts[i].Class {
		case compare.NewlyBlocked:
			blocked, leading = true, leading || g.samples.leads[i]
			g.clicks[i].Lost += f.Weight.Clicks
		case compare.NewlyAllowed:
			allowed = true
			g.clicks[i].Gained += f.Weight.Clicks
		}
	}
	g.known = g.known || f.Weight.HasClicks()
	weight := compare.Clicks(f.Weight)
	if blocked {
		g.weights.Blocked += weight
	}
	if leading {
		g.weights.Leading += weight
	}
	if allowed {
		g.weights.Allowed += weight
	}
}

// End completes the site when all of it is known. number is its position in the list.
func (g *Gathering) End(site *compare.Site, number int) *Site {
	s := &Site{Site: site, Samples: g.samples}
	if s.unreachable() {
		g.weights.Leading += site.Totals.Vanished // with its sitemaps: no crawler can find them
	}
	if g.known {
		s.Clicks = g.clicks
	}
	s.Entry = newEntry(s, number, g.weights)
	return s
}

// unreachable reports whether the site's own robots.txt now has a response by which a leading
// crawler is blocked from everything.
func (s *Site) unreachable() bool {
	if len(s.Origins) == 0 || s.Origins[0].Old == nil || s.Origins[0].New == nil {
		return false
	}
	old, new := s.Origins[0].Old, s.Origins[0].New
	return slices.ContainsFunc(s.indices(), func(i int) bool {
		return s.leads(i) && i < len(new.Access) && i < len(old.Access) && new.Access[i] == engine.DisallowAll && old.Access[i] != engine.DisallowAll
	})
}
