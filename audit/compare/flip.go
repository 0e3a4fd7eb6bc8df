package compare

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Class is what became of the verdict on a URL for one crawler.
type Class uint8

// The classes of a verdict that differs. Unclear is a verdict that is neither allow nor
// disallow: undefined or unknown.
const (
	Same         Class = iota
	NewlyBlocked       // was allowed, is blocked from crawling
	NewlyAllowed       // was blocked, is allowed
	NowUnclear         // undefined or unknown, and was not, or was the other of the two
	ClearAgain         // was unclear, is allowed or blocked
)

// classNames are the keys by which files name the classes.
var classNames = [...]string{"same", "newly_blocked", "newly_allowed", "now_unclear", "clear_again"}

// String returns the class's key: "newly_blocked".
func (c Class) String() string { return classNames[c] }

// MarshalText writes the class's key.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Words returns the class in words: "newly blocked".
func (c Class) Words() string {
	if c == Same {
		return "as before"
	}
	return strings.ReplaceAll(c.String(), "_", " ")
}

// ClassOf says what became of a verdict. A verdict that was unclear is never counted as one
// that allowed: whether the URL is newly blocked is not known.
func ClassOf(was, is engine.Verdict) Class {
	switch {
	case was == is:
		return Same
	case !isClear(is):
		return NowUnclear
	case !isClear(was):
		return ClearAgain
	case is == engine.Disallow:
		return NewlyBlocked
	}
	return NewlyAllowed
}

// becomesBlocked reports whether a verdict comes to be disallow. Other than NewlyBlocked this
// includes verdicts that were unclear: an outage between two runs must not hide an alert.
func becomesBlocked(was, is engine.Verdict) bool {
	return was != engine.Disallow && is == engine.Disallow
}

func isClear(v engine.Verdict) bool { return v == engine.Allow || v == engine.Disallow }

// Cause is what made a verdict differ; see the package comment.
type Cause uint8

// The causes, in the order in which they are looked for.
const (
	NoCause Cause = iota // the verdict is the same
	Reader
	Scope
	Access
	Group
	Rule
)

// causeNames are the keys by which files name the causes.
var causeNames = [...]string{"", "reader", "scope", "access", "group", "rule"}

// String returns the cause's key: "rule".
func (c Cause) String() string { return causeNames[c] }

// MarshalText writes the cause's key.
func (c Cause) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Causes are all causes, in their order.
func Causes() []Cause { return []Cause{Reader, Scope, Access, Group, Rule} }

// Flip is a URL whose verdict for at least one crawler differs, or one that has
// appeared and is blocked. It holds until the next one is asked for.
type Flip struct {
	Loc      string       // as the new side has it
	Origin   int          // index into Site.Origins
	Kind     audit.Kind   // of the new side; pages are what is counted, see audit.IsPage
	Listed   bool         // a sitemap of the new side names it
	Weight   audit.Weight // of the side that knows the clicks; of both, the new one's
	Appeared bool         // the new side alone knows it, and it is blocked for a crawler: no flip
	Verdicts []Verdicts   // one for each of Site.Crawlers
}

// Verdicts are the verdicts on one URL for one crawler.
type Verdicts struct {
	Was, Is  engine.Verdict // Was is 0, unknown, where the URL has appeared
	Old, New engine.Rule    // that decided; Line 0 = no rule did
	Class    Class
	Cause    Cause
	Lines    []int // indices into Origin.Diff of the changed lines, each of which brings the old verdict back if it is put back; nil where the cause is none of the lines', or where that is not known
	Together bool  // none of Lines does so alone: it takes all of them
}

// Alike reports whether another crawler has the same verdicts by the same rules, for the same cause.
func (v *Verdicts) Alike(w *Verdicts) bool {
	return v.Class == w.Class && v.Cause == w.Cause && v.Was == w.Was && v.Is == w.Is && v.Old == w.Old && v.New == w.New
}

// Clicks is what a URL counts: its clicks where the user's own list gives them, else 1.
func Clicks(w audit.Weight) int64 {
	if w.HasClicks() {
		return w.Clicks
	}
	return 1
}
