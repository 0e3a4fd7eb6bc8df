package site

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Policy is what a site's own robots.txt says to the crawlers that gather for AI,
// with how many of a sample of the known pages each may fetch.
type Policy struct {
	Crawlers []PolicyCrawler // by purpose, in the order of the list
	signals  []audit.Signal
	Pages    int64 // of the sample
}

// PolicyCrawler is a crawler of the list, as the site's own robots.txt treats it.
type PolicyCrawler struct {
	*engine.Crawler
	Read  *audit.PolicyRead
	Reach audit.Reach
}

// Policy returns the site's policy towards the crawlers that gather for AI; d is
// the site's end.
func (s *Site) Policy(d *audit.Done) *Policy {
	if s.policy == nil {
		s.policy = s.newPolicy(d)
	}
	return s.policy
}

// samplePage takes a page for what is told of crawlers for AI, where the
// records do not tell it: those of earlier versions of this program.
func (s *Site) samplePage(loc string) {
	if s.policyRecorded {
		return
	}
	if s.sample == nil {
		s.sample = audit.NewPolicySample(&s.answers)
	}
	s.sample.AddPage(loc, nil)
}

// newPolicy puts together what the audit found, or what a sample of the pages
// shows where the records do not tell it.
func (s *Site) newPolicy(d *audit.Done) *Policy {
	said, reach := s.Robots(0).Policy, d.Policy
	if !s.policyRecorded || reach == nil || len(reach.Reaches) != len(said.Reads) {
		if s.sample == nil {
			s.sample = audit.NewPolicySample(&s.answers)
		}
		said, reach = &s.sample.Policy, s.sample.Reach()
	}
	p := &Policy{signals: said.Signals, Pages: reach.Pages}
	crawlers := audit.PolicyCrawlers()
	for i := range crawlers {
		c := &crawlers[i]
		at := slices.IndexFunc(said.Reads, func(r audit.PolicyRead) bool { return slices.Contains(r.Crawlers, c.Name) })
		p.Crawlers = append(p.Crawlers, PolicyCrawler{c, &said.Reads[at], reach.Reaches[at]})
	}
	return p
}

// seesSignal reports whether a crawler that obeys a group sees a signal.
func (r *PolicyCrawler) seesSignal(s *audit.Signal) bool {
	for _, token := range s.Tokens {
		if r.Read.GroupReason == engine.Global {
			if strings.HasPrefix(token, "*") {
				return true
			}
			continue
		}
		if r.Read.GroupReason != engine.Exact && r.Read.GroupReason != engine.Fallback || !slices.Contains(r.Read.GroupTokens, token) {
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

// Summary is the policy in one line: "training none, search all, user fetch all".
func (p *Policy) Summary() string {
	var parts []string
	for _, purpose := range audit.PolicyPurposes {
		word := ""
		for i := range p.Crawlers {
			if p.Crawlers[i].Purpose != purpose.Purpose {
				continue
			}
			switch now := p.Crawlers[i].Reach.Word; {
			case word == "":
				word = now
			case word != now:
				word = "mixed"
			}
		}
		if word != "" {
			parts = append(parts, purpose.Short+" "+word)
		}
	}
	return strings.Join(parts, ", ")
}

// Named counts the crawlers that the file names.
func (p *Policy) Named() (n int) {
	for i := range p.Crawlers {
		if p.Crawlers[i].Read.GroupReason == engine.Exact {
			n++
		}
	}
	return n
}
