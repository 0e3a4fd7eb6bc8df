package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Outcome is what a profile makes of an HTTP status.
type Outcome uint8

const (
	Successful  Outcome = iota // the body is read
	Unavailable                // no restrictions
	Closed                     // everything is blocked
	Unreachable                // Profile.WhileUnreachable decides, by the hours since it began
)

// StatusRow says what the statuses From to To mean. Status 0 means no HTTP
// answer: a DNS error, a network error, or bytes that are not HTTP.
type StatusRow struct {
	From, To int
	Do       Outcome
	Why      string
}

// Errors of a File that several functions use; crawl has the whole list.
const (
	errorTooManyRedirects = "too_many_redirects"
	errorRedirectLoop     = "redirect_loop"
	errorBodyTooLarge     = "body_too_large"
)

// errorMeanings are the errors that do not mean "unreachable". Any other error
// without a usable status counts as a server or network error, as the profiles'
// pages define it.
var errorMeanings = map[string]struct {
	status int  // the status that it counts as
	ours   bool // our fault: the file was never requested, and no crawler would meet this error
	whole  bool // the body can be used as far as it goes
}{
	errorTooManyRedirects: {status: 310},
	errorRedirectLoop:     {status: 310},
	"bad_redirect":        {status: 310},
	errorBodyTooLarge:     {whole: true},
	"http_status":         {whole: true},
	"blocked_address":     {ours: true},
	"bad_url":             {ours: true},
	"cancelled":           {ours: true},
	"internal":            {ours: true},
}

// Read turns the result of a fetch into a Robots, which gives verdicts. It
// cannot fail: where the profile does not define a result, the access result is
// AccessUnknown and verdicts are Unknown.
//
// The Robots refers to the bytes of f.Body or f.Cached, so that many profiles
// share one copy. The caller must not change them afterwards.
func (p *Profile) Read(f File) *Robots {
	r := p.access(f)
	if r.Access == Parsed {
		r.parse()
	}
	return r
}

// access is Read without reading the lines.
func (p *Profile) access(f File) *Robots {
	meaning := errorMeanings[f.Error]
	if meaning.ours {
		return p.withAccess(AccessUnknown, "not asked for: "+f.trouble())
	}
	f.Status = max(f.Status, 0) // an impossible status counts as no answer
	status := f.statusClass()
	what := "no answer"
	if f.Status != 0 {
		what = fmt.Sprintf("HTTP %d", f.Status)
	}
	if f.Error != "" && !meaning.whole {
		what = f.trouble()
	}
	if why, closed := p.redirected(f); closed {
		return p.withAccess(AllowAll, why)
	}
	row := p.status(status)
	if f.Missing5xx && p.Missing5xx && status >= 500 && status <= 599 {
		row = StatusRow{Do: Unavailable, Why: "the site answers 5xx for missing pages, so this counts as 404: no restrictions"}
	}
	switch row.Do {
	case Unavailable:
		return p.withAccess(AllowAll, what+": "+row.Why)
	case Closed:
		return p.withAccess(DisallowAll, what+": "+row.Why)
	case Unreachable:
		return p.unreachable(f, what)
	}
	return p.body(f, what)
}

// trouble returns Error in words.
func (f *File) trouble() string {
	if f.Trouble != "" {
		return f.Trouble
	}
	return strings.ReplaceAll(f.Error, "_", " ")
}

// statusClass returns the status that decides what the answer means: the one
// that stands for the error, if any, and 0 if there is no usable status. An
// invalid final status counts as a server error (RFC 9110 15).
func (f *File) statusClass() int {
	meaning := errorMeanings[f.Error]
	status := max(f.Status, 0)
	if status > 599 || status > 0 && status < 200 {
		status = 500
	}
	if meaning.status != 0 {
		return meaning.status
	}
	if f.Error != "" && !meaning.whole && status < 300 {
		return 0
	}
	return status
}

// status finds the row of a status.
func (p *Profile) status(status int) StatusRow {
	rows := p.Statuses
	if rows == nil {
		rows = rfc9309Statuses
	}
	for _, row := range rows {
		if status >= row.From && status <= row.To {
			return row
		}
	}
	return StatusRow{Do: Unreachable}
}

// redirected reports whether the redirects before the answer keep the profile
// from using it. The site is then open.
func (p *Profile) redirected(f File) (why string, open bool) {
	hops := p.MaxHops
	if hops == 0 {
		hops = 5
	}
	switch {
	case hops == -1 && f.Hops > 0:
		return "redirected: the first answer was not 200, so the site is open", true
	case hops > 0 && f.Hops > hops:
		return fmt.Sprintf("%d redirects, but at most %d are followed: counts as 404, no restrictions", f.Hops, hops), true
	case f.HopBlocked && p.BlockedHopOpen:
		return "a URL of the redirect chain is blocked: counts as 404, no restrictions", true
	}
	return "", false
}

// source says what an access result is based on.
type source uint8

const (
	fromAnswer source = iota // status, error and redirects alone: no bytes were read
	fromBody                 // the body of the answer
	fromCopy                 // the last good copy
)

// body reads the body of an answer that counts, up to the profile's limit.
func (p *Profile) body(f File, what string) *Robots {
	r := p.bytes(f, what)
	r.source = fromBody
	return r
}

// bytes is body, but does not set the source.
func (p *Profile) bytes(f File, what string) *Robots {
	limit := p.ByteLimit()
	over := limit >= 0 && len(f.Body) > limit || f.Truncated || f.Error == errorBodyTooLarge
	if over && p.OverLimit != AccessUnknown {
		return p.withAccess(p.OverLimit, fmt.Sprintf("%s: longer than %d bytes, so the whole file is ignored", what, limit))
	}
	if p.TextOnly && !isText(f.ContentType, f.Body) {
		return p.withAccess(AllowAll, what+": not a text file, so it is ignored")
	}
	if limit < 0 || limit > len(f.Body) {
		limit = len(f.Body)
	}
	r := p.withAccess(Parsed, what+": the rules apply")
	r.body, r.truncated = stringView(f.Body), f.Truncated
	r.text, r.Unread = r.body[:limit], len(f.Body)-limit
	if over {
		r.Why = fmt.Sprintf("%s: the rules of the first %d bytes apply, the rest is ignored", what, limit)
	}
	return r
}

// ByteLimit is the number of bytes of a body that are read, -1 for all of them.
// OverLimit says what a longer body means.
func (p *Profile) ByteLimit() int {
	if p.Limit == 0 {
		return 500 << 10
	}
	return p.Limit
}

// withAccess makes a Robots with an access result and no rules: all URLs get the
// same verdict.
func (p *Profile) withAccess(access Access, why string) *Robots {
	return &Robots{Profile: p, Access: access, Why: why}
}

// Parse reads the body of a 200 answer. It cannot fail: robots.txt has no syntax
// errors, only lines that count and lines that do not. As with Read, body must
// not change afterwards.
func (p *Profile) Parse(body []byte) *Robots {
	return p.Read(File{Status: 200, Body: body, SiteAvailable: true})
}

// File is the result of a request for a robots.txt, as data. The zero File
// means no answer for an unknown reason.
type File struct {
	Status      int    // final HTTP status; 0 if there was none
	Error       string // stable code of the error that kept the file from being read whole ("timeout", "dns_not_found"); "" = none
	Trouble     string // Error in words, as part of a sentence; "" = the code with spaces
	Hops        int    // redirects followed before the final answer
	HopBlocked  bool   // a URL of the redirect chain is itself disallowed
	CrossHost   bool   // the chain ended on another host
	ContentType string // Content-Type as sent; "" = not known
	Body        []byte // the body as received, decompressed; results refer to it
	Truncated   bool   // Body was cut at the fetcher's limit
	Missing5xx  bool   // the site is known to answer 5xx for pages that do not exist

	// Input of Profile.WhileUnreachable. Age is an argument: the engine has no clock.
	UnreachableHours float64 // hours since the file was first found unreachable
	SiteAvailable    bool    // the rest of the site answers
	Cached           []byte  // the last good copy, as Body; nil = none
}

// Access is what the result of a fetch means to a profile before any rule is
// read.
type Access uint8

const (
	AccessUnknown Access = iota // the profile does not define this result
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

// UnmarshalText reads an access result's name. Any other text becomes
// AccessUnknown: a later version of this program may have written it.
func (a *Access) UnmarshalText(text []byte) error {
	*a = AccessUnknown
	if i := slices.Index(accessNames[:], string(text)); i >= 0 {
		*a = Access(i)
	}
	return nil
}
