package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// RuleRow is a line of robots.txt that is a rule, with what it did for the
// crawlers that obey it and for which it did the same.
type RuleRow struct {
	audit.RuleCount
	Index    int // of the origin, which is Origin
	Origin   string
	Crawlers []int  // not to be changed: indices, in the order asked for; none = no crawler obeys it
	Names    string // the crawlers' labels, with commas
	Group    string // product tokens of the group in which the line stands
	Effect   string // as RuleEffect has it
	Tested   bool   // known URLs were tested against it
	ID       string // as RuleID has it; only in a FileLine
}

// names are the labels of crawlers, with commas; the indices are sorted.
func (s *Site) names(crawlers []int) string {
	slices.Sort(crawlers)
	var names []string
	for _, i := range crawlers {
		names = append(names, s.Crawlers[i].Label)
	}
	return strings.Join(names, ", ")
}

// Blocks reports whether a rule is one that keeps crawlers out: an empty
// disallow allows everything.
func Blocks(rule string) bool {
	path, ok := strings.CutPrefix(rule, "disallow:")
	return ok && strings.TrimSpace(path) != ""
}

// RuleEffect says in words what a rule decides, and what its deletion would do; urls
// is the number of known URLs.
func RuleEffect(c audit.RuleCount, urls int64) string {
	effect := flips(c, urls)
	if words := joinWords(c); words != "" {
		effect += ". " + upperFirst(words)
	}
	return effect
}

// joinWords says what the deletion of a rule's line does besides taking the rule away; "" = nothing.
func joinWords(c audit.RuleCount) string { return c.Join.Words("the user-agents above it", c.Rule) }

// flips says what becomes of URLs if the line of a rule is deleted.
func flips(c audit.RuleCount, urls int64) string {
	switch {
	case c.Unknown != "":
		return "effect unknown: " + c.Unknown
	case c.Decided == 0 && c.Frees+c.Blocks > 0:
		return "decides nothing, but " + withoutLine(c)
	case c.Matched == 0 && urls == 0:
		return "not tested: no URL found is under this robots.txt"
	case c.Matched == 0:
		if urls == 1 {
			return "decides nothing: does not match the only URL"
		}
		return fmt.Sprintf("decides nothing: matches none of the %s", wording.URLs(urls))
	case c.Decided == 0:
		return fmt.Sprintf("decides nothing: a stronger rule decides %s that it matches", everyOne(c.Matched))
	case c.Frees+c.Blocks > 0:
		return withoutLine(c)
	}
	if strings.HasPrefix(c.Rule, "allow:") {
		return fmt.Sprintf("decides %s; deleting it changes nothing, because %s allowed without it", wording.URLs(c.Decided), wording.Verb(c.Decided, "it is", "they are"))
	}
	return fmt.Sprintf("decides %s; deleting it changes nothing, because another line decides the same", wording.URLs(c.Decided))
}

// withoutLine says how many URLs come to be allowed and blocked if the line of a rule is deleted.
func withoutLine(c audit.RuleCount) string {
	switch {
	case c.Blocks == 0:
		return fmt.Sprintf("deleting it unblocks %s", wording.URLs(c.Frees))
	case c.Frees == 0:
		return fmt.Sprintf("deleting it blocks %s", wording.URLs(c.Blocks))
	}
	return fmt.Sprintf("deleting it unblocks %s and blocks %s", wording.URLs(c.Frees), wording.URLs(c.Blocks))
}

// TopRules returns the rules that decide most, at most n, and how many decide
// anything. A line counts once: for the crawlers for which it decides most. They are not
// to be changed: whoever asks next gets the same.
func (s *Site) TopRules(n int) (top []RuleRow, deciding int) {
	if s.topRules == nil {
		s.topRules = s.decidingRules()
	}
	return s.topRules[:min(n, len(s.topRules))], len(s.topRules)
}

// decidingRules are all rules that decide anything, as TopRules has them.
func (s *Site) decidingRules() []RuleRow {
	best := map[[2]int]RuleRow{}
	for _, group := range s.rules {
		for i := range group.Counts {
			c := &group.Counts[i]
			if c.Decided <= 0 {
				continue
			}
			key := [2]int{group.Origin, c.Line}
			if at, ok := best[key]; !ok || at.Decided < c.Decided {
				best[key] = RuleRow{RuleCount: *c, Index: group.Origin, Origin: s.Robots(group.Origin).Origin, Crawlers: group.Crawlers}
			}
		}
	}
	top := make([]RuleRow, 0, len(best))
	for _, r := range best {
		top = append(top, r)
	}
	slices.SortFunc(top, func(a, b RuleRow) int {
		return cmp.Or(cmp.Compare(b.Decided, a.Decided), cmp.Compare(a.Origin, b.Origin), cmp.Compare(a.Line, b.Line))
	})
	return top
}

// RuleTotals are the rule lines of all robots.txt files of a site.
type RuleTotals struct {
	Lines  int
	Tested int // of Lines, those that a crawler asked about obeys and against which known URLs were tested
	Idle   int // of Tested, those that decide nothing for any crawler

	urls bool // known URLs were tested against any of the files
}

// untested says why lines were not tested.
func (t RuleTotals) untested() string {
	if !t.urls {
		return "no URL was tested"
	}
	n := t.Lines - t.Tested
	return wording.Plural(n, "rule line") + wording.Verb(n, " is", " are") + " for other crawlers or other hosts"
}

// RuleTotals counts the rule lines, and those that decide nothing.
func (s *Site) RuleTotals() (t RuleTotals) {
	const obeyed, decides = 1, 2
	for r := range s.Files {
		t.Lines += len(r.Rules)
		if s.TestedOn(r.Index) == 0 {
			continue
		}
		t.urls = true
		if len(r.Rules) == 0 {
			continue
		}
		marks := make([]uint8, r.Rules[len(r.Rules)-1].Line+1) // of each line
		for _, group := range s.rules {
			if group.Origin != r.Index {
				continue
			}
			for i := range group.Counts {
				c := &group.Counts[i]
				if c.Line >= len(marks) {
					continue // no rule line of this file: the records are not of one piece
				}
				marks[c.Line] |= obeyed
				if c.Decided > 0 {
					marks[c.Line] |= decides
				}
			}
		}
		for _, line := range r.Rules {
			switch marks[line.Line] {
			case obeyed:
				t.Tested++
				t.Idle++
			case obeyed | decides:
				t.Tested++
			}
		}
	}
	return t
}
