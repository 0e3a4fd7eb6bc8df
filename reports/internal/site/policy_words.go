package site

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// Inherited says where a crawler's access comes from.
func (r *PolicyCrawler) Inherited() string {
	how := r.Read
	words := DescribeGroupReason(how.Access, how.GroupReason)
	switch {
	case how.Access != engine.Parsed:
		return how.Why
	case how.GroupLine > 0:
		return fmt.Sprintf("group of %s (line %d): %s", escape.Cut(strings.Join(how.GroupTokens, ", "), 200), how.GroupLine, words)
	}
	return words
}

// Contradictions returns the preferences that a crawler sees, and what in the file
// speaks against what it may do.
func (p *Policy) Contradictions(r *PolicyCrawler) (seen, against string) {
	var lines, words []string
	access := r.Reach.Word
	for i := range p.signals {
		s := &p.signals[i]
		if !r.seesSignal(s) {
			if r.Read.GroupReason == engine.Exact && strings.HasPrefix(strings.Join(s.Tokens, ","), "*") {
				words = append(words, fmt.Sprintf("does not see line %d (%s): it has a group of its own", s.Line, s.Text))
			}
			continue
		}
		lines = append(lines, fmt.Sprintf("line %d: %s", s.Line, s.Text))
		if r.Purpose != "AI training" {
			continue
		}
		switch train := trainingPreference(s); {
		case train == "no" && access != "none" && access != "unknown":
			words = append(words, fmt.Sprintf("line %d asks not to train on the content, but it may fetch %s of the sample", s.Line, access))
		case train == "yes" && access == "none":
			words = append(words, fmt.Sprintf("line %d lets the content be used for training, but it may fetch nothing", s.Line))
		}
	}
	if access != "all" && access != "unknown" && r.Obeys != "yes" && r.Read.GroupReason == engine.Exact {
		words = append(words, "its operator does not say that it obeys robots.txt")
	}
	if r.Purpose == "AI search" && access == "none" {
		for i := range p.Crawlers {
			t := &p.Crawlers[i]
			if t.Operator == r.Operator && t.Purpose == "AI training" && t.Reach.Word != "none" {
				words = append(words, fmt.Sprintf("shut out of search, while %s may fetch for training", t.Name))
			}
		}
	}
	return strings.Join(lines, "; "), strings.Join(words, "; ")
}

// trainingPreference is what a preference says of training: "yes", "no", "" = nothing.
func trainingPreference(s *audit.Signal) string {
	_, value, _ := strings.Cut(s.Text, ":")
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
