package compare

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Class is how the verdict on a URL changed for one crawler.
type Class uint8

// The classes of a changed verdict. Unclear means neither allow nor disallow: undefined or unknown.
const (
	Same         Class = iota
	NewlyBlocked       // was allowed, is blocked from crawling
	NewlyAllowed       // was blocked, is allowed
	NowUnclear         // is undefined or unknown; was clear, or the other of the two
	ClearAgain         // was unclear, is allowed or blocked
)

// classNames are the keys of the classes in files.
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

// ClassOf classifies a change of verdict. An unclear verdict never counts as an allowed one,
// because it is unknown whether the URL is newly blocked.
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

// becomesBlocked reports whether a verdict changed to disallow. Unlike NewlyBlocked, this includes
// verdicts that were unclear: an outage between two runs must not hide an alert.
func becomesBlocked(was, is engine.Verdict) bool {
	return was != engine.Disallow && is == engine.Disallow
}

func isClear(v engine.Verdict) bool { return v == engine.Allow || v == engine.Disallow }

// Cause is the reason for a changed verdict; see the package comment.
type Cause uint8

// The causes, in the order of checking.
const (
	NoCause Cause = iota // the verdict is the same
	Reader
	Scope
	Access
	Group
	Rule
)

// causeNames are the keys of the causes in files.
var causeNames = [...]string{"", "reader", "scope", "access", "group", "rule"}

// String returns the cause's key: "rule".
func (c Cause) String() string { return causeNames[c] }

// MarshalText writes the cause's key.
func (c Cause) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Causes returns all causes, in their order.
func Causes() []Cause { return []Cause{Reader, Scope, Access, Group, Rule} }

// Flip is a URL whose verdict for at least one crawler differs, or one that appeared and is
// blocked. It is valid until the next one is requested.
type Flip struct {
	Loc      string       // as on the new side
	Origin   int          // index into Site.Origins
	Kind     audit.Kind   // of the new side; only pages are counted, see audit.IsPage
	Listed   bool         // a sitemap of the new side names it
	Weight   audit.Weight // of the side that has clicks; if both do, of the new side
	Hits     []int64      // requests of each of Site.Crawlers in the access logs of Site.Hits; nil = none
	Appeared bool         // only the new side knows it, and it is blocked for a crawler: not a flip
	Verdicts []Verdicts   // one for each of Site.Crawlers
}

// Verdicts are the verdicts on one URL for one crawler.
type Verdicts struct {
	Was, Is  engine.Verdict // Was is 0, unknown, if the URL appeared
	Old, New engine.Rule    // the deciding rule; Line 0 = none
	Class    Class
	Cause    Cause
	Lines    []int // indices into Origin.Diff of the changed lines that each bring back the old verdict if undone; nil = the cause is no line, or is unknown
	Together bool  // no single line of Lines does so; all must be undone
}

// Alike reports whether another crawler has the same verdicts by the same rules, for the same
// cause.
func (v *Verdicts) Alike(w *Verdicts) bool {
	return v.Class == w.Class && v.Cause == w.Cause && v.Was == w.Was && v.Is == w.Is && v.Old == w.Old && v.New == w.New
}

// Clicks is the weight of a URL: its clicks if the user's own list has them, else 1.
func Clicks(w audit.Weight) int64 {
	if w.HasClicks() {
		return w.Clicks
	}
	return 1
}
