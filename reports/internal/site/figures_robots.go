package site

import (
	"fmt"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

func (s *Site) originFigure(d *audit.Done) Figure {
	return Figure{Value: Text(d.Origin), Why: "A robots.txt is valid for one scheme, host and port. For other origins, see Requests for robots.txt."}
}

func (s *Site) statusFigure(*audit.Done) Figure {
	own := s.Robots(0)
	first := Read(own, 0)
	f := Figure{State: AccessState(first.Access), Why: "For " + s.firstLabel() + ": " + AccessWords(own, 0)}
	if own.File.Given {
		f.Value, f.Why = Text("not asked"), f.Why+", as if served ("+checksum(own)+")"
	} else if own.File.Status != 0 {
		f.Value = Number(int64(own.File.Status))
	} else if !Answered(own) {
		f.State, f.Why = audit.Undetermined, "no answer. "+f.Why
	}
	return f
}

// accessWords formats the policy as part of a sentence: "access for training: none, search: all".
func (p *Policy) accessWords() string {
	if p.Known() {
		return "access for " + p.Summary()
	}
	return "access: " + p.Summary()
}

// policyFigure is the AI policy in one line.
func (s *Site) policyFigure(d *audit.Done) Figure {
	policy := s.Policy(d)
	if !slices.ContainsFunc(policy.Crawlers, func(c PolicyCrawler) bool { return FileKnown(c.Read.Access) }) {
		return Figure{State: audit.Undetermined, Why: "not measured: robots.txt could not be fetched; " + policy.accessWords()}
	}
	named := policy.Named()
	f := Figure{Value: Number(int64(named)), Share: Share(int64(named), int64(len(policy.Crawlers)))}
	f.Why = policy.accessWords()
	return f
}

// findingsFigure counts the findings by their severity.
func (s *Site) findingsFigure(d *audit.Done) Figure {
	const what = "issues in robots.txt, with a fix"
	switch {
	case d.Findings == nil:
		return Figure{Why: "not counted in this audit"}
	case d.Findings.Total() == 0 && !s.Looked():
		return Figure{State: audit.Undetermined, Why: noAnswer}
	}
	f := Figure{Value: Number(d.Findings.Total()), State: SeverityState(*d.Findings), Why: DescribeSeverities(*d.Findings) + ": " + what}
	if d.Findings.Total() == 0 {
		f.Why = "robots.txt has no issues"
	}
	if !Answered(s.Robots(0)) { // crawlers may be able to read it
		f.State, f.Why = audit.Undetermined, DescribeSeverities(*d.Findings)+", if crawlers cannot read robots.txt either"
	}
	return f
}

// idleFigure counts the rules that decide no URL.
func (s *Site) idleFigure(d *audit.Done) Figure {
	of := s.RuleTotals()
	switch {
	case of.Lines == 0 && !HasRules(s.Robots(0)):
		return Figure{Why: "no rules were read: " + AccessWords(s.Robots(0), 0)}
	case of.Lines == 0:
		return Figure{Why: "robots.txt has no rules"}
	case of.Tested == 0:
		return Figure{Why: "not measured: " + of.untested()}
	}
	f := Figure{Value: Number(int64(of.Idle)), Share: Share(int64(of.Idle), int64(of.Tested))}
	f.Why = fmt.Sprintf("of %s; these match no URL, or a stronger rule always wins", wording.Plural(of.Tested, "rule line"))
	if of.Idle == 0 {
		f.Why = fmt.Sprintf("of %s for the crawlers tested", wording.Plural(of.Tested, "rule line"))
	}
	if of.Tested < of.Lines {
		f.Why += "; " + of.untested()
	}
	if bound := d.Bound(); bound != "" {
		f.Value, f.Why = AtMost(int64(of.Idle)), bound+", so further URLs may need more of them; "+f.Why
	}
	return f
}

// firstLabel is the label of the first crawler.
func (s *Site) firstLabel() string {
	if len(s.Crawlers) == 0 {
		return "no crawler"
	}
	return s.Crawlers[0].Label
}
