// Package gate writes the results of expectations, for people and for CI. It has lines of text or
// JSON for a terminal, JUnit XML for a build server, SARIF and Code Quality for code review, and a
// Markdown comment.
//
// Each format is a [Printer]. It takes one [expect.Suite] per site as soon as that site is judged,
// and then the end. An output file is written completely or not at all ([Files]).
package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/expect"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Printer writes results in one form.
type Printer interface {
	Suite(*expect.Suite) error
	End(*Summary) error
}

// Summary counts the results of all sites.
type Summary struct {
	expect.Totals
	Expectations int64    // lines of the file
	Unread       []string // sites that could not be judged, with the reason
	Others       expect.Others

	// The changes of a proposed robots.txt.
	Flips      []*Flips          // nil = nothing was compared
	Files      map[string]string // the proposed robots.txt, by host
	FailOn     string            // conditions that make them fail; "" = none
	FlipsFail  []string          // conditions that a site fails, in a sentence each
	Uncompared []string          // what could not be judged by the conditions, with the reason
}

// Fails reports whether the gate is closed.
func (s *Summary) Fails() bool { return s.Failing() > 0 || s.FlipsFail != nil }

// Unjudged reports whether something could not be judged.
func (s *Summary) Unjudged() bool {
	return s.Unclear > 0 || s.Unread != nil || s.Uncompared != nil || s.Expectations > 0 && s.Results == 0
}

// maxHosts limits the hosts that NotJudged names.
const maxHosts = 3

// NotJudged says in a sentence what was not judged because it is about other hosts; "" = nothing.
func (s *Summary) NotJudged() string {
	o := s.Others
	var parts []string
	if o.Sites > 0 {
		parts = append(parts, wording.Plural(o.Sites, "site"))
	}
	if o.Expectations > 0 {
		hosts := slices.Clone(o.Hosts[:min(len(o.Hosts), maxHosts)])
		if more := len(o.Hosts) - len(hosts); more > 0 {
			hosts = append(hosts, wording.Thousands(more)+" more")
		}
		parts = append(parts, wording.Plural(o.Expectations, "expectation")+" for "+wording.And(hosts))
	}
	if parts == nil || s.Expectations == 0 { // changes are only of the hosts that -robots names
		return ""
	}
	return "not judged: " + wording.And(parts)
}

// Headline is the result in one sentence.
func (s *Summary) Headline() string {
	head := "no expectations"
	if s.Expectations > 0 {
		head = s.counted()
	}
	if s.Flips != nil {
		head = flipsHeadline(s.Flips) + "; " + head
	}
	if n := len(s.Unread); n > 0 {
		head += ", " + wording.Plural(n, "site") + " not read"
	}
	return head
}

// counted says how many expectations are met, failed or unclear.
func (s *Summary) counted() string {
	lines := s.Expectations - int64(s.Others.Expectations)
	head := wording.Plural(lines, "expectation")
	if s.Results == 0 {
		return "no expectation could be checked"
	}
	if s.Results != lines {
		head += ", checked " + wording.Plural(s.Results, "time") + " on " + wording.Plural(s.Sites, "site")
	}
	head += ": " + wording.Thousands(s.Met) + " met"
	if n := s.Failing(); n > 0 {
		head += ", " + wording.Thousands(n) + " failed"
		var of []string
		if s.Vacuous > 0 {
			of = append(of, wording.Thousands(s.Vacuous)+wording.Verb(s.Vacuous, " matches", " match")+" no URL found")
		}
		if s.NoSite > 0 {
			of = append(of, wording.Thousands(s.NoSite)+" for another site")
		}
		if of != nil {
			head += " (" + strings.Join(of, ", ") + ")"
		}
	}
	if s.Unclear > 0 {
		head += ", " + wording.Thousands(s.Unclear) + " could not be judged"
	}
	return head
}

// Limits of texts of a site that are repeated: a rule, and a URL.
const (
	longestRule = 200
	longestURL  = 500
)

// Word returns the first word of a line about a result: "FAIL", "UNCLEAR" or "ok".
func Word(o expect.Outcome) string {
	switch {
	case o.Fails():
		return "FAIL"
	case o == expect.Unclear:
		return "UNCLEAR"
	}
	return "ok"
}

// What says in a sentence what was expected and what was found. Nothing in it is escaped.
func What(r *expect.Result) string {
	expected := "expected " + r.Want.String()
	if r.Why != "" && (r.Outcome == expect.Vacuous || r.Outcome == expect.NoSite) {
		return expected + ", " + r.Why
	}
	switch {
	case len(r.Samples) == 0 && r.Outcome == expect.Unclear:
		return expected + ", could not be judged: " + r.Why
	case len(r.Samples) == 0:
		return expected + " of " + wording.URLs(r.Matched)
	case !r.Pattern() && r.Outcome == expect.Unclear:
		s := &r.Samples[0]
		if r.Want == expect.Same && s.Got.Verdict != engine.Unknown {
			return expected + ", could not be judged: it was " + got(&s.Was)
		}
		return expected + ", could not be judged: " + got(&s.Got)
	case !r.Pattern():
		return expected + was(r, &r.Samples[0]) + ", got " + got(&r.Samples[0].Got)
	}
	n, what := r.Failing, " have a different verdict: "
	if n == 1 {
		what = " has a different verdict: "
	}
	if r.Outcome == expect.Unclear {
		n, what = r.Unclear, " could not be judged: "
	}
	text := expected + ", but " + wording.Thousands(n) + " of " + wording.URLs(r.Matched) + what
	for i := range r.Samples {
		s := &r.Samples[i]
		if i > 0 {
			text += "; "
		}
		text += escape.Cut(s.URL, longestURL) + was(r, s) + " got " + got(&s.Got)
	}
	if more := n - int64(len(r.Samples)); more > 0 {
		text += "; and " + wording.Thousands(more) + " more"
	}
	return text
}

// was says what the verdict was before, if the expectation compares with it.
func was(r *expect.Result, s *expect.Sample) string {
	if r.Want != expect.Same {
		return ""
	}
	return " (" + s.Was.Verdict.String() + ")"
}

// got says the verdict and its reason.
func got(g *audit.Verdict) string {
	if g.Rule.Line == 0 {
		return g.Verdict.String() + ": " + cmp.Or(g.Why, "no rule matches")
	}
	return verdictBy(g.Verdict, g.Rule)
}

// Rule writes a rule in the usual form of files: "Disallow: /a".
func Rule(r engine.Rule) string {
	field := "Disallow: "
	if r.Allow {
		field = "Allow: "
	}
	return field + escape.Cut(r.Value, longestRule)
}

// named is the URL of a result as the file has it, with the site if there are several.
func named(r *expect.Result, several bool) string {
	url := escape.Cut(r.URL, longestURL)
	if several && r.Origin() == "" {
		return url + " of " + escape.Cut(r.Site, longestRule)
	}
	return url
}

// place is the expectation's line in its file, "expect.csv:14".
func place(r *expect.Result) string { return fmt.Sprintf("%s:%d", r.File, r.Line) }

// verdictBy is a verdict with the rule that decided, if there is one.
func verdictBy(v engine.Verdict, r engine.Rule) string {
	return v.String() + lineOf(r)
}

// lineOf names a deciding rule: ` by line 3 "Disallow: /a"`; "" = there is none.
func lineOf(r engine.Rule) string {
	if r.Line == 0 {
		return ""
	}
	return fmt.Sprintf(" by line %d \"%s\"", r.Line, Rule(r))
}
