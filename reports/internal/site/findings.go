package site

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// originLine is a line of one origin's robots.txt.
type originLine struct{ origin, line int }

// findingIDs are the ids of the findings about each line, the gravest first.
type findingIDs map[originLine][]string

// addFindings adds the findings about one robots.txt.
func (f *findingIDs) addFindings(of *audit.Findings) {
	if *f == nil {
		*f = findingIDs{}
	}
	for _, found := range BySeverity(of) {
		for _, line := range found.AboutLines() {
			at := originLine{of.Origin, line}
			if !slices.Contains((*f)[at], found.ID) {
				(*f)[at] = append((*f)[at], found.ID)
			}
		}
	}
}

// BySeverity returns the findings about one robots.txt, the gravest first.
func BySeverity(of *audit.Findings) []*audit.Finding {
	list := make([]*audit.Finding, len(of.List))
	for i := range of.List {
		list[i] = &of.List[i]
	}
	slices.SortStableFunc(list, func(a, b *audit.Finding) int { return int(b.Severity) - int(a.Severity) })
	return list
}

// FindingIDs are the ids of the findings about a line, with commas.
func (s *Site) FindingIDs(origin, line int) string {
	return strings.Join(s.findings[originLine{origin, line}], ", ")
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
