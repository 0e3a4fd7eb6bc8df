package site

import (
	"robots-audit/audit"
	"robots-audit/engine"
)

// FlipTemplates counts pages whose verdict changes between two versions of a site, by the template
// that probably made their addresses. The zero value is ready.
type FlipTemplates struct {
	t        Templates
	url      audit.URL
	verdicts [2]engine.Verdict
}

// FlipTemplate is a template with the pages whose verdict changes.
type FlipTemplate struct {
	Name         string `json:"template"` // "/post{n}.html"; "" = pages that are not counted by template
	NewlyBlocked int64  `json:"newly_blocked"`
	NewlyAllowed int64  `json:"newly_allowed"`
	Example      string `json:"example"` // one of them
}

// Count counts a page that is newly blocked for a crawler, newly allowed for one, or both.
func (f *FlipTemplates) Count(loc string, blocked, allowed bool) {
	// The two classes are stored like two crawlers in Templates.
	f.t.crawlers = len(f.verdicts)
	f.verdicts = [2]engine.Verdict{engine.Allow, engine.Allow}
	if blocked {
		f.verdicts[0] = engine.Disallow
	}
	if allowed {
		f.verdicts[1] = engine.Disallow
	}
	f.url = audit.URL{Loc: loc, Verdicts: f.verdicts[:]}
	f.t.count(&URL{URL: &f.url, Page: true, Blocked: blocked || allowed})
}

// Ranked returns the first n templates, those with most changed pages first, and the number of the
// others. It is for the end.
func (f *FlipTemplates) Ranked(n int) (list []FlipTemplate, more int) {
	all := f.t.Ranked()
	for _, of := range all[:min(n, len(all))] {
		list = append(list, FlipTemplate{of.Name, of.Blocked[0], of.Blocked[1], of.Example})
	}
	return list, len(all) - len(list)
}
