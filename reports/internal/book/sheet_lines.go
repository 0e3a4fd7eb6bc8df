package book

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// lineRow is a line of a robots.txt with what it does and what is wrong with it.
type lineRow struct {
	*site.FileLine // nil = the findings are about the file as a whole
	rules          []site.RuleRow
	findings       []*audit.Finding
	of             *site.Site
	origins        string // that serve the file
	id             string // of the rule; "" = it is none
}

// most returns the greatest of a number of URLs that the rules of the line have; blank where no
// crawler tested follows it, or where one number is not known.
func (r *lineRow) most(of func(*site.RuleRow) int64, unknown bool) xlsx.Cell {
	if len(r.rules) == 0 || !r.rules[0].Tested {
		return xlsx.Cell{}
	}
	n := int64(0)
	for i := range r.rules {
		if unknown && r.rules[i].Unknown != "" {
			return xlsx.Cell{}
		}
		n = max(n, of(&r.rules[i]))
	}
	return xlsx.Number(n)
}

// effect says what the line does, for each crawler where that differs, or why it does not count.
func (r *lineRow) effect() string {
	if r.FileLine == nil {
		return ""
	}
	var parts []string
	for i := range r.rules {
		words := r.rules[i].Effect
		if len(r.rules) > 1 {
			words = r.rules[i].Names + ": " + words
		}
		parts = append(parts, words)
	}
	if r.Why != "" {
		parts = append(parts, r.Why)
	}
	return strings.Join(parts, "; ")
}

// texts joins a text of each finding.
func (r *lineRow) texts(of func(*audit.Finding) string) string {
	var parts []string
	for _, f := range r.findings {
		if text := of(f); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " ")
}

// worst is the greatest severity of the findings.
func (r *lineRow) worst() string {
	if len(r.findings) == 0 {
		return ""
	}
	return slices.MaxFunc(r.findings, func(a, b *audit.Finding) int { return int(a.Severity) - int(b.Severity) }).Severity.String()
}

// Widths of the columns with sentences.
const (
	effectWidth  = 50
	findingWidth = 60
)

// lineSheet has every line of robots.txt with what it does and what is wrong with it.
func lineSheet(o *sheetOptions) sheetDefinition {
	columns := []xlsx.Column[lineRow]{
		{Title: "Line", Width: 7, Value: func(r *lineRow) xlsx.Cell {
			if r.FileLine == nil {
				return xlsx.Cell{}
			}
			return xlsx.Identifier(r.Number)
		}},
		{Title: "Rule", Width: 50, Value: func(r *lineRow) xlsx.Cell {
			if r.FileLine == nil {
				return xlsx.TopAligned("(whole file)")
			}
			return xlsx.TopAligned(r.Text)
		}},
		{Title: "Read as", Width: 26, Value: func(r *lineRow) xlsx.Cell {
			if r.FileLine == nil {
				return xlsx.Cell{}
			}
			return xlsx.Wrapped(r.Kind)
		}},
		{Title: "URLs decided", Width: 11, Value: func(r *lineRow) xlsx.Cell {
			return r.most(func(r *site.RuleRow) int64 { return r.Decided }, false)
		}},
		{Title: "Unblocked if deleted", Width: 11, Value: func(r *lineRow) xlsx.Cell {
			return r.most(func(r *site.RuleRow) int64 { return r.Frees }, true)
		}},
		{Title: "Blocked if deleted", Width: 11, Value: func(r *lineRow) xlsx.Cell {
			return r.most(func(r *site.RuleRow) int64 { return r.Blocks }, true)
		}},
		{Title: "Effect", Width: effectWidth, Value: func(r *lineRow) xlsx.Cell { return xlsx.Wrapped(r.effect()) }},
		{Title: "Severity", Width: 10, Value: func(r *lineRow) xlsx.Cell { return xlsx.TopAligned(r.worst()) }},
		{Title: "What is wrong", Width: findingWidth, Value: func(r *lineRow) xlsx.Cell {
			return xlsx.Wrapped(r.texts(func(f *audit.Finding) string { return f.What }))
		}},
		{Title: "What to do", Width: findingWidth, Value: func(r *lineRow) xlsx.Cell {
			return xlsx.Wrapped(r.texts(func(f *audit.Finding) string { return f.Fix }))
		}},
		{Title: "Line as it should be", Width: 44, Value: func(r *lineRow) xlsx.Cell {
			return xlsx.Wrapped(r.texts(func(f *audit.Finding) string { return f.Replacement }))
		}},
		{Title: "Origin", Width: 30, Value: func(r *lineRow) xlsx.Cell {
			if r.of.OriginCount() < 2 {
				return xlsx.Cell{}
			}
			return xlsx.TopAligned(r.origins)
		}},
	}
	if o.past {
		columns = append(columns, linePast()...)
	}
	t := xlsx.NewTable("Rules", columns, xlsx.DataBar(3), xlsx.ConditionalFormat{Column: 7, Highlights: severityColours})
	t.Height = func(r *lineRow) float64 {
		return max(xlsx.TextHeight(r.effect(), effectWidth), xlsx.TextHeight(r.texts(func(f *audit.Finding) string { return f.What }), findingWidth), xlsx.TextHeight(r.texts(func(f *audit.Finding) string { return f.Fix }), findingWidth))
	}
	return define(o, t, hooks[lineRow]{
		end: func(s *sheet[lineRow], d *audit.Done) {
			of := s.workbook.site
			byLine := map[[2]int][]*audit.Finding{}
			for _, found := range s.workbook.findings {
				for _, f := range site.ByEffect(found) {
					at := [2]int{found.Origin, f.Line}
					byLine[at] = append(byLine[at], f)
				}
			}
			for _, found := range s.workbook.findings { // also of a file without lines
				if whole := byLine[[2]int{found.Origin, 0}]; whole != nil {
					s.write(&lineRow{of: of, origins: of.OriginsOf(of.Robots(found.Origin)), findings: whole})
				}
			}
			of.FileLines(func(line *site.FileLine) {
				row := lineRow{FileLine: line, of: of, origins: line.Origin, rules: of.RuleLinesOf(of.Robots(line.Index), d.URLs)[line.Number], findings: byLine[[2]int{line.Index, line.Number}]}
				if len(row.rules) > 0 {
					row.id = audit.RuleID(row.rules[0].Group, row.rules[0].Rule)
				}
				s.write(&row)
			})
		},
	})
}

// linePast are the columns of the history.
func linePast() []xlsx.Column[lineRow] {
	rule := func(r *lineRow, cell func() xlsx.Cell) xlsx.Cell {
		if r.id == "" {
			return xlsx.Cell{}
		}
		return cell()
	}
	return []xlsx.Column[lineRow]{
		{Title: titleFirstSeen, Width: 21, Value: func(r *lineRow) xlsx.Cell {
			return rule(r, func() xlsx.Cell { first, _ := r.of.RulePast(r.id); return sinceCell(first) })
		}},
		{Title: titleChanged, Width: 21, Value: func(r *lineRow) xlsx.Cell {
			return rule(r, func() xlsx.Cell { _, changed := r.of.RulePast(r.id); return sinceCell(changed) })
		}},
		{Title: TitleNote, Width: 40, Value: func(r *lineRow) xlsx.Cell {
			return rule(r, func() xlsx.Cell { return xlsx.Text(r.of.Note(site.NoteRule, r.id)) })
		}},
		{Title: TitleRuleID, Width: 18, Folded: true, Value: func(r *lineRow) xlsx.Cell { return xlsx.Text(r.id) }},
	}
}
