package site

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// Disagreement explains why the crawlers' verdicts for a URL differ. It is the same for all URLs
// with the same deciding lines for the same crawlers. Equal ones of a site are one pointer, as long
// as they are in memory.
type Disagreement struct {
	Cause       string   // in a word or two, such as "own group"; several with commas
	Explanation string   // the cause as a sentence
	Rules       []string // the deciding rule for each crawler, "line 3: disallow: /a"; "" = none
}

// disagreements are the latest ones of a site, by the verdicts and the deciding lines.
type disagreements struct {
	budget       int // remaining bytes of robots.txt that may be parsed again to find causes
	known        map[string]*Disagreement
	groups       map[[3]int]*engine.Group // see groupAs
	key, lastKey []byte
	last         *Disagreement
}

// maxExperiments bounds the bytes of robots.txt that are parsed again for a site to find out why
// its crawlers disagree.
const maxExperiments = 32 << 20

// Disagreement returns the explanation for a URL whose verdicts differ.
func (s *Site) Disagreement(u *URL) *Disagreement {
	c := &s.disagreements
	c.key = binary.AppendVarint(c.key[:0], int64(u.Origin))
	for i, v := range u.Verdicts {
		c.key = append(c.key, byte(v))
		if i < len(u.Lines) {
			c.key = binary.AppendVarint(c.key, int64(u.Lines[i]))
		}
	}
	if c.last != nil && bytes.Equal(c.key, c.lastKey) {
		return c.last
	}
	d := c.known[string(c.key)]
	if d == nil {
		d = s.newDisagreement(u)
		if c.known == nil || len(c.known) >= maxDetails {
			c.known = map[string]*Disagreement{}
		}
		c.known[string(c.key)] = d
	}
	c.last, c.lastKey = d, append(c.lastKey[:0], c.key...)
	return d
}

func (s *Site) newDisagreement(u *URL) *Disagreement {
	d := &Disagreement{}
	robots := s.Robots(u.Origin)
	for c := range min(len(u.Verdicts), len(u.Lines), len(s.Crawlers)) {
		rule := ""
		if line := int(u.Lines[c]); line > 0 {
			rule = "line " + strconv.Itoa(line) + ": " + escape.Cut(RuleAt(robots, line), 2000)
		}
		d.Rules = append(d.Rules, rule)
	}
	var classes, explanations []string
	seen := map[engine.Verdict]bool{}
	for c := 1; c < len(d.Rules); c++ {
		if v := u.Verdicts[c]; v != u.Verdicts[0] {
			if len(explanations) >= 3 && seen[v] {
				continue
			}
			seen[v] = true
			why := s.cause(u.Origin, 0, c, u.Loc, v)
			if !slices.Contains(classes, why.class) {
				classes = append(classes, why.class)
			}
			if !slices.Contains(explanations, why.explanation) {
				explanations = append(explanations, why.explanation)
			}
		}
	}
	d.Cause, d.Explanation = strings.Join(classes, ", "), strings.Join(explanations, "; ")
	return d
}
