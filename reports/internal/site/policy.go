package site

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Policy is the policy of a site's own robots.txt towards AI crawlers, with the number of pages
// that each may fetch.
type Policy struct {
	Crawlers []PolicyCrawler // by purpose, in the order of audit.PolicyCrawlers
	Pages    int64           // of the sample
	All      int64           // number of pages found; 0 = not recorded

	signals []audit.Signal // Content-Signal and Content-Usage lines
	summary string         // see Summary; "" = not needed yet
}

// Values of audit.Reach.Word: the access of a crawler.
const (
	ReachAll     = "all"
	ReachPart    = "part"
	ReachNone    = "none"
	ReachUnknown = "unknown"
)

// Purposes of crawlers whose access is compared with other statements of the file.
const (
	purposeTraining = "AI training"
	purposeSearch   = "AI search"
)

// PolicyCrawler is an AI crawler, with its rules in the site's own robots.txt and its access.
type PolicyCrawler struct {
	*engine.Crawler
	Read   *audit.PolicyRead
	Reach  audit.Reach
	Tested int64 // number of pages tested; Reach.Blocked of them are blocked
}

// Policy returns the site's policy towards AI crawlers; d is the site's end.
func (s *Site) Policy(d *audit.Done) *Policy {
	if s.policy == nil {
		s.policy = s.newPolicy(d)
	}
	return s.policy
}

// samplePage adds a page of the site's own origin to the sample from which the policy is computed
// if the records do not contain it: those of earlier versions of this program.
func (s *Site) samplePage(loc string) {
	if s.policyRecorded {
		return
	}
	if s.sample == nil {
		s.sample = audit.NewPolicySample(&s.answers)
	}
	s.sample.AddPage(loc, nil)
}

// newPolicy returns the policy from the audit or, if the records do not contain it, from the
// sample.
func (s *Site) newPolicy(d *audit.Done) *Policy {
	policy, reach := s.Robots(0).Policy, d.Policy
	if !s.policyRecorded || reach == nil || len(reach.Reaches) != len(policy.Reads) {
		if s.sample == nil {
			s.sample = audit.NewPolicySample(&s.answers)
		}
		policy, reach = &s.sample.Policy, s.sample.Reach()
	}
	crawlers := audit.PolicyCrawlers()
	p := &Policy{signals: policy.Signals, Pages: reach.Pages, All: reach.All, Crawlers: make([]PolicyCrawler, 0, len(crawlers))}
	for i := range crawlers {
		c := &crawlers[i]
		at := slices.IndexFunc(policy.Reads, func(r audit.PolicyRead) bool { return slices.Contains(r.Crawlers, c.Name) })
		p.Crawlers = append(p.Crawlers, PolicyCrawler{c, &policy.Reads[at], reach.Reaches[at], reach.Tested(&reach.Reaches[at])})
		if !Answered(s.Robots(0)) { // records of earlier versions have the meaning of a missing response
			p.Crawlers[i].Reach = audit.Reach{Word: ReachUnknown}
		}
	}
	return p
}

// Signals are the Content-Signal and Content-Usage lines.
func (p *Policy) Signals() []audit.Signal { return p.signals }

// SeesSignal reports whether a signal applies to a crawler, by the group that it obeys.
func (c *PolicyCrawler) SeesSignal(s *audit.Signal) bool {
	for _, token := range s.Tokens {
		if c.Read.GroupReason == engine.Global {
			if strings.HasPrefix(token, "*") {
				return true
			}
			continue
		}
		if c.Read.GroupReason != engine.Exact && c.Read.GroupReason != engine.Fallback || !slices.Contains(c.Read.GroupTokens, token) {
			continue
		}
		for _, own := range c.Tokens {
			if len(token) >= len(own) && strings.EqualFold(token[:len(own)], own) {
				return true
			}
		}
	}
	return false
}

// Values of Policy.Access if no URL of the site's own origin was tested, and the rules alone do not
// show a crawler's access.
const (
	HomeAllowed = "home page allowed; no URL of this origin tested"
	HomeBlocked = "home page blocked; no URL of this origin tested"
)

// Access is the access of a crawler: one of the values of audit.Reach.Word, HomeAllowed or
// HomeBlocked.
func (p *Policy) Access(c *PolicyCrawler) string {
	switch {
	case p.Pages > 0 || c.Reach.Word != ReachPart:
		return c.Reach.Word
	case c.Reach.Home == engine.Disallow.String():
		return HomeBlocked
	}
	return HomeAllowed
}

// Summary is the policy in one line, by purpose: "training: none, search: all, user fetch: mixed";
// if no URL of the site's own origin was tested, "training: none, search: home page allowed (no URL
// of this origin tested)"; and "unknown: …" if nothing is known about any of them.
func (p *Policy) Summary() string {
	if p.summary == "" {
		p.summary = p.newSummary()
	}
	return p.summary
}

// Known reports whether the access of at least one crawler is known.
func (p *Policy) Known() bool {
	return slices.ContainsFunc(p.Crawlers, func(c PolicyCrawler) bool { return p.Access(&c) != ReachUnknown })
}

func (p *Policy) newSummary() string {
	var parts []string
	for _, purpose := range audit.PolicyPurposes {
		word := ""
		for i := range p.Crawlers {
			if p.Crawlers[i].Purpose != purpose.Purpose {
				continue
			}
			switch of, _, _ := strings.Cut(p.Access(&p.Crawlers[i]), "; "); {
			case word == "":
				word = of
			case word != of:
				word = "mixed"
			}
		}
		if word != "" {
			parts = append(parts, purpose.Short+": "+word)
		}
	}
	switch {
	case !p.Known():
		return "unknown: robots.txt could not be read"
	case p.Pages == 0:
		parts[len(parts)-1] += " (no URL of this origin tested)"
	}
	return strings.Join(parts, ", ")
}

// Named is the number of crawlers that the file names.
func (p *Policy) Named() (n int) {
	for i := range p.Crawlers {
		if p.Crawlers[i].Read.GroupReason == engine.Exact {
			n++
		}
	}
	return n
}
