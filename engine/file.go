package engine

import "slices"

// File is the outcome of asking for a robots.txt: what a crawler was answered,
// as data. The zero File is an answer that never came with no reason known.
type File struct {
	Status      int    // final HTTP status; 0 where there was none
	Error       string // stable code of the trouble that kept the file from being read whole ("timeout", "dns_not_found"); "" = none
	Trouble     string // Error in words, as part of a sentence; "" = the code with spaces
	Hops        int    // redirects followed before the final answer
	HopBlocked  bool   // a URL of the redirect chain is itself disallowed
	CrossHost   bool   // the chain ended on another host
	ContentType string // Content-Type as sent; "" = not known
	Body        []byte // the body as received, decompressed; what is read of it refers to it
	Truncated   bool   // Body was cut at the fetcher's limit
	Missing5xx  bool   // the site is known to answer 5xx for pages that do not exist

	// What Profile.WhileUnreachable goes by. Age is an argument: the engine has no clock.
	UnreachableHours float64 // hours since the file was first found unreachable
	SiteAvailable    bool    // the rest of the site answers
	Cached           []byte  // the last good copy, as Body; nil = none
}

// Access is what an outcome means to a profile before any rule is read.
type Access uint8

const (
	AccessUnknown Access = iota // the profile says nothing about such an outcome
	Parsed                      // the rules of the body (or of the cached copy) apply
	AllowAll                    // no restrictions
	DisallowAll                 // everything is blocked for the time being
)

var accessNames = [...]string{AccessUnknown: "unknown", Parsed: "parsed", AllowAll: "allow_all", DisallowAll: "disallow_all"}

// String returns "parsed", "allow_all", "disallow_all" or "unknown".
func (a Access) String() string {
	if int(a) < len(accessNames) {
		return accessNames[a]
	}
	return "unknown"
}

// MarshalText writes the access result's name.
func (a Access) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads an access result's name. Any other text is one that a
// later version of this program has, and AccessUnknown to this one.
func (a *Access) UnmarshalText(text []byte) error {
	*a = AccessUnknown
	if i := slices.Index(accessNames[:], string(text)); i >= 0 {
		*a = Access(i)
	}
	return nil
}
