package book

import (
	"slices"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// counted is a number of URLs, empty for a rule that no crawler asked about obeys.
func counted(r *site.RuleRow, n int64) xlsx.Cell {
	if len(r.Crawlers) == 0 {
		return xlsx.Cell{}
	}
	return count(n, r.Tested)
}

// ifDeleted is a number of URLs that the deletion of a rule's line would free or
// block, as cell has it, unless it is not known.
func ifDeleted(r *site.RuleRow, cell xlsx.Cell) xlsx.Cell {
	if r.Unknown != "" {
		return xlsx.Text("–")
	}
	return cell
}

// ruleRow is a rule of a site.
type ruleRow struct {
	*site.RuleRow
	of *site.Site
}

// maxGroupText bounds what a cell says of a rule's group, in bytes: a group may name thousands of crawlers, and each of its rules says it.
const maxGroupText = 500

// ruleSheet has the lines of robots.txt that are rules, with what each did.
func ruleSheet(o *sheetOptions) sheetDefinition {
	columns := []xlsx.Column[ruleRow]{
		{Title: "Line", Width: 7, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Identifier(r.Line) }},
		{Title: "Rule", Width: 44, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.Rule) }},
		{Title: "Crawlers", Width: 30, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.Names) }},
		{Title: "Group", Width: 24, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(escape.Cut(r.Group, maxGroupText)) }},
		{Title: "URLs matched", Width: 12, Value: func(r *ruleRow) xlsx.Cell { return counted(r.RuleRow, r.Matched) }},
		{Title: "URLs decided", Width: 12, Value: func(r *ruleRow) xlsx.Cell { return counted(r.RuleRow, r.Decided) }},
		{Title: "Would be allowed if deleted", Width: 19, Value: func(r *ruleRow) xlsx.Cell { return ifDeleted(r.RuleRow, counted(r.RuleRow, r.Frees)) }},
		{Title: "Would be blocked if deleted", Width: 19, Value: func(r *ruleRow) xlsx.Cell { return ifDeleted(r.RuleRow, counted(r.RuleRow, r.Blocks)) }},
		{Title: "Lint", Width: 18, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.Findings) }},
		{Title: "In words", Width: 84, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.Effect) }},
		{Title: "Origin", Width: 30, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.Origin) }},
		{Title: TitleRuleID, Width: 18, Folded: true, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.ID) }},
	}
	if o.past {
		columns = slices.Insert(columns, 9, rulePast()...) // behind Lint
	}
	return define(o, xlsx.NewTable("Rules", columns, xlsx.DataBar(5)), hooks[ruleRow]{
		end: func(s *sheet[ruleRow], d *audit.Done) {
			row := ruleRow{of: s.workbook.site}
			s.workbook.site.RuleRows(d.URLs, func(r *site.RuleRow) {
				row.RuleRow = r
				s.write(&row)
			})
		},
		absent: func(of *site.Site, _ *audit.Done) absence {
			if why := whyNoLines(of); why != "" {
				return absence{why: why}
			}
			return absence{why: "the robots.txt has no line that is a rule"}
		},
	})
}
