package compare

import "strings"

// maxSlide bounds the number of lines by which a block is moved up or down.
const maxSlide = 1000

// slide moves added or removed blocks of lines to where people expect them. In a run of equal
// lines, or before a line equal to the block's first one, several positions are possible:
//
//	  User-agent: a                  User-agent: a
//	  Disallow: /                    Disallow: /
//	+                              +
//	+ User-agent: b                + User-agent: b
//	+ Disallow: /        rather    + Disallow: /        than one that begins with "Disallow: /"
//
// A block starts with a group if possible, else after a blank line, else it takes the last
// position. A block opposite to lines of the other file does not move.
func slide(of, other *sideLines) {
	for from := 0; from < len(of.lines); from++ {
		if of.match[from] >= 0 {
			continue
		}
		to := from + 1
		for to < len(of.lines) && of.match[to] < 0 {
			to++
		}
		from = of.slideBlock(other, from, to)
	}
}

// slideBlock moves one block to its best position and returns the line after it.
func (s *sideLines) slideBlock(other *sideLines, from, to int) int {
	at := 0 // the line of the other file that follows the block
	if from > 0 {
		at = int(s.match[from-1]) + 1
	}
	alone := to == len(s.lines) && at == len(other.lines) || to < len(s.lines) && int(s.match[to]) == at
	if !alone {
		return to
	}
	up, down := 0, 0
	for up < maxSlide && from-up > 0 && int(s.match[from-up-1]) == at-up-1 && at-up > 0 && s.kinds[from-up-1] == s.kinds[to-up-1] {
		up++
	}
	for down < maxSlide && to+down < len(s.lines) && int(s.match[to+down]) == at+down && s.kinds[to+down] == s.kinds[from+down] {
		down++
	}
	best, score := down, s.begins(from+down)
	for by := down - 1; by >= -up; by-- {
		if n := s.begins(from + by); n > score {
			best, score = by, n
		}
	}
	for ; best > 0; best, from, to, at = best-1, from+1, to+1, at+1 {
		s.rematch(other, to, from, at)
	}
	for ; best < 0; best, from, to, at = best+1, from-1, to-1, at-1 {
		s.rematch(other, from-1, to-1, at-1)
	}
	return to
}

// rematch replaces a line's match by another, equal line.
func (s *sideLines) rematch(other *sideLines, was, is, of int) {
	s.match[was], s.match[is], other.match[of] = -1, int32(of), int32(is)
}

// begins rates how well a line starts a block.
func (s *sideLines) begins(line int) int {
	blankBefore := line == 0 || strings.TrimSpace(s.lines[line-1].text) == ""
	switch field, _ := cutField(s.lines[line].text); {
	case blankBefore && strings.TrimSpace(s.lines[line].text) != "":
		return 3
	case field == "user-agent" && !s.isAgent(line-1):
		return 2
	case blankBefore:
		return 1
	}
	return 0
}

func (s *sideLines) isAgent(line int) bool {
	field, _ := cutField(s.lines[line].text)
	return field == "user-agent"
}

// cutField splits a line into its field, in lower case, and its value, both trimmed. Without a
// field, field is "". A comment at the end is not part of the value.
func cutField(line string) (field, value string) {
	line, _, _ = strings.Cut(line, "#")
	field, value, ok := strings.Cut(line, ":")
	if !ok {
		return "", strings.TrimSpace(line)
	}
	return strings.ToLower(strings.TrimSpace(field)), strings.TrimSpace(value)
}
