package book

import (
	"encoding/binary"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
)

// lineSets are the sets of changed lines that change verdicts together. A URL refers to them by index; the
// text of the lines is known at the end of the site.
type lineSets struct {
	words   []string // of all sets so far
	numbers map[string]int
	site    []lineSet // those of the current site, whose words are not known yet
	key     []byte
}

type lineSet struct {
	number, origin int
	lines          []int
}

// Bounds: of the sets of all sites, and of the lines that one of them names.
const (
	maxLineSets = 20_000
	maxSetLines = 8
)

// begin begins a site.
func (s *lineSets) begin() {
	s.numbers, s.site = map[string]int{}, s.site[:0]
	if s.words == nil {
		s.words = []string{"", "see the sheet " + robotsName} // 0 = none, 1 = there are too many sets
	}
}

// number returns the number of a set of lines of an origin.
func (s *lineSets) number(origin int, lines []int) int {
	if len(lines) == 0 {
		return 0
	}
	s.key = binary.AppendVarint(s.key[:0], int64(origin))
	for _, line := range lines {
		s.key = binary.AppendVarint(s.key, int64(line))
	}
	if n, ok := s.numbers[string(s.key)]; ok {
		return n
	}
	if len(s.words) >= maxLineSets {
		return 1
	}
	n := len(s.words)
	s.numbers[string(s.key)], s.words = n, append(s.words, "")
	s.site = append(s.site, lineSet{n, origin, append([]int(nil), lines...)})
	return n
}

// end puts the sets of a site in words.
func (s *lineSets) end(site *compare.Site) {
	for _, set := range s.site {
		if set.origin >= len(site.Origins) {
			continue
		}
		diff := site.Origins[set.origin].Diff
		var words []string
		for i, line := range set.lines {
			if i == maxSetLines {
				words = append(words, wording.Thousands(len(set.lines)-i)+" more")
				break
			}
			if line < len(diff) {
				words = append(words, model.LineWords(&diff[line]))
			}
		}
		s.words[set.number] = strings.Join(words, "; ")
	}
}
