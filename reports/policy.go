package reports

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// policy is what a site's own robots.txt says to the crawlers that gather for AI,
// with how many of a sample of the known pages each may fetch.
type policy struct {
	readers []policyReader // by purpose, in the order of the list
	signals []audit.Signal
	pages   int64 // of the sample
}

// policyReader is a crawler of the list.
type policyReader struct {
	*engine.Crawler
	read  *audit.PolicyRead
	reach audit.Reach
}

// samplePolicy takes a page for what is told of crawlers for AI, where the
// records do not tell it: those of earlier versions of this program.
func (b *siteBook) samplePolicy(loc string) {
	if b.policyRecorded {
		return
	}
	if b.sample == nil {
		b.sample = audit.NewPolicySample(&b.answers)
	}
	b.sample.AddPage(loc, nil)
}

// newPolicy puts together what the audit found, or what a sample of the pages
// shows where the records do not tell it.
func (b *siteBook) newPolicy(d *audit.Done) *policy {
	said, reach := b.origin(0).Policy, d.Policy
	if !b.policyRecorded || reach == nil || len(reach.Reaches) != len(said.Reads) {
		if b.sample == nil {
			b.sample = audit.NewPolicySample(&b.answers)
		}
		said, reach = &b.sample.Policy, b.sample.Reach()
	}
	p := &policy{signals: said.Signals, pages: reach.Pages}
	crawlers := audit.PolicyCrawlers()
	for i := range crawlers {
		c := &crawlers[i]
		at := slices.IndexFunc(said.Reads, func(r audit.PolicyRead) bool { return slices.Contains(r.Crawlers, c.Name) })
		p.readers = append(p.readers, policyReader{c, &said.Reads[at], reach.Reaches[at]})
	}
	return p
}

// sees reports whether a crawler that obeys a group sees a signal.
func (r *policyReader) sees(s *audit.Signal) bool {
	for _, token := range s.Tokens {
		if r.read.GroupReason == engine.Global {
			if strings.HasPrefix(token, "*") {
				return true
			}
			continue
		}
		if r.read.GroupReason != engine.Exact && r.read.GroupReason != engine.Fallback || !slices.Contains(r.read.GroupTokens, token) {
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

// summary is the policy in one line: "training none, search all, user fetch all".
func (p *policy) summary() string {
	var parts []string
	for _, purpose := range audit.PolicyPurposes {
		word := ""
		for i := range p.readers {
			if p.readers[i].Purpose != purpose.Purpose {
				continue
			}
			switch now := p.readers[i].reach.Word; {
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

// named counts the crawlers that the file names.
func (p *policy) named() (n int) {
	for i := range p.readers {
		if p.readers[i].read.GroupReason == engine.Exact {
			n++
		}
	}
	return n
}
