package engine

import (
	"strings"

	"robots-audit/engine/internal/match"
)

// ranked is a pattern of a rule with the values that decide its precedence.
type ranked struct {
	match.Pattern
	rule   int32 // index into Group.Rules
	octets int32 // length that counts when the longest rule wins
	allow  bool  // the verdict it gives
	wild   bool  // it contains a wildcard that the profile does not ignore
}

// precedence makes the patterns of rules, strongest first: the first pattern
// that matches a path gives its verdict.
func (p *Profile) precedence(rules []Rule) []ranked {
	list := make([]ranked, 0, len(rules))
	for i := range rules {
		list = p.appendRanked(list, int32(i), &rules[i])
	}
	if !p.FirstMatch {
		sortRanked(list, rules)
	}
	return list
}

// outranks reports whether a pattern wins over one from an earlier line. The
// longest wins (RFC 9309 2.2.2). At equal length kindOrder decides, then the
// order of the file.
func (r *ranked) outranks(other *ranked, rules []Rule) bool {
	if r.octets != other.octets {
		return r.octets > other.octets
	}
	return kindOrder(rules, r) < kindOrder(rules, other)
}

// kindOrder puts allow before disallow (RFC 9309 2.2.2: the allow rule should
// be used). An allow line without weight comes before a disallow line without
// weight, though both allow.
func kindOrder(rules []Rule, r *ranked) uint64 {
	switch {
	case !r.allow:
		return 2
	case r.octets == 0 && !rules[r.rule].Allow:
		return 1
	}
	return 0
}

// appendRanked adds the patterns of a rule: usually one. There is none if the
// profile ignores the rule, and two for an index page that also stands for its
// directory.
func (p *Profile) appendRanked(list []ranked, i int32, rule *Rule) []ranked {
	out := ranked{rule: i, allow: rule.Allow}
	if rule.Value == "" {
		switch p.empty(rule) {
		case EmptyIgnored:
			return list
		case EmptyWeightless:
			out.allow = true
		case EmptyAllowsAll:
			out.Pattern, out.octets, out.allow = match.Pattern{Text: "/"}, 1, true
		case EmptyBlocksAll:
			out.Pattern, out.octets, out.allow = match.Pattern{Text: "/"}, 1, false
		}
		return append(list, out)
	}
	if p.Literal {
		out.Pattern = match.Pattern{Text: p.Encoding.rule(rule.Value), Literal: true}
		return append(list, out)
	}
	if p.WhyIgnored(*rule) != "" {
		return list
	}
	list = append(list, p.rankedPattern(out, rule.Value))
	if p.hasTwin(rule) {
		list = append(list, p.rankedPattern(out, rule.Value[:strings.LastIndexByte(rule.Value, '/')+1]+"$"))
	}
	return list
}

// hasTwin reports whether a rule has two patterns.
func (p *Profile) hasTwin(rule *Rule) bool {
	return p.IndexTwin && rule.Allow && strings.HasPrefix(rule.Value[max(0, strings.LastIndexByte(rule.Value, '/')):], "/index.htm")
}

// empty returns the meaning of a rule without a path.
func (p *Profile) empty(rule *Rule) Empty {
	if rule.Allow {
		return p.EmptyAllow
	}
	return p.EmptyDisallow
}

// WhyIgnored says why a rule can never match for this profile, as part of a
// sentence; "" = it can match.
func (p *Profile) WhyIgnored(rule Rule) string {
	switch {
	case rule.Value == "" && p.empty(&rule) == EmptyIgnored:
		return "a rule without a path is ignored"
	case rule.Value == "" || p.Literal || rule.Value[0] == '/':
		return ""
	case rule.Value[0] == '*' && !p.SlashOnly:
		return ""
	case p.SlashOnly:
		return `the path does not begin with "/"`
	}
	return `the path does not begin with "/" or "*"`
}

// rankedPattern returns out with the pattern of a path as written in a rule, and
// its precedence.
func (p *Profile) rankedPattern(out ranked, value string) ranked {
	if value != "" && value[len(value)-1] != '$' && isOrdinary(value) { // true for most rules, and all profiles read them unchanged
		out.Text, out.octets = value, int32(len(value))
		return out
	}
	text := value
	if out.End = strings.HasSuffix(text, "$"); out.End {
		text = text[:len(text)-1]
	}
	text = p.Encoding.rule(text)
	bare := strings.TrimRight(text, "*")
	length := len(text)
	switch p.Length {
	case LengthNoTrailing:
		if !out.End {
			text, length = bare, max(1, len(bare)) // "*" alone is "/*", that is "/"
		} else {
			length++
		}
	case LengthNoWildcards:
		length = max(1, len(text)-strings.Count(text, "*"))
	default:
		if out.End {
			length++
		}
	}
	out.octets = int32(length)
	out.wild = strings.IndexByte(text, '*') >= 0
	if len(bare) < len(text) { // a wildcard at the end: the match may end anywhere
		out.End = false
	}
	out.Text = collapse(bare)
	out.Ambiguous = p.Encoding == EncodingRFC && match.IsAmbiguous(out.Text)
	return out
}

// collapse replaces each run of "*" by one.
func collapse(text string) string {
	if !strings.Contains(text, "**") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '*' || i == 0 || text[i-1] != '*' {
			out = append(out, text[i])
		}
	}
	return string(out)
}
