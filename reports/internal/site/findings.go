package site

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// originLine is a line of one origin's robots.txt.
type originLine struct{ origin, line int }

// addFindingIDs adds the ids of the findings on one robots.txt, the greatest effect first.
func (s *Site) addFindingIDs(of *audit.Findings) {
	for _, found := range ByEffect(of) {
		for _, line := range found.AboutLines() {
			s.findings.Add(of.Origin, line, found.ID)
		}
	}
}

// ByEffect returns the findings on one robots.txt: the most severe first, then those that change
// the verdict for most URLs, then those that affect most URLs.
func ByEffect(of *audit.Findings) []*audit.Finding {
	list := make([]*audit.Finding, len(of.List))
	for i := range of.List {
		list[i] = &of.List[i]
	}
	slices.SortStableFunc(list, CompareEffect)
	return list
}

// CompareEffect is negative if a comes before b.
func CompareEffect(a, b *audit.Finding) int {
	return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Flips, a.Flips), cmp.Compare(b.URLs, a.URLs))
}

// FindingIDs returns the ids of the findings on a line, with commas.
func (s *Site) FindingIDs(origin, line int) string {
	about := s.findings.Of(origin, line)
	ids := ""
	for i := range about {
		if id := about[i].Text; !slices.ContainsFunc(about[:i], func(n LineNote) bool { return n.Text == id }) {
			ids = wording.Join(ids, id)
		}
	}
	return ids
}

// DescribeSeverities sums findings up: "1 critical, 2 errors, 3 warnings, 4 infos".
func DescribeSeverities(s audit.Severities) string {
	var parts []string
	if s.Critical > 0 {
		parts = append(parts, wording.Thousands(s.Critical)+" critical")
	}
	for _, of := range []struct {
		n    int64
		word string
	}{{s.Error, "error"}, {s.Warning, "warning"}, {s.Info, "info"}} {
		if of.n > 0 {
			parts = append(parts, wording.Plural(of.n, of.word))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// SeverityState is the state that findings alone would give a site.
func SeverityState(s audit.Severities) audit.State {
	switch {
	case s.Critical > 0:
		return audit.Critical
	case s.Error+s.Warning > 0:
		return audit.Warn
	}
	return audit.OK
}
