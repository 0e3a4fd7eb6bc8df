package reports

import (
	"encoding/json"
	"slices"

	"robots-audit/audit"
	"robots-audit/reports/internal/enforced"
	"robots-audit/reports/internal/summary"
)

// Bounds of the crawlers of a site, which is asked in the names of fewer, and of its contradictions in summary.json.
const (
	maxTreated        = 50
	maxContradictions = 20
)

// treatedOf returns the crawlers in whose names a site was asked, in the order of the user; nil = none.
func treatedOf(asked *audit.Asked, s *enforced.Site) (list []summary.Treated) {
	if s == nil {
		return nil
	}
	for _, a := range asked.Crawlers[:min(len(asked.Crawlers), maxTreated)] {
		contradicts := slices.ContainsFunc(s.Contradictions, func(c *enforced.Contradiction) bool {
			return c.Crawler == a.Name && slices.Contains(c.Sources, enforced.SourceAnswer)
		})
		list = append(list, summary.Treated{Crawler: a.Name, Treatment: a.Treatment, Contradicts: contradicts})
	}
	return list
}

// addAsked adds the treatments and the contradictions of a site.
func addAsked(e *summary.Entry, treated []summary.Treated, s *enforced.Site) {
	text := []byte{'{'}
	for i, t := range treated {
		if i > 0 {
			text = append(text, ',')
		}
		name, _ := json.Marshal(t.Crawler) // a string cannot fail
		treatment, _ := json.Marshal(t.Treatment)
		text = append(append(append(text, name...), ':'), treatment...)
	}
	e.Asked = append(text, '}')
	groups := enforced.Grouped(s.Contradictions)
	first := groups[:min(len(groups), maxContradictions)]
	for _, g := range first {
		e.Contradictions = append(e.Contradictions, summary.Contradiction{Code: g.Code, Crawlers: g.Crawlers, Severity: g.Severity, Sentence: g.Sentence})
	}
	e.ContradictionsMore = len(groups) - len(first)
}
