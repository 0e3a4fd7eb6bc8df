package book

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// lineRow is a line of a robots.txt with its effects and findings. If all sheets are requested, it
// has at most one finding and one effect, and the line gets as many rows as needed.
type lineRow struct {
	*site.FileLine
	findings []*audit.Finding
	of       *site.Site
}

// most returns the highest number of URLs among the rules of the line; blank if no tested crawler
// obeys it, or if one number is not known.
func (r *lineRow) most(of func(*site.RuleRow) int64, unknown bool) xlsx.Cell {
	if len(r.Rules) == 0 || !r.Rules[0].Tested {
		return xlsx.Cell{}
	}
	n := int64(0)
	for i := range r.Rules {
		if unknown && r.Rules[i].Unknown != "" {
			return xlsx.Cell{}
		}
		n = max(n, of(&r.Rules[i]))
	}
	return xlsx.Number(n)
}

// effect returns the effect of the line, for each crawler if they differ, or why it does not count.
func (r *lineRow) effect() string {
	var parts []string
	for i := range r.Rules {
		words := r.Rules[i].Effect
		if len(r.Rules) > 1 {
			words = r.Rules[i].Names + ": " + words
		}
		parts = append(parts, words)
	}
	if r.Why != "" {
		parts = append(parts, r.Why)
	}
	return strings.Join(parts, "; ")
}

// texts joins one text of each finding.
func (r *lineRow) texts(of func(*audit.Finding) string) string {
	var parts []string
	for _, f := range r.findings {
		if text := of(f); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " ")
}

// Texts of findings in columns that make rows high.
var (
	findingWhat = func(f *audit.Finding) string { return f.What }
	findingFix  = func(f *audit.Finding) string { return f.Fix }
)

// worst is the highest severity of the findings.
func (r *lineRow) worst() string {
	if len(r.findings) == 0 {
		return ""
	}
	return slices.MaxFunc(r.findings, func(a, b *audit.Finding) int { return int(a.Severity) - int(b.Severity) }).Severity.String()
}

const (
	effectWidth  = 50 // of columns with sentences
	findingWidth = 60
	maxGroupText = 500 // bytes: a group may name thousands of crawlers, and each of its rules repeats them
)

// lineSheet has every line of robots.txt with its effects and findings.
func lineSheet(o *sheetOptions) sheetDefinition {
	type column = xlsx.Column[lineRow]
	finding := func(title string, width float64, extra bool, of func(*audit.Finding) string) column {
		return column{Title: title, Width: width, Extra: extra, Value: func(r *lineRow) xlsx.Cell { return xlsx.Wrapped(r.texts(of)) }}
	}
	rule := func(title string, width float64, extra bool, of func(*lineRow, *site.RuleRow) xlsx.Cell) column {
		return column{Title: title, Width: width, Extra: extra, Value: func(r *lineRow) xlsx.Cell {
			if len(r.Rules) == 0 {
				return xlsx.Cell{}
			}
			return of(r, &r.Rules[0])
		}}
	}
	columns := []column{
		{Title: "Line", Width: 7, Value: func(r *lineRow) xlsx.Cell {
			if r.Number == 0 {
				return xlsx.Cell{}
			}
			return xlsx.Identifier(r.Number)
		}},
		{Title: "Rule", Width: 50, Value: func(r *lineRow) xlsx.Cell { return xlsx.TopAligned(r.Text) }},
		{Title: "Read as", Width: 26, Value: func(r *lineRow) xlsx.Cell { return xlsx.Wrapped(r.Kind) }},
		rule("Compared as", 44, true, func(_ *lineRow, r *site.RuleRow) xlsx.Cell { return xlsx.TopAligned(r.Rule) }),
		rule("Crawlers", 30, true, func(_ *lineRow, r *site.RuleRow) xlsx.Cell { return xlsx.TopAligned(r.Names) }),
		rule("Group", 24, true, func(_ *lineRow, r *site.RuleRow) xlsx.Cell { return xlsx.TopAligned(escape.Cut(r.Group, maxGroupText)) }),
		{Title: "URLs matched", Width: 11, Extra: true, Value: func(r *lineRow) xlsx.Cell {
			return r.most(func(r *site.RuleRow) int64 { return r.Matched }, false)
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
		{Title: "Lint", Width: 18, Extra: true, Value: func(r *lineRow) xlsx.Cell { return xlsx.TopAligned(r.of.FindingIDs(r.Index, r.Number)) }},
		finding("ID", 9, true, func(f *audit.Finding) string { return f.ID }),
		finding("Name", 26, true, (*audit.Finding).Name),
		finding("Profile", 24, true, func(f *audit.Finding) string { return strings.Join(f.Profiles, ", ") }),
		finding("What is wrong", findingWidth, false, findingWhat),
		finding("Why it matters", findingWidth, true, func(f *audit.Finding) string { return f.Why }),
		finding("What to do", findingWidth, false, findingFix),
		finding("Line as it should be", 44, false, func(f *audit.Finding) string { return f.Replacement }),
		{Title: "URLs touched", Width: 12, Extra: true, Value: func(r *lineRow) xlsx.Cell {
			if len(r.findings) == 0 || !r.findings[0].Counted {
				return xlsx.Cell{}
			}
			return xlsx.Number(r.findings[0].URLs)
		}},
		finding("URLs touched are", 36, true, func(f *audit.Finding) string { return f.Touched }),
		{Title: "Sample URLs", Width: 70, Extra: true, Value: func(r *lineRow) xlsx.Cell {
			return xlsx.TopAligned(r.texts(func(f *audit.Finding) string { return strings.Join(f.Samples, " ") }))
		}},
		{Title: "More of this kind", Width: 12, Extra: true, Value: func(r *lineRow) xlsx.Cell {
			if len(r.findings) == 0 {
				return xlsx.Cell{}
			}
			return xlsx.NumberOrBlank(int64(r.findings[0].More))
		}},
		{Title: "Origin", Width: 30, Value: func(r *lineRow) xlsx.Cell {
			if r.of.OriginCount() < 2 && !o.AllSheets {
				return xlsx.Cell{}
			}
			return xlsx.TopAligned(r.Origin)
		}},
		{Title: "Byte offset", Width: 12, Folded: true, Extra: true, Value: func(r *lineRow) xlsx.Cell {
			if r.Number == 0 {
				return xlsx.Cell{}
			}
			return xlsx.Number(int64(r.Offset))
		}},
	}
	if o.past {
		columns = append(columns,
			rule(titleFirstSeen, 21, false, func(r *lineRow, rule *site.RuleRow) xlsx.Cell {
				first, _ := r.of.RulePast(rule.ID)
				return sinceCell(first)
			}),
			rule(titleChanged, 21, false, func(r *lineRow, rule *site.RuleRow) xlsx.Cell {
				_, changed := r.of.RulePast(rule.ID)
				return sinceCell(changed)
			}),
			rule(TitleNote, 40, false, func(r *lineRow, rule *site.RuleRow) xlsx.Cell { return xlsx.Text(r.of.Note(site.NoteRule, rule.ID)) }),
		)
	}
	id := rule(TitleRuleID, 18, !o.past, func(_ *lineRow, r *site.RuleRow) xlsx.Cell { return xlsx.Text(r.ID) })
	id.Folded = true
	t := xlsx.NewTable("Rules", append(columns, id), xlsx.DataBar(7), xlsx.ConditionalFormat{Column: 11, Highlights: severityColours})
	t.Height = func(r *lineRow) float64 {
		return max(xlsx.TextHeight(r.effect(), effectWidth), xlsx.TextHeight(r.texts(findingWhat), findingWidth), xlsx.TextHeight(r.texts(findingFix), findingWidth))
	}
	write := func(s *sheet[lineRow], line *site.FileLine, findings []*audit.Finding) {
		row := lineRow{line, findings, s.workbook.site}
		if !o.AllSheets {
			s.write(&row)
			return
		}
		for rules := line.Rules; ; {
			n, k := min(1, len(rules)), min(1, len(findings))
			line.Rules, row.findings = rules[:n], findings[:k]
			s.write(&row)
			if rules, findings = rules[n:], findings[k:]; len(rules)+len(findings) == 0 {
				return
			}
		}
	}
	return define(o, t, hooks[lineRow]{
		end: func(s *sheet[lineRow], d *audit.Done) {
			of := s.workbook.site
			byLine := map[[2]int][]*audit.Finding{}
			for _, found := range s.workbook.findings {
				noLines := len(of.Body(found.Origin)) == 0
				for _, f := range site.ByEffect(found) {
					at := [2]int{found.Origin, f.Line}
					if f.Line > 0 && !noLines {
						byLine[at] = append(byLine[at], f)
						continue
					}
					line := site.FileLine{Index: found.Origin, Number: f.Line, Text: f.Text, Origin: of.OriginsOf(of.Robots(found.Origin))}
					if f.Line == 0 {
						line.Text = "(whole file)"
					}
					write(s, &line, []*audit.Finding{f})
				}
			}
			of.FileLines(d.URLs, func(line *site.FileLine) { write(s, line, byLine[[2]int{line.Index, line.Number}]) })
		},
		absent: func(of *site.Site, d *audit.Done) absence {
			own := of.Robots(0)
			switch {
			case site.Read(own, 0).Access == engine.Parsed:
				return absence{why: "the robots.txt is empty"}
			case d.Findings == nil:
				return absence{why: "findings were not looked for when this site was audited"}
			}
			return absence{why: "no robots.txt was read: " + site.Read(own, 0).Why}
		},
	})
}
