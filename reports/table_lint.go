package reports

import (
	"slices"
	"strings"

	"robots-audit/audit"
)

// lintRow is a finding about one robots.txt.
type lintRow struct {
	*audit.Finding
	origin string
}

// lintTable is read rather than filtered: its sentences run over several lines.
func lintTable() *table[lintRow] {
	t := newTable("Lint", []column[lintRow]{
		{"ID", 9, func(r *lintRow) cell { return atTop(r.ID) }},
		{"Severity", 10, func(r *lintRow) cell { return atTop(r.Severity.String()) }},
		{"Profile", 24, func(r *lintRow) cell { return atTop(strings.Join(r.Profiles, ", ")) }},
		{"Line", 7, func(r *lintRow) cell {
			if r.Line == 0 {
				return cell{} // the file as a whole
			}
			return plainNumber(r.Line)
		}},
		{"Text", 44, func(r *lintRow) cell { return wrapped(r.Text) }},
		{"What", 70, func(r *lintRow) cell { return wrapped(r.What) }},
		{"Why it matters", 60, func(r *lintRow) cell { return wrapped(r.Why) }},
		{"What to do", 60, func(r *lintRow) cell { return wrapped(r.Fix) }},
		{"URLs touched", 12, func(r *lintRow) cell {
			if !r.Counted {
				return cell{}
			}
			return number(r.URLs)
		}},
		{"Sample URLs", 70, func(r *lintRow) cell { return atTop(strings.Join(r.Samples, " ")) }},
		{"Line as it should be", 44, func(r *lintRow) cell { return wrapped(r.Replacement) }},
		{"More of this kind", 12, func(r *lintRow) cell { return count(int64(r.More)) }},
		{"Origin", 30, func(r *lintRow) cell { return atTop(r.origin) }},
	}, mark{1, severityColours}, mark{8, nil})
	t.height = func(r *lintRow) float64 {
		const most = 90 // for a line of the file, which may be of any length
		return max(lines(r.What, 72), lines(r.Why, 62), lines(r.Fix, 62), min(most, lines(r.Text, 46)), min(most, lines(r.Replacement, 46)))
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
		b.lint.add(&b.book, &lintRow{found, b.origin(f.Origin).Origin})
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
