package audit

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"robots-audit/engine"
)

// PolicySample counts which of a site's pages the crawlers of its Policy may fetch. It uses all
// pages if their verdicts are known, else an even sample.
type PolicySample struct {
	Policy Policy

	reads    []policyKey // for each of Policy.Reads
	groups   []policyGroup
	verdicts []uint8 // of all groups on each page of the sample
	stride   int64   // the sample has every stride-th page
	seen     int64   // pages
	silent   bool    // no one answered for robots.txt: there is no policy
}

// policyKey is the common property of the crawlers of a PolicyRead.
type policyKey struct {
	group  int // index into PolicySample.groups
	tokens []string
}

// policyGroup is a set of rules that some of the crawlers obey.
type policyGroup struct {
	*engine.Group
	profile string
	access  engine.Access
	crawler int  // index in Site.Crawlers of one with the same rules; -1 = none
	plain   bool // its profile differs, but gives the same verdicts on plain URLs

	other   *engine.Group // group of a crawler that may also give the same verdicts; compared at the first page
	otherOf int           // index of that crawler
	example string        // the first blocked page found
	last    engine.Decision

	counted int64         // pages judged, in the sample or not
	blocked int64         // blocked pages among all counted ones, else more than are left in the sample
	rules   map[int]int64 // blocked pages by the line of the rule
}

// maxSample bounds the pages of a PolicySample, maxSampleURL the bytes of an example, and
// maxReachRules the rules of a Reach.
const (
	maxSample     = 1000
	maxSampleURL  = 500
	maxReachRules = 3
)

// NewPolicySample reads the site's own robots.txt, no. 0 of its answers, for the crawlers of a
// policy about AI.
func NewPolicySample(answers *Answers) *PolicySample {
	s := &PolicySample{stride: 1}
	for _, c := range PolicyCrawlers() {
		p, _ := engine.ProfileByName(c.Profile)
		robots := answers.Read(0, p, c)
		s.addCrawler(&c, robots, robots.Group(c))
	}
	own := answers.of(0)
	s.silent = own == nil || !answered[own.file.Error]
	s.Policy.Signals = signalsOf(answers.Read(0, rfc9309, engine.Crawler{}))
	return s
}

// addCrawler adds a crawler to those that the file treats alike.
func (s *PolicySample) addCrawler(c *engine.Crawler, robots *engine.Robots, g *engine.Group) {
	of := slices.IndexFunc(s.groups, func(known policyGroup) bool {
		return known.profile == c.Profile && known.access == robots.Access && slices.Equal(known.Rules, g.Rules)
	})
	if of < 0 {
		of = len(s.groups)
		s.groups = append(s.groups, policyGroup{Group: g, profile: c.Profile, access: robots.Access, crawler: -1})
	}
	for i := range s.Policy.Reads {
		r := &s.Policy.Reads[i]
		if s.reads[i].group == of && r.GroupLine == g.Line && r.GroupReason == g.Reason && r.Why == robots.Why && slices.Equal(s.reads[i].tokens, g.Tokens) {
			r.Crawlers = append(r.Crawlers, c.Name)
			return
		}
	}
	s.reads = append(s.reads, policyKey{of, g.Tokens})
	s.Policy.Reads = append(s.Policy.Reads, PolicyRead{
		Crawlers: []string{c.Name}, Access: robots.Access, Why: robots.Why, GroupLine: g.Line, GroupTokens: ownTexts(g.Tokens), GroupReason: g.Reason,
	})
}

// share finds the groups that the audited crawlers also obey. Their verdicts are known, and their
// data is not stored twice.
func (s *PolicySample) share(crawlers []Crawler, reads []Read, groups []*engine.Group) {
	for i := range s.groups {
		g := &s.groups[i]
		for k := range crawlers {
			if crawlers[k].Profile == g.profile && reads[k].Access == g.access && slices.Equal(groups[k].Rules, g.Rules) {
				g.crawler, g.other, g.Group = k, nil, groups[k]
				break
			}
			if g.other == nil && reads[k].Access == engine.Parsed && slices.Equal(groups[k].Rules, g.Rules) {
				g.other, g.otherOf = groups[k], k
			}
		}
	}
}

// AddPage counts a page of the site's own origin for the groups with known decisions, and may add
// it to the sample. The sample is even for any number of pages, and does not depend on the batches.
// decisions are those of Site.Crawlers; nil = unknown.
func (s *PolicySample) AddPage(loc string, decisions []engine.Decision) {
	at := s.seen
	s.seen++
	for i := range s.groups {
		g := &s.groups[i]
		if g.other != nil && g.other.PlainlyAs(g.Group) {
			g.crawler, g.plain = g.otherOf, true
		}
		if g.other = nil; g.crawler >= 0 && decisions != nil {
			g.last = decisions[g.crawler]
			if g.plain && !engine.PlainURL(loc) {
				g.last = g.Verdict(loc)
			}
			g.count(loc)
		} else if g.access != engine.Parsed || len(g.Rules) == 0 {
			g.last = g.Verdict(loc)
			g.count(loc)
		}
	}
	if at%s.stride != 0 {
		return
	}
	n := len(s.groups)
	if len(s.verdicts) >= maxSample*n {
		half := s.verdicts[:0]
		for i := 0; i < maxSample; i += 2 {
			half = append(half, s.verdicts[i*n:i*n+n]...)
		}
		s.verdicts = half
		if s.stride *= 2; at%s.stride != 0 {
			return
		}
	}
	for i := range s.groups {
		g := &s.groups[i]
		if g.counted < s.seen {
			g.last = g.Verdict(loc)
			g.note(loc)
		}
		s.verdicts = append(s.verdicts, uint8(g.last.Verdict))
	}
}

// count counts a page for the total of all pages.
func (g *policyGroup) count(loc string) {
	g.counted++
	g.note(loc)
}

// note counts a page if it is blocked.
func (g *policyGroup) note(loc string) {
	if g.last.Verdict != engine.Disallow {
		return
	}
	g.blocked++
	if g.example == "" && len(loc) <= maxSampleURL {
		g.example = strings.Clone(loc)
	}
	if line := g.last.Line(); line > 0 {
		if g.rules == nil {
			g.rules = map[int]int64{}
		}
		g.rules[line]++
	}
}

// Reach returns the result of the sample.
func (s *PolicySample) Reach() *PolicyReach {
	reach := &PolicyReach{Pages: int64(len(s.verdicts) / len(s.groups)), All: s.seen}
	by := make([]Reach, len(s.groups))
	for i := range s.groups {
		by[i] = s.reach(i, reach.Pages)
	}
	for _, r := range s.reads {
		reach.Reaches = append(reach.Reaches, by[r.group])
	}
	return reach
}

// reach measures by the sample what the crawlers of a group may fetch. Without a sample it uses the
// rules alone.
func (s *PolicySample) reach(group int, sampled int64) Reach {
	g, pages := &s.groups[group], sampled
	unknown := int64(0)
	var e Reach
	for i := group; i < len(s.verdicts); i += len(s.groups) {
		switch engine.Verdict(s.verdicts[i]) {
		case engine.Disallow:
			e.Blocked++
		case engine.Unknown, engine.Undefined:
			unknown++
		}
	}
	if g.counted == s.seen && pages > 0 {
		e.Whole, e.Blocked, pages = true, g.blocked, s.seen
	}
	root := g.Verdict("/")
	switch {
	case g.access == engine.AccessUnknown, s.silent && g.access != engine.Parsed, unknown > 0 && unknown == sampled:
		e.Word = "unknown"
	case pages > 0 && e.Blocked == pages, pages == 0 && blocksAll(g.access, g.Group):
		e.Word = "none"
	case g.blocked > 0, pages == 0 && (root.Verdict == engine.Disallow || g.bars()):
		e.Word = "part"
	default:
		e.Word = "all"
	}
	if pages == 0 && e.Word != "unknown" {
		e.Home = root.Verdict.String()
	}
	if e.Word == "none" || e.Word == "part" {
		rule := root.Rule
		if g.example != "" {
			rule = g.Verdict(g.example).Rule
		}
		if rule != nil {
			e.Line, e.Rule = rule.Line, ownText(rule.String())
		}
	}
	e.Example = ownText(g.example)
	if len(g.rules) > 1 {
		e.Rules, e.MoreRules = g.mostBlocking()
	}
	return e
}

// mostBlocking returns the rules that block the most pages, and the number of other rules.
func (g *policyGroup) mostBlocking() (list []RuleLine, more int) {
	lines := slices.SortedFunc(maps.Keys(g.rules), func(a, b int) int {
		return cmp.Or(cmp.Compare(g.rules[b], g.rules[a]), cmp.Compare(a, b))
	})
	for _, line := range lines[:min(len(lines), maxReachRules)] {
		at := slices.IndexFunc(g.Rules, func(r engine.Rule) bool { return r.Line == line })
		list = append(list, RuleLine{Line: line, Rule: ownText(g.Rules[at].String())})
	}
	return list, len(lines) - len(list)
}

// bars reports whether any rule of the group may block something.
func (g *policyGroup) bars() bool {
	return slices.ContainsFunc(g.Rules, func(r engine.Rule) bool { return !r.Allow && r.Value != "" })
}
