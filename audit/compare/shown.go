package compare

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// The errors that known URLs show about a rule, as an audit finds them.
const (
	listedBlocked   = "SM005"
	resourceBlocked = "RUL019"
	targetBlocked   = "RUL020"
)

// NeedsURLs reports whether known URLs, and not the file alone, show a finding.
func NeedsURLs(id string) bool {
	kind, ok := engine.FindingKindByID(id)
	return ok && kind.Needs == "urls"
}

// shownKey is such a finding at a rule. It has no line number, because lines differ between the
// sides.
type shownKey struct{ id, path string }

// shown counts the URLs that show a finding, each once.
type shown struct {
	rule       engine.Rule
	urls, last int64
}

// show notes what the verdicts on a URL show about the rules of its side.
func (c *comparison) show(k *known, decisions []engine.Decision) {
	switch {
	case audit.IsPage(k.kind) && k.listed:
		c.showBlocked(listedBlocked, k.origin, decisions)
	case k.kind == crawl.KindHreflang:
		c.showBlocked(targetBlocked, k.origin, decisions)
	case k.kind == crawl.KindCSS, k.kind == crawl.KindJS:
		c.showBlocked(resourceBlocked, k.origin, decisions)
	}
}

// showBlocked notes a URL at each rule that blocks it for a crawler that needs it.
func (c *comparison) showBlocked(id string, g *governed, decisions []engine.Decision) {
	c.facts.urls++
	for i := range decisions {
		d := &decisions[i]
		if d.Verdict != engine.Disallow || d.Rule == nil || !c.matters(id, i) {
			continue
		}
		if id == targetBlocked && strings.Trim(d.Rule.Value, "/*") == "" { // a blocked site is a change of its own
			continue
		}
		key := shownKey{id, d.Rule.Value}
		of := g.shown[key]
		if of == nil {
			if g.shown == nil {
				g.shown = map[shownKey]*shown{}
			}
			of = &shown{rule: *d.Rule}
			g.shown[key] = of
		}
		if of.last != c.facts.urls {
			of.urls, of.last = of.urls+1, c.facts.urls
		}
	}
}

// matters reports whether it is an error to block such a URL for the i-th crawler.
func (c *comparison) matters(id string, i int) bool {
	crawler := &c.site.Crawlers[i].New
	if id == resourceBlocked {
		return strings.HasPrefix(crawler.Profile, "google")
	}
	return crawler.FindsPages()
}

// showPages does the same for canonical URLs and redirect targets of pages.
func (c *comparison) showPages() {
	for _, s := range []*judged{c.old, c.new} {
		seen := map[string]bool{}
		for _, p := range s.pages {
			url := p.URL
			switch {
			case p.Answered():
				url = p.Canonical
			case p.Code == crawl.CodeDisallowed:
				url = p.Location
			}
			g := s.originNamed(originOf(url))
			if url == p.URL || seen[url] || g == nil {
				continue
			}
			seen[url] = true
			g = s.judge(g.record.Index, s.readers)
			decisions := make([]engine.Decision, len(g.groups))
			for i, group := range g.groups {
				decisions[i] = group.Verdict(url)
			}
			c.showBlocked(targetBlocked, g, decisions)
		}
	}
}

// shownBy returns the findings shown by the URLs of an origin, and of origins with the same file.
func (s *side) shownBy(origin string) (list []engine.Finding) {
	all := map[shownKey]shown{}
	for _, g := range s.origins {
		if g.record.Origin != origin && g.record.SameAs != origin {
			continue
		}
		for key, of := range g.shown {
			sum := all[key]
			all[key] = shown{of.rule, sum.urls + of.urls, 0}
		}
	}
	for k, of := range all {
		f, n := engine.Finding{ID: k.id, Severity: engine.Error, Line: of.rule.Line, Text: of.rule.String()}, of.urls
		switch k.id {
		case listedBlocked:
			f.What = "this line blocks " + wording.URLs(n) + " of the sitemaps"
		case resourceBlocked:
			f.What = "this line blocks " + wording.Plural(n, "file") + " that pages need for rendering"
		default:
			f.What = "this line blocks " + wording.Plural(n, "URL") + " that pages point to"
		}
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b engine.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.ID, b.ID), strings.Compare(a.Text, b.Text))
	})
	return list
}
