package reports

import (
	"encoding/json"
	"slices"
	"strings"

	"robots-audit/reports/internal/enforced"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// Bounds of the crawlers of a site, which is asked in the names of fewer, and of its contradictions in summary.json.
const (
	maxTreated        = 50
	maxContradictions = 20
)

// treatedOf returns the crawlers in whose names a site was asked, in the order of the user; nil = none.
func treatedOf(s *enforced.Site) (list []summary.Treated) {
	if s == nil {
		return nil
	}
	for _, a := range s.Asked.Crawlers[:min(len(s.Asked.Crawlers), maxTreated)] {
		contradicts := slices.ContainsFunc(s.Contradictions, func(c *enforced.Contradiction) bool {
			return c.Crawler == a.Name && slices.Contains(c.Sources, enforced.SourceAnswer)
		})
		t := summary.Treated{Crawler: a.Name, Treatment: a.Treatment, Of: len(a.Replies), Contradicts: contradicts}
		for i := range a.Replies {
			if a.Replies[i].Treatment == t.Treatment {
				t.URLs++
			}
		}
		list = append(list, t)
	}
	return list
}

// leadOf returns what leads the to-do list of a site: its contradictions, or that nothing is clear.
func leadOf(s *enforced.Site) (lead site.Lead) {
	if s != nil {
		lead.Contradictions, lead.Do = len(enforced.Grouped(s.Contradictions)), strings.Join(s.Advice(), " ")
	}
	if lead.Do != "" || lead.Contradictions > 0 {
		lead.What = s.Headline()
	}
	return lead
}

// addAsked adds the treatments and the contradictions of a site.
func addAsked(e *summary.Entry, treated []summary.Treated, s *enforced.Site) {
	for i, t := range treated {
		name, _ := json.Marshal(t.Crawler) // a string cannot fail
		treatment, _ := json.Marshal(t.Treatment)
		e.Asked = append(append(append(append(e.Asked, "{,"[min(i, 1)]), name...), ':'), treatment...)
	}
	if treated != nil {
		e.Asked = append(e.Asked, '}')
	}
	groups := enforced.Grouped(s.Contradictions)
	first := groups[:min(len(groups), maxContradictions)]
	for _, g := range first {
		e.Contradictions = append(e.Contradictions, summary.Contradiction{Code: g.Code, Crawlers: g.Crawlers, Severity: g.Severity, Sentence: g.Sentence})
	}
	e.ContradictionsMore = len(groups) - len(first)
}
