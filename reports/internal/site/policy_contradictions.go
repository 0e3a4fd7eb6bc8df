package site

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// Inherited says where a crawler's access comes from: a group of the file, no group, or a response
// without a file.
func (c *PolicyCrawler) Inherited() string {
	how := c.Read
	reason := DescribeGroupReason(how.Access, how.GroupReason)
	switch {
	case how.Access != engine.Parsed && c.Reach.Word == ReachUnknown:
		return "if it cannot read robots.txt either: " + how.Why
	case how.Access != engine.Parsed:
		return how.Why
	case how.GroupLine > 0:
		return fmt.Sprintf("group for %s (line %d): %s", escape.Cut(strings.Join(how.GroupTokens, ", "), 200), how.GroupLine, reason)
	}
	return reason
}

// Contradictions returns the lines with preferences that apply to a crawler, and the contradictions
// between its access, those lines, and the statements of its operator; "" = none.
func (p *Policy) Contradictions(c *PolicyCrawler) (seen, contradictions string) {
	var lines, list []string
	access, tested := c.Reach.Word, "all URLs tested"
	if p.Pages == 0 {
		tested = "everything"
	}
	for i := range p.signals {
		s := &p.signals[i]
		if !c.SeesSignal(s) {
			if c.Read.GroupReason == engine.Exact && strings.HasPrefix(strings.Join(s.Tokens, ","), "*") {
				list = append(list, fmt.Sprintf("ignores line %d (%s), because it has its own group", s.Line, s.Text))
			}
			continue
		}
		lines = append(lines, fmt.Sprintf("line %d: %s", s.Line, s.Text))
		if c.Purpose != purposeTraining {
			continue
		}
		switch training := trainingPreference(s); {
		case training == "no" && p.Access(c) == HomeAllowed:
			list = append(list, fmt.Sprintf("line %d forbids training, but the home page is allowed", s.Line))
		case training == "no" && access == ReachAll:
			list = append(list, fmt.Sprintf("line %d forbids training, but robots.txt allows %s", s.Line, tested))
		case training == "no" && access == ReachPart && p.Pages > 0:
			list = append(list, fmt.Sprintf("line %d forbids training, but robots.txt allows part of the URLs tested", s.Line))
		case training == "yes" && access == ReachNone:
			list = append(list, fmt.Sprintf("line %d allows training, but robots.txt blocks %s", s.Line, tested))
		}
	}
	if access != ReachAll && access != ReachUnknown && c.Obeys != "yes" && c.Read.GroupReason == engine.Exact {
		says := "does not say that it follows them"
		if c.Obeys == "no" {
			says = "says that it does not follow them"
		}
		list = append(list, "robots.txt has rules for it, but its operator "+says)
	}
	if c.Purpose == purposeSearch && access == ReachNone {
		for i := range p.Crawlers {
			other := &p.Crawlers[i]
			allowed := map[string]string{ReachAll: "allowed", ReachPart: "allowed in part"}[other.Reach.Word]
			if other.Operator == c.Operator && other.Purpose == purposeTraining && allowed != "" {
				list = append(list, fmt.Sprintf("blocked for search, but %s is %s for training", other.Name, allowed))
			}
		}
	}
	return strings.Join(lines, "; "), strings.Join(list, "; ")
}

// trainingPreference is the preference for training in a line: "yes", "no", "" = none, or only for a path.
func trainingPreference(s *audit.Signal) string {
	for _, of := range Statements(s) {
		if of.Purpose == "training" && of.Path == "" {
			return of.Says
		}
	}
	return ""
}

// signalPurposes are keys of Content-Signal and Content-Usage, with the purposes of statements.
var signalPurposes = map[string]string{"ai-train": "training", "train-ai": "training", "train-genai": "training", "ai-input": "input", "search": "search"}

// signalSays are their values.
var signalSays = map[string]string{"yes": "yes", "y": "yes", "no": "no", "n": "no"}

// Statements are the preferences in a line, without their sources and tokens.
func Statements(s *audit.Signal) (list []audit.PolicyStatement) {
	_, value, _ := strings.Cut(s.Text, ":")
	path := ""
	if value = strings.TrimSpace(value); strings.HasPrefix(value, "/") {
		path, value, _ = strings.Cut(value, " ")
	}
	for part := range strings.SplitSeq(value, ",") {
		key, v, _ := strings.Cut(part, "=")
		purpose, says := signalPurposes[strings.ToLower(strings.TrimSpace(key))], signalSays[strings.ToLower(strings.TrimSpace(v))]
		if purpose != "" && says != "" {
			list = append(list, audit.PolicyStatement{Text: s.Text, Line: s.Line, Purpose: purpose, Path: path, Says: says})
		}
	}
	return list
}
