package audit

import (
	"slices"
	"strings"

	"robots-audit/engine"
)

// PolicySample puts an even sample of a site's pages to the crawlers of its Policy.
type PolicySample struct {
	Policy Policy

	reads    []policyKey // of Policy.Reads
	groups   []policyGroup
	verdicts []uint8 // of all groups on each page of the sample
	stride   int64   // every so many pages one is taken
	seen     int64   // pages
	silent   bool    // no one answered for robots.txt: there is no policy
}

// policyKey is what the crawlers of a PolicyRead have in common.
type policyKey struct {
	group  int // index into PolicySample.groups
	tokens []string
}

// policyGroup is a set of rules that some of the crawlers obey.
type policyGroup struct {
	*engine.Group
	profile string
	access  engine.Access
	crawler int    // of Site.Crawlers, one that obeys the same rules by the same profile; -1 = none
	example string // the first page of the sample that is blocked
}

// maxSample bounds the pages of a PolicySample, and maxSampleURL the bytes of an example.
const (
	maxSample    = 1000
	maxSampleURL = 500
)

// NewPolicySample asks a site's answers what its own robots.txt, no. 0, says to
// the crawlers that gather for AI.
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

// addCrawler puts a crawler to those to which the file says the same.
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

// share finds the groups that crawlers asked about obey as well: their verdicts
// are known, and what a verdict takes is not held twice.
func (s *PolicySample) share(crawlers []Crawler, reads []Read, groups []*engine.Group) {
	for i := range s.groups {
		g := &s.groups[i]
		for k := range crawlers {
			if crawlers[k].Profile == g.profile && reads[k].Access == g.access && slices.Equal(groups[k].Rules, g.Rules) {
				g.crawler, g.Group = k, groups[k]
				break
			}
		}
	}
}

// AddPage takes a page of the site's own origin into the sample: an even sample
// of however many there are, the same whatever the batches. decisions are those of
// Site.Crawlers on it; nil = not known.
func (s *PolicySample) AddPage(loc string, decisions []engine.Decision) {
	at := s.seen
	s.seen++
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
		v := engine.Unknown
		if g.crawler >= 0 && decisions != nil {
			v = decisions[g.crawler].Verdict
		} else {
			v = g.Verdict(loc).Verdict
		}
		s.verdicts = append(s.verdicts, uint8(v))
		if v == engine.Disallow && g.example == "" && len(loc) <= maxSampleURL {
			g.example = strings.Clone(loc)
		}
	}
}

// Reach returns what came of the sample.
func (s *PolicySample) Reach() *PolicyReach {
	reach := &PolicyReach{Pages: int64(len(s.verdicts) / len(s.groups))}
	by := make([]Reach, len(s.groups))
	for i := range s.groups {
		by[i] = s.reach(i, reach.Pages)
	}
	for _, r := range s.reads {
		reach.Reaches = append(reach.Reaches, by[r.group])
	}
	return reach
}

// reach measures the access of those who obey a group by the sample, or says what
// the rules alone show.
func (s *PolicySample) reach(group int, pages int64) Reach {
	g := &s.groups[group]
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
	root := g.Verdict("/")
	switch {
	case g.access == engine.AccessUnknown, s.silent && g.access != engine.Parsed, unknown > 0 && unknown == pages:
		e.Word = "unknown"
	case pages > 0 && e.Blocked == pages, pages == 0 && blocksAll(g.access, g.Group):
		e.Word = "none"
	case e.Blocked > 0, pages == 0 && (root.Verdict == engine.Disallow || g.bars()):
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
	return e
}

// bars reports whether any rule of the group may block something.
func (g *policyGroup) bars() bool {
	return slices.ContainsFunc(g.Rules, func(r engine.Rule) bool { return !r.Allow && r.Value != "" })
}
