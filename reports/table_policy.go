package reports

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
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

func policyTable() *table[policyRow] {
	return newTable("AI policy", []column[policyRow]{
		{"Purpose", 15, func(r *policyRow) cell { return text(r.Purpose) }},
		{"Crawler", 24, func(r *policyRow) cell { return text(r.Name) }},
		{"Operator", 16, func(r *policyRow) cell { return text(r.Operator) }},
		{"Product token", 24, func(r *policyRow) cell { return text(r.Tokens[0]) }},
		{"Says it obeys", 14, func(r *policyRow) cell { return text(r.Obeys) }},
		{"Named in the file", 10, func(r *policyRow) cell { return yesNo(r.reason == engine.Exact) }},
		{"Access", 10, func(r *policyRow) cell { return text(r.word) }},
		{"URLs sampled", 9, func(r *policyRow) cell { return number(r.sample) }},
		{"Blocked of these", 10, func(r *policyRow) cell { return number(r.blocked) }},
		{"% blocked", 9, func(r *policyRow) cell { return share(r.blocked, r.sample) }},
		{"Blocked, for example", 50, func(r *policyRow) cell { return text(r.example) }},
		{"Rule", 30, func(r *policyRow) cell {
			if r.rule == nil {
				return cell{}
			}
			return text(r.rule.String())
		}},
		{"Line", 7, func(r *policyRow) cell {
			if r.rule == nil {
				return cell{}
			}
			return plainNumber(r.rule.Line)
		}},
		{"Inherited from", 54, func(r *policyRow) cell { return text(r.inherited) }},
		{"Content-Signal, Content-Usage seen", 44, func(r *policyRow) cell { return text(r.signals) }},
		{"Contradiction", 64, func(r *policyRow) cell { return text(r.contradiction) }},
		{"Asked about", 8, func(r *policyRow) cell { return yesNo(r.asked) }},
		{"Listed as of", 12, func(r *policyRow) cell { return text(r.Dated) }},
		{"Source", 60, func(r *policyRow) cell { return text(r.Source) }},
	}, mark{6, accessColours}, mark{9, nil})
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
		b.policies.add(&b.book, &row)
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
