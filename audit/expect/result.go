package expect

import (
	"robots-audit/audit"
	"robots-audit/engine"
)

// Outcome is the result of an expectation.
type Outcome uint8

const (
	Met     Outcome = iota
	Failed          // a verdict differs from the expected one
	Vacuous         // no known URL matches the pattern
	NoSite          // none of the judged sites has its origin
	Unclear         // it could not be judged: a verdict is undefined or unknown, or the records of the site are incomplete
)

var outcomeNames = [...]string{"met", "failed", "vacuous", "no_site", "unclear"}

// String returns "met", "failed", "vacuous", "no_site" or "unclear".
func (o Outcome) String() string { return outcomeNames[o] }

// MarshalText writes the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Fails reports whether the outcome closes the gate.
func (o Outcome) Fails() bool { return o == Failed || o == Vacuous || o == NoSite }

// Sample is the verdict on one URL.
type Sample struct {
	URL    string // as a crawler requests it; a path if its site is not known
	Got    audit.Verdict
	Was    audit.Verdict // on the other side; zero if the expectation does not compare
	Robots string        // the deciding robots.txt: its address, or the name of the proposed file; "" = none
	Local  bool          // Robots is the name of a file
}

// Result is the result of an expectation at one site.
type Result struct {
	*Expectation
	Site    string // Suite.Name
	Outcome Outcome
	Why     string // the reason for Vacuous, NoSite and Unclear, if Samples do not show it; else ""

	// Numbers of known URLs that match a pattern, of those with another verdict, and of those whose
	// verdict cannot be compared. For a single URL: 1, and 0 or 1.
	Matched, Failing, Unclear int64

	// Samples has the verdict on the URL; for a pattern, the first few that fail, or else are
	// unclear.
	Samples []Sample
}

// maxSamples bounds the samples of a result.
const maxSamples = 3

// Suite has the results at one site, in the order of the file.
type Suite struct {
	Name    string // the site's name in reports; or an origin that is the own one of no site in the input
	Known   int64  // known URLs
	Cut     string // why the records of the site are incomplete, in words; "" = they are complete
	Results []Result
}

// Totals counts results.
type Totals struct {
	Sites                                          int // suites
	Results, Met, Failed, Vacuous, NoSite, Unclear int64
}

// Add counts the results of a suite.
func (t *Totals) Add(s *Suite) {
	t.Sites++
	for i := range s.Results {
		t.Results++
		switch s.Results[i].Outcome {
		case Met:
			t.Met++
		case Failed:
			t.Failed++
		case Vacuous:
			t.Vacuous++
		case NoSite:
			t.NoSite++
		case Unclear:
			t.Unclear++
		}
	}
}

// Failing returns the number of results that close the gate.
func (t *Totals) Failing() int64 { return t.Failed + t.Vacuous + t.NoSite }

// compare returns the outcome for one URL.
func (e *Expectation) compare(s *Sample) Outcome {
	if e.Want == Same {
		switch {
		case s.Got.Verdict == engine.Unknown || s.Was.Verdict == engine.Unknown:
			return Unclear
		case s.Got.Verdict == s.Was.Verdict:
			return Met
		}
		return Failed
	}
	want := engine.Allow
	if e.Want == Disallow {
		want = engine.Disallow
	}
	switch s.Got.Verdict {
	case want:
		return Met
	case engine.Allow, engine.Disallow:
		return Failed
	}
	return Unclear
}
