package audit

import (
	"cmp"

	"robots-audit/engine"
)

// Reader is a crawler with an origin's robots.txt as its profile reads it.
type Reader struct {
	Crawler engine.Crawler
	Robots  *engine.Robots
	Group   *engine.Group // the group that the crawler obeys
}

// Verdict is a verdict with its reason.
type Verdict struct {
	Verdict engine.Verdict
	Rule    engine.Rule // the deciding rule; Line 0 = none
	Why     string      // if no rule decided: "no rule matches", "HTTP 503: full disallow …"
}

// Reader returns an origin's robots.txt as a crawler with a profile reads it.
func (a *Answers) Reader(origin int, p *engine.Profile, c engine.Crawler) Reader {
	r := a.Read(origin, p, c)
	return Reader{c, r, r.Group(c)}
}

// Verdict judges a URL.
func (r *Reader) Verdict(url string) Verdict { return r.Explain(r.Group.Verdict(url)) }

// Explain adds the reason to a decision of the reader's group.
func (r *Reader) Explain(d engine.Decision) Verdict {
	if d.Rule != nil {
		return Verdict{Verdict: d.Verdict, Rule: *d.Rule}
	}
	return Verdict{Verdict: d.Verdict, Why: cmp.Or(r.Why(), "no rule matches")}
}

// Why says why the answer as a whole decides: "HTTP 503: full disallow"; "" if the rules decide.
func (r *Reader) Why() string {
	if r.Robots.Access == engine.Parsed {
		return ""
	}
	return ReadWhy(r.Robots.Why)
}
