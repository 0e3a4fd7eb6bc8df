package reports

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/reports/internal/xlsx"
)

// lintRow is a finding about one robots.txt.
type lintRow struct {
	*audit.Finding
	origin string
}

// lintTable is read rather than filtered: its sentences run over several lines.
func lintTable() *xlsx.Table[lintRow] {
	t := xlsx.NewTable("Lint", []xlsx.Column[lintRow]{
		{Title: "ID", Width: 9, Value: func(r *lintRow) xlsx.Cell { return xlsx.TopAligned(r.ID) }},
		{Title: "Severity", Width: 10, Value: func(r *lintRow) xlsx.Cell { return xlsx.TopAligned(r.Severity.String()) }},
		{Title: "Profile", Width: 24, Value: func(r *lintRow) xlsx.Cell { return xlsx.TopAligned(strings.Join(r.Profiles, ", ")) }},
		{Title: "Line", Width: 7, Value: func(r *lintRow) xlsx.Cell {
			if r.Line == 0 {
				return xlsx.Cell{} // the file as a whole
			}
			return xlsx.Identifier(r.Line)
		}},
		{Title: "Text", Width: 44, Value: func(r *lintRow) xlsx.Cell { return xlsx.Wrapped(r.Text) }},
		{Title: "What", Width: 70, Value: func(r *lintRow) xlsx.Cell { return xlsx.Wrapped(r.What) }},
		{Title: "Why it matters", Width: 60, Value: func(r *lintRow) xlsx.Cell { return xlsx.Wrapped(r.Why) }},
		{Title: "What to do", Width: 60, Value: func(r *lintRow) xlsx.Cell { return xlsx.Wrapped(r.Fix) }},
		{Title: "URLs touched", Width: 12, Value: func(r *lintRow) xlsx.Cell {
			if !r.Counted {
				return xlsx.Cell{}
			}
			return xlsx.Number(r.URLs)
		}},
		{Title: "Sample URLs", Width: 70, Value: func(r *lintRow) xlsx.Cell { return xlsx.TopAligned(strings.Join(r.Samples, " ")) }},
		{Title: "Line as it should be", Width: 44, Value: func(r *lintRow) xlsx.Cell { return xlsx.Wrapped(r.Replacement) }},
		{Title: "More of this kind", Width: 12, Value: func(r *lintRow) xlsx.Cell { return xlsx.NumberOrBlank(int64(r.More)) }},
		{Title: "Origin", Width: 30, Value: func(r *lintRow) xlsx.Cell { return xlsx.TopAligned(r.origin) }},
	}, xlsx.ConditionalFormat{Column: 1, Highlights: severityColours}, xlsx.DataBar(8))
	t.Height = func(r *lintRow) float64 {
		const most = 90 // for a line of the file, which may be of any length
		return max(xlsx.TextHeight(r.What, 72), xlsx.TextHeight(r.Why, 62), xlsx.TextHeight(r.Fix, 62), min(most, xlsx.TextHeight(r.Text, 46)), min(most, xlsx.TextHeight(r.Replacement, 46)))
	}
	return t
}

// originLine is a line of one origin's robots.txt.
type originLine struct{ origin, line int }

// addFindings takes what is to be said about one robots.txt, the gravest first.
func (b *siteBook) addFindings(f *audit.Findings) {
	if b.lintIDs == nil {
		b.lintIDs = map[originLine][]string{}
	}
	list := slices.Clone(f.List)
	slices.SortStableFunc(list, func(a, b audit.Finding) int { return int(b.Severity) - int(a.Severity) })
	for i := range list {
		found := &list[i]
		b.lint.AddRow(&b.Workbook, &lintRow{found, b.origin(f.Origin).Origin})
		at := originLine{f.Origin, found.Line}
		if !slices.Contains(b.lintIDs[at], found.ID) {
			b.lintIDs[at] = append(b.lintIDs[at], found.ID)
		}
	}
}

// lintOf names the findings about a line.
func (b *siteBook) lintOf(origin, line int) string {
	return strings.Join(b.lintIDs[originLine{origin, line}], ", ")
}

// severityWords sums findings up: "1 critical, 2 errors, 3 warnings, 4 infos".
func severityWords(s audit.Severities) string {
	var parts []string
	if s.Critical > 0 {
		parts = append(parts, thousands(s.Critical)+" critical")
	}
	for _, of := range []struct {
		n    int64
		word string
	}{{s.Error, "error"}, {s.Warning, "warning"}, {s.Info, "info"}} {
		switch {
		case of.n == 1:
			parts = append(parts, "1 "+of.word)
		case of.n > 1:
			parts = append(parts, thousands(of.n)+" "+of.word+"s")
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// severityState is the state that findings alone would give a site.
func severityState(s audit.Severities) string {
	switch {
	case s.Critical > 0:
		return string(audit.Critical)
	case s.Error+s.Warning > 0:
		return string(audit.Warn)
	}
	return string(audit.OK)
}
