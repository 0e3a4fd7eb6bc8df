package book

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// policyRow is an AI crawler, or a control token.
type policyRow struct {
	*site.PolicyCrawler
	access        string
	inherited     string
	signals       string
	contradiction string
	asked         bool // it is one of the run's crawlers
}

// policySheet has the AI crawlers of the list, by purpose.
func policySheet(o *sheetOptions) sheetDefinition {
	table := xlsx.NewTable("AI policy", []xlsx.Column[policyRow]{
		{Title: "Purpose", Width: 15, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Purpose) }},
		{Title: "Crawler", Width: 24, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Name) }},
		{Title: "Operator", Width: 16, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Operator) }},
		{Title: "Product token", Width: 24, Extra: true, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Tokens[0]) }},
		{Title: "Says it obeys", Width: 14, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Obeys) }},
		{Title: "Named in the file", Width: 10, Value: func(r *policyRow) xlsx.Cell {
			if !site.FileKnown(r.Read.Access) {
				return unmeasured
			}
			return xlsx.YesNo(r.Read.GroupReason == engine.Exact)
		}},
		{Title: "Access", Width: 10, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.access) }},
		{Title: "URLs tested", Width: 9, Extra: true, Value: func(r *policyRow) xlsx.Cell { return xlsx.Number(r.Tested) }},
		{Title: "Blocked of these", Width: 10, Value: func(r *policyRow) xlsx.Cell { return count(r.Reach.Blocked, r.Tested > 0) }},
		{Title: "% blocked", Width: 9, Value: func(r *policyRow) xlsx.Cell { return xlsx.Percent(r.Reach.Blocked, r.Tested) }},
		{Title: "Blocked, for example", Width: 50, Extra: true, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Reach.Example) }},
		{Title: "Rule", Width: 30, Value: func(r *policyRow) xlsx.Cell {
			if len(r.Reach.Rules) == 0 {
				return xlsx.Text(r.Reach.Rule)
			}
			_, rules := reachRules(&r.Reach)
			return xlsx.Text(rules)
		}},
		{Title: "Line", Width: 7, Value: func(r *policyRow) xlsx.Cell {
			if r.Reach.Line == 0 {
				return xlsx.Cell{}
			}
			if len(r.Reach.Rules) == 0 {
				return xlsx.Identifier(r.Reach.Line)
			}
			lines, _ := reachRules(&r.Reach)
			return xlsx.Text(lines)
		}},
		{Title: "Inherited from", Width: 54, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.inherited) }},
		{Title: "Content-Signal, Content-Usage seen", Width: 44, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.signals) }},
		{Title: "Contradiction", Width: 64, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.contradiction) }},
		{Title: "Asked about", Width: 8, Extra: true, Value: func(r *policyRow) xlsx.Cell { return xlsx.YesNo(r.asked) }},
		{Title: "Listed as of", Width: 12, Extra: true, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Dated) }},
		{Title: "Source", Width: 60, Extra: true, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Source) }},
	}, xlsx.ConditionalFormat{Column: 6, Highlights: accessColours}, xlsx.DataBar(9))
	return define(o, table, hooks[policyRow]{concerns: asksForAI, end: func(s *sheet[policyRow], d *audit.Done) {
		policy := s.workbook.site.Policy(d)
		var row policyRow
		for i := range policy.Crawlers {
			r := &policy.Crawlers[i]
			inherited := row.inherited // usually the same as in the previous row
			if i == 0 || r.Read != row.Read {
				inherited = r.Inherited()
			}
			row = policyRow{PolicyCrawler: r, inherited: inherited}
			row.access = policy.Access(r)
			row.signals, row.contradiction = policy.Contradictions(r)
			for _, c := range s.workbook.site.Crawlers {
				row.asked = row.asked || c.Name == r.Name
			}
			s.write(&row)
		}
	}})
}

// reachRules lists several blocking rules, and their lines.
func reachRules(r *audit.Reach) (lines, rules string) {
	for _, rule := range r.Rules {
		lines = wording.Join(lines, strconv.Itoa(rule.Line))
		rules = wording.Join(rules, rule.Rule)
	}
	if r.MoreRules > 0 {
		more := fmt.Sprintf(" and %d more", r.MoreRules)
		lines, rules = lines+more, rules+more
	}
	return lines, rules
}

// asksForAI reports whether one of the run's crawlers is an AI crawler.
func asksForAI(of *site.Site, _ *audit.Done) bool {
	return slices.ContainsFunc(of.Crawlers, func(c audit.Crawler) bool { return strings.HasPrefix(c.Purpose, "AI ") })
}
