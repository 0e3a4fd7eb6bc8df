package book

import (
	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// policyRow is a crawler that gathers for AI, or a control token.
type policyRow struct {
	*site.PolicyReader
	site.Reach
	inherited     string
	signals       string
	contradiction string
	asked         bool // it is one of the run's crawlers
}

// policySheet has the crawlers of the list that gather for AI, by purpose.
func policySheet() definition {
	table := xlsx.NewTable("AI policy", []xlsx.Column[policyRow]{
		{Title: "Purpose", Width: 15, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Purpose) }},
		{Title: "Crawler", Width: 24, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Name) }},
		{Title: "Operator", Width: 16, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Operator) }},
		{Title: "Product token", Width: 24, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Tokens[0]) }},
		{Title: "Says it obeys", Width: 14, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Obeys) }},
		{Title: "Named in the file", Width: 10, Value: func(r *policyRow) xlsx.Cell { return xlsx.YesNo(r.PolicyReader.Reason == engine.Exact) }},
		{Title: "Access", Width: 10, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Access) }},
		{Title: "URLs sampled", Width: 9, Value: func(r *policyRow) xlsx.Cell { return xlsx.Number(r.Sample) }},
		{Title: "Blocked of these", Width: 10, Value: func(r *policyRow) xlsx.Cell { return xlsx.Number(r.Blocked) }},
		{Title: "% blocked", Width: 9, Value: func(r *policyRow) xlsx.Cell { return xlsx.Percent(r.Blocked, r.Sample) }},
		{Title: "Blocked, for example", Width: 50, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Example) }},
		{Title: "Rule", Width: 30, Value: func(r *policyRow) xlsx.Cell {
			if r.Rule == nil {
				return xlsx.Cell{}
			}
			return xlsx.Text(r.Rule.String())
		}},
		{Title: "Line", Width: 7, Value: func(r *policyRow) xlsx.Cell {
			if r.Rule == nil {
				return xlsx.Cell{}
			}
			return xlsx.Identifier(r.Rule.Line)
		}},
		{Title: "Inherited from", Width: 54, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.inherited) }},
		{Title: "Content-Signal, Content-Usage seen", Width: 44, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.signals) }},
		{Title: "Contradiction", Width: 64, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.contradiction) }},
		{Title: "Asked about", Width: 8, Value: func(r *policyRow) xlsx.Cell { return xlsx.YesNo(r.asked) }},
		{Title: "Listed as of", Width: 12, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Dated) }},
		{Title: "Source", Width: 60, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Source) }},
	}, xlsx.ConditionalFormat{Column: 6, Highlights: accessColours}, xlsx.DataBar(9))
	return define(table, hooks[policyRow]{end: func(s *sheet[policyRow], _ *audit.Done) {
		policy := s.book.site.Policy()
		for i := range policy.Readers {
			r := &policy.Readers[i]
			row := policyRow{PolicyReader: r, Reach: policy.Reach(r), inherited: r.Inherited()}
			row.signals, row.contradiction = policy.Contradictions(r, row.Access)
			for _, c := range s.book.site.Crawlers {
				row.asked = row.asked || c.Name == r.Name
			}
			s.write(&row)
		}
	}})
}
