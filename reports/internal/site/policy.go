package site

import (
	"slices"
	"strings"
	"sync"

	"robots-audit/engine"
)

// policyPurposes are the purposes of the crawlers that an AI policy is about,
// with the words that sum them up.
var policyPurposes = []struct{ purpose, short string }{
	{"AI training", "training"}, {"AI search", "search"}, {"user fetch", "user fetch"}, {"control token", "control tokens"}, {"archive", "archive"},
}

// Policy is what a site's own robots.txt says to the crawlers that gather for AI,
// with how many of a sample of the known pages each may fetch.
type Policy struct {
	robots  *parsed
	Readers []PolicyReader
	groups  []policyGroup // those of the readers, each once
	signals []signal

	sampled []uint8 // verdicts of all groups on each page of the sample
	stride  int64   // every so many pages one is taken
	pages   int64
}

// PolicyReader is a crawler of the list, as the site's own robots.txt treats it.
type PolicyReader struct {
	*engine.Crawler
	Reason engine.GroupReason
	line   int      // of the group that it obeys
	tokens []string // likewise
	of     int      // index into groups
	access engine.Access
	why    string
}

// noPolicy are fetchers for people that have nothing to do with AI.
var noPolicy = map[string]bool{"FeedFetcher-Google": true, "Google-Site-Verification": true, "Google-Read-Aloud": true}

// policyCrawlers are the crawlers of the list that an AI policy is about, by purpose.
var policyCrawlers = sync.OnceValue(func() (list []engine.Crawler) {
	for _, purpose := range policyPurposes {
		for _, c := range engine.Crawlers() {
			if _, ok := engine.ProfileByName(c.Profile); ok && c.Purpose == purpose.purpose && !noPolicy[c.Name] {
				list = append(list, c)
			}
		}
	}
	return list
})

type policyGroup struct {
	*engine.Group
	profile string
	example string // the first page of the sample that is blocked
}

// signal is a usage preference: a Content-Signal or Content-Usage line.
type signal struct {
	line   int
	text   string
	tokens []string // of the group in which it stands
}

// maxSample bounds the pages of the sample, and maxSampleURL the bytes of an example.
const (
	maxSample    = 1000
	maxSampleURL = 500
)

// Policy returns the site's policy towards the crawlers that gather for AI.
func (s *Site) Policy() *Policy {
	if s.policy == nil {
		s.policy = s.newPolicy()
	}
	return s.policy
}

// newPolicy reads the site's own robots.txt for the crawlers of the list.
func (s *Site) newPolicy() *Policy {
	p := &Policy{robots: s.parse(0), stride: 1}
	crawlers := policyCrawlers()
	p.Readers = make([]PolicyReader, len(crawlers))
	for i := range crawlers {
		c := &crawlers[i]
		robots := p.robots.read(c.Profile)
		g := robots.Group(*c)
		r := PolicyReader{Crawler: c, Reason: g.Reason, line: g.Line, tokens: g.Tokens, access: robots.Access, why: robots.Why}
		r.of = slices.IndexFunc(p.groups, func(known policyGroup) bool {
			return known.profile == c.Profile && slices.Equal(known.Rules, g.Rules)
		})
		if r.of < 0 {
			r.of = len(p.groups)
			p.groups = append(p.groups, policyGroup{Group: g, profile: c.Profile})
		}
		p.Readers[i] = r
	}
	p.signals = signalsOf(p.robots.read("rfc9309"))
	return p
}

// signalsOf collects the usage preferences of a file.
func signalsOf(r *engine.Robots) []signal {
	var list []signal
	groups := r.Groups()
	at := -1 // the group that the line stands in
	for line := range r.Lines() {
		if line.Group >= 0 {
			at = line.Group
		}
		field := strings.ToLower(line.Field)
		if field != "content-signal" && field != "content-usage" {
			continue
		}
		s := signal{line: line.Number, text: line.Field + ": " + line.Value}
		if at >= 0 && at < len(groups) {
			s.tokens = groups[at].Tokens
		}
		list = append(list, s)
	}
	return list
}

// sample takes a page of the site's own origin into the sample: an even sample of
// however many there are, the same whatever the batches.
func (p *Policy) sample(loc string) {
	at := p.pages
	p.pages++
	if at%p.stride != 0 {
		return
	}
	n := len(p.groups)
	if len(p.sampled) >= maxSample*n {
		half := p.sampled[:0]
		for i := 0; i < maxSample; i += 2 {
			half = append(half, p.sampled[i*n:i*n+n]...)
		}
		p.sampled = half
		if p.stride *= 2; at%p.stride != 0 {
			return
		}
	}
	for i := range p.groups {
		g := &p.groups[i]
		v := g.Verdict(loc).Verdict
		p.sampled = append(p.sampled, uint8(v))
		if v == engine.Disallow && g.example == "" && len(loc) <= maxSampleURL {
			g.example = strings.Clone(loc)
		}
	}
}

// sees reports whether a crawler that obeys a group sees a signal.
func (r *PolicyReader) sees(s *signal) bool {
	for _, token := range s.tokens {
		if r.Reason == engine.Global {
			if strings.HasPrefix(token, "*") {
				return true
			}
			continue
		}
		if r.Reason != engine.Exact && r.Reason != engine.Fallback || !slices.Contains(r.tokens, token) {
			continue
		}
		for _, own := range r.Tokens {
			if len(token) >= len(own) && strings.EqualFold(token[:len(own)], own) {
				return true
			}
		}
	}
	return false
}

// Reach is how far a crawler's access goes.
type Reach struct {
	Access          string       // "all", "part", "none", "unknown"
	Blocked, Sample int64        // pages of the sample, and those of them that are blocked
	Example         string       // a page that is blocked; "" = none, or it is too long
	Rule            *engine.Rule // that decides the example, or the home page; nil = none
}

// Reach measures a crawler's access by the sample, or where there is none by
// the home page and the rules.
func (p *Policy) Reach(r *PolicyReader) Reach {
	g := &p.groups[r.of]
	e := Reach{Sample: int64(len(p.sampled) / len(p.groups)), Example: g.example}
	unknown := int64(0)
	for i := r.of; i < len(p.sampled); i += len(p.groups) {
		switch engine.Verdict(p.sampled[i]) {
		case engine.Disallow:
			e.Blocked++
		case engine.Unknown, engine.Undefined:
			unknown++
		}
	}
	root := g.Verdict("/")
	switch {
	case r.access == engine.AccessUnknown, unknown > 0 && unknown == e.Sample:
		e.Access = "unknown"
	case e.Sample > 0 && e.Blocked == e.Sample, e.Sample == 0 && root.Verdict == engine.Disallow:
		e.Access = "none"
	case e.Blocked > 0, e.Sample == 0 && g.bars():
		e.Access = "part"
	default:
		e.Access = "all"
	}
	if e.Access == "none" || e.Access == "part" {
		e.Rule = root.Rule
		if e.Example != "" {
			e.Rule = g.Verdict(e.Example).Rule
		}
	}
	return e
}

// bars reports whether any rule of the group may block something.
func (g *policyGroup) bars() bool {
	return slices.ContainsFunc(g.Rules, func(r engine.Rule) bool { return !r.Allow && r.Value != "" })
}

// Summary is the policy in one line: "training none, search all, user fetch all".
func (p *Policy) Summary() string {
	var parts []string
	for _, purpose := range policyPurposes {
		word := ""
		for i := range p.Readers {
			if p.Readers[i].Purpose != purpose.purpose {
				continue
			}
			switch now := p.Reach(&p.Readers[i]).Access; {
			case word == "":
				word = now
			case word != now:
				word = "mixed"
			}
		}
		if word != "" {
			parts = append(parts, purpose.short+" "+word)
		}
	}
	return strings.Join(parts, ", ")
}

// Named counts the crawlers that the file names.
func (p *Policy) Named() (n int) {
	for i := range p.Readers {
		if p.Readers[i].Reason == engine.Exact {
			n++
		}
	}
	return n
}
