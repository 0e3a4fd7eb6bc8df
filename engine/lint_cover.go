package engine

import (
	"strings"

	"robots-audit/engine/internal/match"
)

// This file compares patterns. A pattern A lies within a pattern B if B matches
// every path that A matches. To prove it, write A as a path in which each wildcard
// is a byte that does not occur in B. If B matches that path, the byte was matched
// by a wildcard of B, which matches any other text as well: so B matches whatever A
// matches. If B does not match it, the path is one that A matches and B does not.
// So one match proves that a rule is never the strongest, and a fast matcher proves
// it for a file of many thousand rules.

// unused returns a byte that occurs in none of the patterns of some lists, 0 = there
// is none.
func unused(lists ...[]ranked) byte {
	var held [256]bool
	for _, list := range lists {
		for i := range list {
			for j := 0; j < len(list[i].Text); j++ {
				held[list[i].Text[j]] = true
			}
		}
	}
	return notHeld(&held)
}

// notHeld returns a byte that is not held, and has no meaning in a pattern; 0 = none.
func notHeld(held *[256]bool) byte {
	for c := 1; c < len(held); c++ {
		if !held[c] && c != '/' && c != '*' {
			return byte(c)
		}
	}
	return 0
}

// sampler writes patterns as paths, with memory that is used again.
type sampler struct{ buf []byte }

// samples writes a pattern as paths that stand for all it matches, with the byte
// wild for each wildcard. Since paths begin with "/", a pattern that begins with a
// wildcard has one or two of them, and one that begins with another character none:
// "" is no path. An ambiguous pattern has none either: where its wildcards end, the
// path or the query, decides what follows. The paths hold until the next ones are written.
func (s *sampler) samples(p match.Pattern, wild byte) (first, second string) {
	text := p.Text
	begins := text != "" && text[0] == '/'
	switch {
	case p.Ambiguous, p.Literal && !begins, text == "" && p.End, text != "" && !begins && text[0] != '*':
		return "", ""
	}
	s.buf = append(s.buf[:0], '/')
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '*' || p.Literal {
			s.buf = append(s.buf, c)
		} else {
			s.buf = append(s.buf, wild)
		}
	}
	if !p.End || p.Literal { // a literal pattern is a prefix
		s.buf = append(s.buf, wild)
	}
	path := stringView(s.buf)
	switch {
	case begins:
		return path[1:], ""
	case strings.HasPrefix(text, "*/"):
		return path[2:], path
	}
	return path, ""
}

// within reports whether b matches every path that p matches. A pattern that
// matches no path lies within none; of ambiguous patterns nothing is known.
func within(p, b match.Pattern) bool {
	var s sampler
	return s.within(p, b)
}

func (s *sampler) within(p, b match.Pattern) bool {
	var held [256]bool
	for _, text := range [...]string{p.Text, b.Text} {
		for i := 0; i < len(text); i++ {
			held[text[i]] = true
		}
	}
	wild := notHeld(&held)
	first, second := s.samples(p, wild)
	return first != "" && wild != 0 && !b.Ambiguous && b.Match(first) && (second == "" || b.Match(second))
}

// maxMeet bounds the work of one comparison: the product of two lengths.
const maxMeet = 1 << 16

// meet returns a path that both patterns match; false = there is none, or the
// patterns are too long or too ambiguous to be compared.
func meet(a, b match.Pattern) (string, bool) {
	x, y := a.Text, b.Text
	if !a.End {
		x += "*"
	}
	if !b.End {
		y += "*"
	}
	if a.Literal || b.Literal || a.Ambiguous || b.Ambiguous || (len(x)+1)*(len(y)+1) > maxMeet {
		return "", false
	}
	// can[i][j]: some text is matched by both x[i:] and y[j:].
	width := len(y) + 1
	can := make([]bool, (len(x)+1)*width)
	for i := len(x); i >= 0; i-- {
		for j := len(y); j >= 0; j-- {
			can[i*width+j] = i == len(x) && j == len(y) ||
				i < len(x) && x[i] == '*' && (can[(i+1)*width+j] || j < len(y) && can[i*width+j+1]) ||
				j < len(y) && y[j] == '*' && (can[i*width+j+1] || i < len(x) && can[(i+1)*width+j]) ||
				i < len(x) && j < len(y) && x[i] == y[j] && can[(i+1)*width+j+1]
		}
	}
	if !can[0] {
		return "", false
	}
	path := walk(x, y, can, width)
	if path == "" || path[0] != '/' {
		if x[0] != '*' || y[0] != '*' {
			return "", false // both match it, but no path begins so
		}
		path = "/" + path
	}
	return path, true
}

// walk follows the table of meet to a text that both patterns match.
func walk(x, y string, can []bool, width int) string {
	var path []byte
	for i, j := 0, 0; i < len(x) || j < len(y); {
		switch {
		case i < len(x) && x[i] == '*' && can[(i+1)*width+j]:
			i++
		case j < len(y) && y[j] == '*' && can[i*width+j+1]:
			j++
		case i < len(x) && x[i] == '*':
			path = append(path, y[j])
			j++
		case j < len(y) && y[j] == '*':
			path = append(path, x[i])
			i++
		default:
			path = append(path, x[i])
			i, j = i+1, j+1
		}
	}
	return string(path)
}
