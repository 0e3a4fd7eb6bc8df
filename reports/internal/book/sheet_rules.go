package book

import (
	"robots-audit/audit"
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

// ruleSheet has the lines of robots.txt that are rules, with what each did.
func ruleSheet() sheetDefinition {
	table := xlsx.NewTable("Rules", []xlsx.Column[site.RuleRow]{
		{Title: "Line", Width: 7, Value: func(r *site.RuleRow) xlsx.Cell { return xlsx.Identifier(r.Line) }},
		{Title: "Rule", Width: 44, Value: func(r *site.RuleRow) xlsx.Cell { return xlsx.Text(r.Rule) }},
		{Title: "Crawlers", Width: 30, Value: func(r *site.RuleRow) xlsx.Cell { return xlsx.Text(r.Names) }},
		{Title: "Group", Width: 24, Value: func(r *site.RuleRow) xlsx.Cell { return xlsx.Text(r.Group) }},
		{Title: "URLs matched", Width: 12, Value: func(r *site.RuleRow) xlsx.Cell { return counted(r, r.Matched) }},
		{Title: "URLs decided", Width: 12, Value: func(r *site.RuleRow) xlsx.Cell { return counted(r, r.Decided) }},
		{Title: "Would be allowed if deleted", Width: 19, Value: func(r *site.RuleRow) xlsx.Cell { return ifDeleted(r, counted(r, r.Frees)) }},
		{Title: "Would be blocked if deleted", Width: 19, Value: func(r *site.RuleRow) xlsx.Cell { return ifDeleted(r, counted(r, r.Blocks)) }},
		{Title: "Lint", Width: 18, Value: func(r *site.RuleRow) xlsx.Cell { return xlsx.Text(r.Findings) }},
		{Title: "In words", Width: 84, Value: func(r *site.RuleRow) xlsx.Cell { return xlsx.Text(r.Effect) }},
		{Title: "Origin", Width: 30, Value: func(r *site.RuleRow) xlsx.Cell { return xlsx.Text(r.Origin) }},
		{Title: "rule_id", Width: 18, Folded: true, Value: func(r *site.RuleRow) xlsx.Cell { return xlsx.Text(r.ID) }},
	}, xlsx.DataBar(5))
	return define(table, hooks[site.RuleRow]{
		end: func(s *sheet[site.RuleRow], d *audit.Done) { s.workbook.site.RuleRows(d.URLs, s.write) },
		absent: func(of *site.Site, _ *audit.Done) absence {
			if why := whyNoLines(of); why != "" {
				return absence{why: why}
			}
			return absence{why: "the robots.txt has no line that is a rule"}
		},
	})
}
