package reports

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/xlsx"
)

// policyRow is a crawler that gathers for AI, or a control token.
type policyRow struct {
	*policyReader
	reach
	inherited     string
	signals       string
	contradiction string
	asked         bool // it is one of the run's crawlers
}

func policyTable() *xlsx.Table[policyRow] {
	return xlsx.NewTable("AI policy", []xlsx.Column[policyRow]{
		{Title: "Purpose", Width: 15, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Purpose) }},
		{Title: "Crawler", Width: 24, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Name) }},
		{Title: "Operator", Width: 16, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Operator) }},
		{Title: "Product token", Width: 24, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Tokens[0]) }},
		{Title: "Says it obeys", Width: 14, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Obeys) }},
		{Title: "Named in the file", Width: 10, Value: func(r *policyRow) xlsx.Cell { return xlsx.YesNo(r.reason == engine.Exact) }},
		{Title: "Access", Width: 10, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.word) }},
		{Title: "URLs sampled", Width: 9, Value: func(r *policyRow) xlsx.Cell { return xlsx.Number(r.sample) }},
		{Title: "Blocked of these", Width: 10, Value: func(r *policyRow) xlsx.Cell { return xlsx.Number(r.blocked) }},
		{Title: "% blocked", Width: 9, Value: func(r *policyRow) xlsx.Cell { return xlsx.Percent(r.blocked, r.sample) }},
		{Title: "Blocked, for example", Width: 50, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.example) }},
		{Title: "Rule", Width: 30, Value: func(r *policyRow) xlsx.Cell {
			if r.rule == nil {
				return xlsx.Cell{}
			}
			return xlsx.Text(r.rule.String())
		}},
		{Title: "Line", Width: 7, Value: func(r *policyRow) xlsx.Cell {
			if r.rule == nil {
				return xlsx.Cell{}
			}
			return xlsx.Identifier(r.rule.Line)
		}},
		{Title: "Inherited from", Width: 54, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.inherited) }},
		{Title: "Content-Signal, Content-Usage seen", Width: 44, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.signals) }},
		{Title: "Contradiction", Width: 64, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.contradiction) }},
		{Title: "Asked about", Width: 8, Value: func(r *policyRow) xlsx.Cell { return xlsx.YesNo(r.asked) }},
		{Title: "Listed as of", Width: 12, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Dated) }},
		{Title: "Source", Width: 60, Value: func(r *policyRow) xlsx.Cell { return xlsx.Text(r.Source) }},
	}, xlsx.ConditionalFormat{Column: 6, Highlights: accessColours}, xlsx.DataBar(9))
}

// addPolicy writes the crawlers by purpose, in the order of the list.
func (b *siteBook) addPolicy() {
	if b.policy == nil {
		b.policy = b.newPolicy()
	}
	p := b.policy
	for i := range p.readers {
		r := &p.readers[i]
		row := policyRow{policyReader: r, reach: p.reach(r), inherited: r.inherited()}
		row.signals, row.contradiction = p.contradictions(r, row.word)
		for k := range b.site.Crawlers {
			row.asked = row.asked || b.site.Crawlers[k].Name == r.Name
		}
		b.policies.AddRow(&b.Workbook, &row)
	}
}

// inherited says where a crawler's access comes from.
func (r *policyReader) inherited() string {
	how := &audit.Read{Access: r.access.String(), Why: r.why, GroupReason: string(r.reason)}
	words := groupReason(how)
	switch {
	case how.Access != "parsed":
		return r.why
	case r.line > 0:
		return fmt.Sprintf("group of %s (line %d): %s", escape.Cut(strings.Join(r.tokens, ", "), 200), r.line, words)
	}
	return words
}

// contradictions returns the preferences that a crawler sees, and what in the file
// speaks against what it may do.
func (p *policy) contradictions(r *policyReader, access string) (seen, against string) {
	var lines, words []string
	for i := range p.signals {
		s := &p.signals[i]
		if !r.sees(s) {
			if r.reason == engine.Exact && strings.HasPrefix(strings.Join(s.tokens, ","), "*") {
				words = append(words, fmt.Sprintf("does not see line %d (%s): it has a group of its own", s.line, s.text))
			}
			continue
		}
		lines = append(lines, fmt.Sprintf("line %d: %s", s.line, s.text))
		if r.Purpose != "AI training" {
			continue
		}
		switch train := s.train(); {
		case train == "no" && access != "none" && access != "unknown":
			words = append(words, fmt.Sprintf("line %d asks not to train on the content, but it may fetch %s of the sample", s.line, access))
		case train == "yes" && access == "none":
			words = append(words, fmt.Sprintf("line %d lets the content be used for training, but it may fetch nothing", s.line))
		}
	}
	if access != "all" && access != "unknown" && r.Obeys != "yes" && r.reason == engine.Exact {
		words = append(words, "its operator does not say that it obeys robots.txt")
	}
	if r.Purpose == "AI search" && access == "none" {
		for i := range p.readers {
			t := &p.readers[i]
			if t.Operator == r.Operator && t.Purpose == "AI training" && p.reach(t).word != "none" {
				words = append(words, fmt.Sprintf("shut out of search, while %s may fetch for training", t.Name))
			}
		}
	}
	return strings.Join(lines, "; "), strings.Join(words, "; ")
}

// train is what a preference says of training: "yes", "no", "" = nothing.
func (s *signal) train() string {
	_, value, _ := strings.Cut(s.text, ":")
	if value = strings.TrimSpace(value); strings.HasPrefix(value, "/") {
		return "" // of a path alone
	}
	for part := range strings.SplitSeq(value, ",") {
		key, v, _ := strings.Cut(part, "=")
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "ai-train", "train-ai", "train-genai":
			switch strings.ToLower(strings.TrimSpace(v)) {
			case "no", "n":
				return "no"
			case "yes", "y":
				return "yes"
			}
		}
	}
	return ""
}
