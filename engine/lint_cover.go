package engine

import "strings"

// This file compares patterns. A pattern A lies within a pattern B when B
// matches every path that A matches. That needs no search: write A down as a
// path in which each wildcard is a byte that B does not hold. If B matches
// that path, only wildcards of B can have taken those bytes, and what takes one
// byte takes any text, so B matches whatever A does. If B does not match it,
// the path itself is one that A matches and B does not. So a matcher is all it
// takes to prove that a rule is beaten, and a fast matcher does it for a file
// of many thousand rules.

// unused returns a byte that none of the patterns holds, 0 = there is none.
func unused(list []ranked) byte {
	var held [256]bool
	for i := range list {
		for j := 0; j < len(list[i].text); j++ {
			held[list[i].text[j]] = true
		}
	}
	for c := 1; c < len(held); c++ {
		if !held[c] && c != '/' && c != '*' {
			return byte(c)
		}
	}
	return 0
}

// samples writes a pattern down as the paths that stand for all it matches,
// wild standing for a wildcard. Since paths begin with "/", a pattern that
// begins with a wildcard has up to two, and one that begins otherwise none.
func (p pattern) samples(wild byte) []string {
	any := string([]byte{wild})
	if p.literal {
		if p.text == "" || p.text[0] != '/' {
			return nil
		}
		return []string{p.text + any} // a literal pattern is a prefix
	}
	text := p.text
	if !p.end {
		text += "*"
	}
	fill := func(s string) string { return strings.ReplaceAll(s, "*", any) }
	switch {
	case text == "":
		return nil
	case text[0] == '/':
		return []string{fill(text)}
	case text[0] != '*':
		return nil
	case strings.HasPrefix(text, "*/"):
		return []string{fill(text[1:]), "/" + fill(text)}
	}
	return []string{"/" + fill(text)}
}

// within reports whether b matches every path that p matches. A pattern that
// matches no path lies within none.
func (p pattern) within(b pattern) bool {
	wild := unused([]ranked{{pattern: p}, {pattern: b}})
	samples := p.samples(wild)
	for _, path := range samples {
		if !b.match(path) {
			return false
		}
	}
	return len(samples) > 0 && wild != 0
}

// maxMeet bounds the work of one comparison: the product of two lengths.
const maxMeet = 1 << 16

// meet returns a path that both patterns match; false = there is none, or
// they are too long to be compared.
func meet(a, b pattern) (string, bool) {
	x, y := a.text, b.text
	if !a.end {
		x += "*"
	}
	if !b.end {
		y += "*"
	}
	if a.literal || b.literal || (len(x)+1)*(len(y)+1) > maxMeet {
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
			return "", false // both match it, but it is no path
		}
		path = "/" + path
	}
	return path, true
}

// walk spells out a text by the table of meet.
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
