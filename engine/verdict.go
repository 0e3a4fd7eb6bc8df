package engine

import "fmt"

// Verdict says whether a crawler may fetch a URL. The zero value is Unknown, so
// that a missing verdict is never read as permission.
type Verdict uint8

const (
	Unknown   Verdict = iota // the file could not be fetched and the profile does not say what follows
	Allow                    // the URL may be fetched
	Disallow                 // the URL is blocked from crawling
	Undefined                // the standard itself says that the outcome is undefined (Google's page of 2019)
)

var verdictNames = [...]string{Unknown: "unknown", Allow: "allow", Disallow: "disallow", Undefined: "undefined"}

// String returns "allow", "disallow", "undefined" or "unknown".
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return "unknown"
}

// Word is the verdict in a sentence: "blocked", "allowed", "undefined" or "unknown".
func (v Verdict) Word() string {
	switch v {
	case Allow:
		return "allowed"
	case Disallow:
		return "blocked"
	}
	return v.String()
}

// MarshalText writes the verdict's name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a verdict's name; any other text is an error.
func (v *Verdict) UnmarshalText(text []byte) error {
	for i, name := range verdictNames {
		if name == string(text) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("engine: %q is not a verdict", text)
}

// Decision is a verdict with its deciding rule.
type Decision struct {
	Verdict Verdict
	Rule    *Rule // nil: no rule decided (no rule matched, or the access result did)
}

// Line returns the 1-based line of the deciding rule, 0 if no rule decided.
func (d Decision) Line() int {
	if d.Rule == nil {
		return 0
	}
	return d.Rule.Line
}

// Rule is one allow or disallow line that belongs to a group.
type Rule struct {
	Allow bool   // an allow line; else a disallow line
	Value string // the path pattern as written, comment and surrounding white space removed
	Line  int    // 1-based line of the file
}

// String returns the rule as reports show it: the field in lower case, a
// colon, a space and the value as written, such as "disallow: /a".
func (r Rule) String() string {
	if r.Allow {
		return "allow: " + r.Value
	}
	return "disallow: " + r.Value
}
