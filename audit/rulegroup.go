package audit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"robots-audit/engine"
)

// RuleGroup names the group of all rules from a line on, up to the line of the next RuleGroup.
type RuleGroup struct {
	Line   int    `json:"line"`             // of the first of the rules
	Tokens string `json:"tokens,omitempty"` // user-agent values as written, comma-separated
}

// RuleGroups returns the groups of a file's rules, by different readings of the crawlers. If
// readings differ, the alphabetically first user-agent values win. rules are Robots.Rules.
func RuleGroups(rules []RuleLine, readings []*engine.Robots) []RuleGroup {
	of := map[int]string{}
	for _, robots := range readings {
		for tokens, rules := range robots.GroupRules() {
			joined := strings.Join(tokens, ", ")
			for _, rule := range rules {
				if old, ok := of[rule.Line]; !ok || joined < old {
					of[rule.Line] = joined
				}
			}
		}
	}
	var groups []RuleGroup
	for _, rule := range rules {
		tokens := of[rule.Line]
		if n := len(groups); n > 0 && groups[n-1].Tokens == tokens {
			continue
		}
		groups = append(groups, RuleGroup{rule.Line, strings.Clone(tokens)})
	}
	return groups
}

// RuleGroups returns Robots.Groups of a record. If the record has none, it derives them from the
// answer as the crawlers read it.
func (a *Answers) RuleGroups(r *Robots, crawlers []Crawler) []RuleGroup {
	if r.Groups != nil || len(r.Rules) == 0 {
		return r.Groups
	}
	var different []*engine.Robots
	for i := range crawlers {
		if c, p, ok := crawlers[i].Robot(); ok {
			if robots := a.Read(r.Index, p, c); !slices.Contains(different, robots) {
				different = append(different, robots)
			}
		}
	}
	return RuleGroups(r.Rules, different)
}

// recordable returns groups that a record can store: nil if values are not UTF-8, which JSON cannot
// store.
func recordable(groups []RuleGroup) []RuleGroup {
	if slices.ContainsFunc(groups, func(g RuleGroup) bool { return !utf8.ValidString(g.Tokens) }) {
		return nil
	}
	return groups
}
