package site

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Bounds of the memory for one site's Clean-param classes.
const (
	maxCleanClasses = 10000
	maxCleanSeen    = 100000 // addresses without parameters to remove, which may become canonical URLs of classes
	maxCleanURL     = 2000   // bytes of an address in a class

	maxCleanRules    = 100       // rules that are named for one class
	maxCleanCompared = 5_000_000 // rules and names compared for all classes; classes beyond it get no rules
)

// cleanParam sorts a site's pages into the classes that Clean-param makes. Only files with
// Clean-param lines have one.
type cleanParam struct {
	robots  *engine.Robots // as Yandex parses the file today
	rules   []engine.CleanRule
	classes map[string]*CleanClass
	order   []*CleanClass
	seen    map[uint64]bool // addresses without changes
	full    bool            // there were more addresses than fit in seen

	working  map[int]bool // lines that remove a parameter from a URL
	compared int          // see maxCleanCompared

	leftOut int64 // URLs of classes beyond the bounds
}

// CleanClass is a set of addresses that Yandex treats as one page.
type CleanClass struct {
	Canonical string
	First     string // its first member in the order of the records
	Members   int64
	Blocked   int64  // number of its members blocked for a crawler with Yandex's profile
	Known     bool   // the canonical address itself is among the members
	Example   string // another member; "" = none
}

var cleanSeed = maphash.MakeSeed()

// newCleanParam returns the empty classes of an origin; nil = its robots.txt has no Clean-param
// line.
func (s *Site) newCleanParam(origin int) *cleanParam {
	body := s.Body(origin)
	if !namesCleanParam(body) {
		return nil
	}
	yandex, _ := engine.ProfileByName("yandex")
	c := &cleanParam{robots: s.answers.Read(origin, yandex, engine.Crawler{}), classes: map[string]*CleanClass{}, seen: map[uint64]bool{}, working: map[int]bool{}}
	if c.rules = c.robots.CleanParams(); len(c.rules) == 0 {
		return nil
	}
	return c
}

// addPage adds a page to its class.
func (c *cleanParam) addPage(loc string, blocked bool) {
	canonical := c.robots.Canonical(loc)
	class := c.classes[canonical]
	if canonical == loc {
		if class == nil {
			if len(c.seen) < maxCleanSeen {
				c.seen[maphash.String(cleanSeed, loc)] = true
			} else {
				c.full = true
			}
			return
		}
		class.Known = true
	}
	if class == nil {
		if len(c.order) >= maxCleanClasses || len(loc) > maxCleanURL {
			c.leftOut++
			return
		}
		canonical = strings.Clone(canonical)
		class = &CleanClass{Canonical: canonical, First: strings.Clone(loc)}
		if c.seen[maphash.String(cleanSeed, canonical)] {
			class.Known, class.Members = true, 1
		}
		c.classes[canonical] = class
		c.order = append(c.order, class)
	} else if class.Example == "" && loc != canonical && len(loc) <= maxCleanURL {
		class.Example = strings.Clone(loc)
	}
	class.Members++
	if blocked {
		class.Blocked++
	}
}

// removedFrom lists the rules that remove parameters from a URL, and their names. It lists at most
// maxCleanRules and counts the others.
func (c *cleanParam) removedFrom(loc string) (rules, lines, names string) {
	if c.compared >= maxCleanCompared {
		return "", "", ""
	}
	_, query, _ := strings.Cut(loc, "?")
	query, _, _ = strings.Cut(query, "#")
	present := map[string]bool{}
	for parameter := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		present[name] = true
	}
	by := c.robots.CleanedBy(loc)
	var ruleList, lineList, nameList []string
	for i, r := range by {
		c.working[r.Line.Line] = true
		c.compared += 1 + len(r.Names)
		for _, name := range r.Names {
			if present[name] {
				nameList = append(nameList, name)
				present[name] = false // once
			}
		}
		if i < maxCleanRules {
			ruleList, lineList = append(ruleList, "clean-param: "+r.Value), append(lineList, strconv.Itoa(r.Line.Line))
		}
	}
	if more := len(by) - maxCleanRules; more > 0 {
		ruleList, lineList = append(ruleList, wording.Thousands(int64(more))+" more"), append(lineList, "…")
	}
	return strings.Join(ruleList, "; "), strings.Join(lineList, ", "), strings.Join(nameList, ", ")
}

// CleanRow is a class with its rules, a rule without a class, or a sentence about a bound that was
// reached.
type CleanRow struct {
	Rule, Lines, Names string      // Names: parameters that are removed
	Class              *CleanClass // nil = none
	Explanation        string
	Origin             string
}

// CleanRows yields the classes of all origins, those with most members first, then the rules
// without a class.
func (s *Site) CleanRows(yield func(*CleanRow) bool) {
	for index, c := range s.clean {
		if c != nil && !c.rows(s.Robots(index).Origin, yield) {
			return
		}
	}
}

// rows yields the rows of one origin; false = yield has returned false.
func (c *cleanParam) rows(origin string, yield func(*CleanRow) bool) bool {
	slices.SortStableFunc(c.order, func(a, b *CleanClass) int { return int(b.Members - a.Members) })
	for _, class := range c.order {
		row := CleanRow{Class: class, Origin: origin, Explanation: describeClass(class)}
		row.Rule, row.Lines, row.Names = c.removedFrom(class.First)
		if !yield(&row) {
			return false
		}
	}
	for i := range c.rules {
		r := &c.rules[i]
		if r.Problem == "" && (c.working[r.Line.Line] || c.compared >= maxCleanCompared) {
			continue
		}
		row := CleanRow{Rule: "clean-param: " + r.Value, Lines: strconv.Itoa(r.Line.Line), Names: strings.Join(r.Names, ", "), Origin: origin, Explanation: "changes no URL"}
		if r.Problem != "" {
			row.Explanation = "ignored: " + r.Problem
		}
		if !yield(&row) {
			return false
		}
	}
	for _, sentence := range c.limitations() {
		if !yield(&CleanRow{Origin: origin, Explanation: sentence}) {
			return false
		}
	}
	return true
}

// limitations lists the bounds that made classes or rules missing.
func (c *cleanParam) limitations() (sentences []string) {
	if c.leftOut > 0 {
		sentences = append(sentences, wording.URLs(c.leftOut)+" skipped: more than "+wording.Thousands(maxCleanClasses)+" classes, or longer than "+wording.Thousands(maxCleanURL)+" bytes")
	}
	if c.compared >= maxCleanCompared {
		sentences = append(sentences, "too many rules: the last classes do not name theirs, and rules without effect are not listed")
	}
	if c.full {
		sentences = append(sentences, "canonical URLs were looked up among the first "+wording.Thousands(maxCleanSeen)+" URLs only")
	}
	return sentences
}

func describeClass(c *CleanClass) string {
	switch {
	case c.Blocked > 0:
		return "also blocked, so Clean-param has no effect"
	case c.Members == 1:
		return "1 URL: Yandex requests the canonical address"
	}
	return wording.Thousands(c.Members) + " URLs are one page for Yandex"
}

// countCleanParam adds a page to the Clean-param classes of its origin.
func (s *Site) countCleanParam(u *audit.URL) {
	for len(s.clean) <= u.Origin { // countPage has checked that it is below len(s.origins)
		s.clean = append(s.clean, s.newCleanParam(len(s.clean)))
	}
	c := s.clean[u.Origin]
	if c == nil {
		return
	}
	blocked := false
	for i, v := range u.Verdicts {
		if v == engine.Disallow && i < len(s.Crawlers) && strings.HasPrefix(s.Crawlers[i].Profile, "yandex") {
			blocked = true
		}
	}
	c.addPage(u.Loc, blocked)
}

// namesCleanParam reports whether a file contains the word Clean-param anywhere, in upper or lower
// case. Most files do not, and need no further check.
func namesCleanParam(body []byte) bool {
	const name, hyphen = "clean-param", len("clean")
	for at := 0; ; at++ {
		i := bytes.IndexByte(body[at:], '-')
		if i < 0 {
			return false
		}
		at += i
		if from := at - hyphen; from >= 0 && from+len(name) <= len(body) && bytes.EqualFold(body[from:from+len(name)], []byte(name)) {
			return true
		}
	}
}
