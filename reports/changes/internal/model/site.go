package model

import (
	"slices"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
)

// Site is a site that is compared, with what all outputs say of it.
type Site struct {
	*compare.Site
	Entry   *Entry
	Samples *Samples
	Clicks  []Clicks // of Crawlers; nil = of no page that flips are clicks known
}

// Clicks are the clicks of changed pages, from the user's own list. A page without clicks counts as 0 here,
// but as 1 in a weight.
type Clicks struct {
	Lost   int64 // of pages that are newly blocked
	Gained int64 // of pages that are newly allowed
}

// Gathering is what is gathered of a site while it is compared.
type Gathering struct {
	site    *compare.Site
	samples *Samples
	clicks  []Clicks
	known   bool // clicks are
	weights Weights
}

// Weights are those of the pages of a site that flip one way or the other for at least
// one crawler.
type Weights struct {
	Leading int64 // newly blocked for a crawler that leads, or vanished where it may fetch nothing any more
	Blocked int64
	Allowed int64
}

// Gather begins with a site, of which Name and Crawlers are known.
func Gather(site *compare.Site) *Gathering {
	return &Gathering{site: site, samples: newSamples(site.Crawlers), clicks: make([]Clicks, len(site.Crawlers))}
}

// Flip takes a flip, which may change afterwards.
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

// End takes the site when all of it is known. number is its place among the sites as
// they come.
func (g *Gathering) End(site *compare.Site, number int) *Site {
	s := &Site{Site: site, Samples: g.samples}
	if s.unreachable() {
		g.weights.Leading += site.Totals.Vanished // with its sitemaps: nobody can crawl them
	}
	if g.known {
		s.Clicks = g.clicks
	}
	s.Entry = newEntry(s, number, g.weights)
	return s
}

// unreachable reports whether the site's own robots.txt has come to be answered so that a
// crawler that leads may fetch nothing at all.
func (s *Site) unreachable() bool {
	if len(s.Origins) == 0 || s.Origins[0].Old == nil || s.Origins[0].New == nil {
		return false
	}
	old, new := s.Origins[0].Old, s.Origins[0].New
	return slices.ContainsFunc(s.indices(), func(i int) bool {
		return s.leads(i) && i < len(new.Access) && i < len(old.Access) && new.Access[i] == engine.DisallowAll && old.Access[i] != engine.DisallowAll
	})
}
