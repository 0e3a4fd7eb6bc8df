package expect

import (
	"robots-audit/audit"
	"robots-audit/engine"
)

// Outcome is what became of an expectation.
type Outcome uint8

const (
	Met     Outcome = iota
	Failed          // a verdict is another than the one expected
	Vacuous         // no known URL matches the pattern
	NoSite          // none of the sites judged is of its origin
	Unclear         // it could not be judged: a verdict is undefined or unknown, or what is known of the site is cut short
)

var outcomeNames = [...]string{"met", "failed", "vacuous", "no_site", "unclear"}

// String returns "met", "failed", "vacuous", "no_site" or "unclear".
func (o Outcome) String() string { return outcomeNames[o] }

// MarshalText writes the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Fails reports whether the gate is closed by it.
func (o Outcome) Fails() bool { return o == Failed || o == Vacuous || o == NoSite }

// Sample is the verdict on one URL.
type Sample struct {
	URL    string // as a crawler asks for it; a path where its site is not known
	Got    audit.Verdict
	Was    audit.Verdict // on the other side; the zero Verdict where the expectation does not compare
	Robots string        // the robots.txt that decided: its address, or the name of the file proposed; "" = none
	Local  bool          // Robots is the name of a file
}

// Result is what became of an expectation at one site.
type Result struct {
	*Expectation
	Site    string // Suite.Name
	Outcome Outcome
	Why     string // of Vacuous, NoSite and Unclear, in words, where Samples do not say it; "" = they do

	// Known URLs that a pattern matches, and of them those with another verdict, and
	// those whose verdict cannot be compared. Of a single URL: 1, and 0 or 1.
	Matched, Failing, Unclear int64

	// Samples is the verdict on the URL; of a pattern the first few that are failing,
	// or else unclear.
	Samples []Sample
}

// maxSamples bounds the samples of a result.
const maxSamples = 3

// Suite is the results at one site, in the order of the file.
type Suite struct {
	Name    string // of the site as reports name it; an origin where no site of the input is its own
	Known   int64  // known URLs
	Cut     string // why what is known of the site is not all of it, in words; "" = it is
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

// Failing is the number of results by which the gate is closed.
func (t *Totals) Failing() int64 { return t.Failed + t.Vacuous + t.NoSite }

// compare says what became of what is expected of one URL.
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
