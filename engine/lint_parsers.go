package engine

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// This file looks for lines that Yandex's parser, as published in November 2022 and
// July 2023, reads otherwise than Yandex's help says. The profiles follow the help;
// the findings warn that parsers may disagree.

// lintParsers looks for such lines.
func lintParsers(l *linter) {
	at := slices.IndexFunc(l.Profiles, func(p *Profile) bool { return p.Name == "yandex" })
	if at < 0 {
		return
	}
	var again []*lintLine // rules with a missedPath
	for i := range l.groups {
		g := &l.groups[i]
		lintAgentLengths(l, g)
		for _, n := range g.rules {
			if !l.reads(l.Profiles[at], n) || l.isStrange(l.Profiles[at], n) {
				continue
			}
			lintOnlyWildcards(l, n)
			if missedPath(n) != "" {
				again = append(again, n)
			}
		}
	}
	lintSelfOverlap(l, again)
	if strings.Contains(l.text, "\r\r") && !strings.Contains(l.text, "\n") {
		l.report("PRS004", nil, 0, 0)
	}
}

// lintOnlyWildcards looks for rules with nothing but wildcards.
func lintOnlyWildcards(l *linter, n *lintLine) {
	if len(n.value) < 2 || strings.Trim(strings.TrimSuffix(n.value, "$"), "*") != "" || n.value == "$" {
		return
	}
	if f := l.reportValue("PRS003", n); f != nil {
		l.adviseSlash(f, n, "/")
	}
}

// shortOverlap is the length up to which a text may repeat its beginning within a
// word of a URL ("ananas"). Longer texts do so only if they begin with a separator.
const shortOverlap = 4

// lintSelfOverlap reports the rules whose text after a wildcard overlaps itself. A
// matcher that does not go back after a partial match misses some of their paths.
// Such paths are rare, so there is one finding for the file.
func lintSelfOverlap(l *linter, rules []*lintLine) {
	if len(rules) == 0 {
		return
	}
	f := l.reportValue("PRS001", rules[0])
	if f == nil {
		return
	}
	f.What = fmt.Sprintf("Yandex's parser as published in 2022-23 does not match this rule with a path such as %s", quote(missedPath(rules[0]), 120))
	if before, param := parameterOf(rules[0].value); param != "" {
		f.Fix = fmt.Sprintf("If %q is a parameter, replace the rule with two: %s and %s. Otherwise leave the rule.", strings.TrimRight(param, "=*$"), quote(before+"*?"+param, 80), quote(before+"*&"+param, 80))
	}
	if more := rules[1:]; len(more) > 0 {
		f.What += fmt.Sprintf("; and %s", wording.Plural(len(more), "more rule"))
		for _, n := range rules[:min(len(rules), MaxLines)] {
			f.Lines = append(f.Lines, n.number)
		}
		for _, n := range more[:min(len(more), 20)] {
			f.Related = append(f.Related, n.number)
		}
	}
}

// parameterOf cuts the path of a rule before its only wildcard, if the name of a query parameter with "=" follows
// it; "" = none does. After "?" and "&" such a name does not overlap itself.
func parameterOf(value string) (before, param string) {
	before, param, _ = strings.Cut(value, "*")
	if name, _, found := strings.Cut(param, "="); found && isWord(name) && missedPath(&lintLine{value: before + "*?" + param}) == "" && missedPath(&lintLine{value: before + "*&" + param}) == "" {
		return before, param
	}
	return "", ""
}

// missedPath is a path that a rule matches, but not by that parser; "" = there is
// none.
func missedPath(n *lintLine) string {
	value := strings.TrimRight(strings.TrimSuffix(n.value, "$"), "*")
	at := strings.IndexByte(value, '*')
	if at < 0 || len(value) > maxYandexPath {
		return ""
	}
	texts := strings.Split(value[at+1:], "*")
	for i, text := range texts {
		end := i == len(texts)-1 && strings.HasSuffix(n.value, "$")
		if k, border := selfOverlap(text, end); k > 0 && (k <= shortOverlap || strings.IndexByte("/?&-_=.", text[0]) >= 0) {
			texts[i] = text[:k] + text[border:]
			path := value[:at] + "…" + strings.Join(texts, "…")
			if path[0] != '/' {
				path = "/" + path
			}
			return path
		}
	}
	return ""
}

// selfOverlap finds the first k for which text[:k] ends with its own first border
// bytes and text[k] differs from text[border]. A path with text[:k] followed by
// text[border:] then contains text, but only a matcher that goes back to the border
// finds it. Where the path must end with text (end), k may be len(text). k = 0:
// there is none. The loop is the failure function of Knuth, Morris and Pratt.
func selfOverlap(text string, end bool) (k, border int) {
	borders := make([]int, len(text)+1)
	b := 0
	for i := 1; i < len(text); i++ {
		if b > 0 && text[b] != text[i] {
			return i, b
		}
		for b > 0 && text[b] != text[i] {
			b = borders[b]
		}
		if text[b] == text[i] {
			b++
		}
		borders[i+1] = b
	}
	if end && b > 0 {
		return len(text), b
	}
	return 0, 0
}

// lintAgentLengths looks for consecutive user-agent lines of different lengths.
// That parser gives the first one the precedence that the length of the later one
// has, which matters if another group competes for the same robots.
func lintAgentLengths(l *linter, g *lintGroup) {
	for i, n := range g.agents {
		star := n.value == "*"
		if !star && !hasPrefixFold(n.value, "yandex") {
			continue
		}
		for j, later := range g.agents[i+1:] {
			if later.number-n.number != j+1 {
				break // they are not consecutive
			}
			if len(later.value) == len(n.value) {
				continue
			}
			if !l.competes(g, star) {
				break
			}
			if f := l.reportValue("PRS002", later); f != nil {
				f.What = fmt.Sprintf("Yandex's parser as published in 2022-23 gives %s the precedence of %s", escape.Prefix(n.value, 40), quote(later.value, 40))
				f.Related = []int{n.number}
			}
			return
		}
	}
}

// competes reports whether a group other than g is for "*" (star), or for robots
// of Yandex.
func (l *linter) competes(g *lintGroup, star bool) bool {
	for n := range l.agents {
		if n.group != g && (star && n.value == "*" || !star && hasPrefixFold(n.value, "yandex")) {
			return true
		}
	}
	return false
}
