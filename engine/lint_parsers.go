package engine

import (
	"fmt"
	"strings"
)

// This file looks for lines on which Yandex's parser, as its owner once
// published it (November 2022 and July 2023), did other than the help says.
// The profiles follow the help; the findings tell that parsers may disagree.

// lintParsers looks for such lines.
func lintParsers(l *linter) {
	var again []*lintLine // rules whose text begins again
	for i := range l.groups {
		g := &l.groups[i]
		if !g.forYandex() {
			continue
		}
		lintAgentLengths(l, g)
		for _, n := range g.rules {
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

// lintOnlyWildcards looks for rules that come to nothing but wildcards.
func lintOnlyWildcards(l *linter, n *lintLine) {
	if len(n.value) < 2 || strings.Trim(strings.TrimSuffix(n.value, "$"), "*") != "" || n.value == "$" {
		return
	}
	if f := l.reportValue("PRS003", n); f != nil {
		f.Replacement = n.rewrite(n.field, "/")
	}
}

// shortOverlap is the length up to which a text that begins again is one that
// words have ("ananas"); longer ones begin again in URLs at a separator only.
const shortOverlap = 4

// lintSelfOverlap reports the rules whose text after a wildcard begins again within
// itself: where such text almost matches, the match may begin inside of what
// was already read. Such paths are rare, so it does so once a file.
func lintSelfOverlap(l *linter, rules []*lintLine) {
	if len(rules) == 0 {
		return
	}
	f := l.reportValue("PRS001", rules[0])
	if f == nil {
		return
	}
	f.What = fmt.Sprintf("Yandex's parser as published in 2022-23 does not match this with a path such as %s", quote(missedPath(rules[0]), 120))
	if more := rules[1:]; len(more) > 0 {
		f.What += fmt.Sprintf("; and %s more", plural(len(more), "rule"))
		for _, n := range more[:min(len(more), 20)] {
			f.Related = append(f.Related, n.number)
		}
	}
}

// missedPath is a path that a rule matches and that parser does not find; "" =
// there is none.
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

// selfOverlap finds the first k at which text[:k] ends as text begins (by border
// bytes) while text goes on differently: a path with text[:k] followed by
// text[border:] holds text, but only for who goes back to find it. Where the
// path must end with the text, that may be all of it.
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

// lintAgentLengths looks for user-agent lines of one run whose lengths that parser
// mixed up, where another group competes for the same robots.
func lintAgentLengths(l *linter, g *lintGroup) {
	for i, n := range g.agents {
		star := n.value == "*"
		if !star && !hasPrefixFold(n.value, "yandex") {
			continue
		}
		for j, later := range g.agents[i+1:] {
			if later.number-n.number != j+1 {
				break // not in the same run: something stands between
			}
			if len(later.value) == len(n.value) {
				continue
			}
			if !l.competes(g, star) {
				break
			}
			if f := l.reportValue("PRS002", later); f != nil {
				f.What = fmt.Sprintf("Yandex's parser as published in 2022-23 gives %s the precedence of %s", clip(n.value, 40), quote(later.value, 40))
				f.Related = []int{n.number}
			}
			return
		}
	}
}

// competes reports whether another group is for "*", or for Yandex's robots.
func (l *linter) competes(g *lintGroup, star bool) bool {
	for i := range l.groups {
		if &l.groups[i] == g {
			continue
		}
		for _, n := range l.groups[i].agents {
			if star && n.value == "*" || !star && hasPrefixFold(n.value, "yandex") {
				return true
			}
		}
	}
	return false
}
