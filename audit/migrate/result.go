package migrate

import (
	"slices"
	"strings"

	"robots-audit/engine"
)

// Result is what came of one pair.
type Result struct {
	Line      int    `json:"line"` // of the map
	Old       string `json:"old"`
	New       string `json:"new"`              // as planned
	Clicks    int64  `json:"clicks,omitempty"` // of the old URL
	Important bool   `json:"important,omitempty"`

	Hops   []Hop  `json:"hops"`             // every URL that was come to, the old one first
	Target Target `json:"target"`           // the planned new URL
	Listed string `json:"listed,omitempty"` // whether it stands in the new site's sitemaps: "yes", "no", "unknown"; "" = there are none

	Class   string   `json:"class"` // the gravest of Remarks, ClassOK = there are none
	Remarks []Remark `json:"remarks,omitempty"`
	Passing bool     `json:"passing,omitempty"` // something failed for a reason that may pass: it is worth asking again
}

// Hop is a URL on the way, and what its own host's robots.txt says of it.
type Hop struct {
	URL      string    `json:"url"`
	Asked    string    `json:"asked,omitempty"`    // the URL of the staging host that was asked in its place; "" = itself
	Status   int       `json:"status,omitempty"`   // 0 = no answer, or not asked, see Code
	Code     string    `json:"code,omitempty"`     // see crawl's codes, and CodeKept, CodeGaveUp
	Location string    `json:"location,omitempty"` // where a redirect leads
	Verdicts []Verdict `json:"verdicts"`           // of each crawler, by the robots.txt that counts
	File     File      `json:"file"`               // that robots.txt
}

// Target is the planned new URL: one of the hops, or requested separately. Its verdicts come from the
// proposed robots.txt if there is one.
type Target struct {
	Hop
	Reached  bool      `json:"reached,omitempty"`  // the redirects led to it
	Live     []Verdict `json:"live,omitempty"`     // by its host's robots.txt as it is
	Proposed []Verdict `json:"proposed,omitempty"` // by the proposed one
	Staging  []Verdict `json:"staging,omitempty"`  // by the staging host's
}

// File is a robots.txt as far as a report names it.
type File struct {
	Name   string `json:"name"`             // its URL, or the proposed file's name
	Status int    `json:"status,omitempty"` // of its answer; 0 = there was none, see Code
	Code   string `json:"code,omitempty"`
	Why    string `json:"why,omitempty"` // what crawlers make of an answer that is no file, in words
}

// Verdict is a crawler's verdict with the rule that decided it.
type Verdict struct {
	Verdict engine.Verdict `json:"verdict"`
	Line    int            `json:"line,omitempty"` // 0 = no rule decided
	Rule    string         `json:"rule,omitempty"` // "disallow: /a"
}

// Remark is something that was met on the way.
type Remark struct {
	Class string `json:"class"`          // see Classes
	Text  string `json:"text"`           // what was met, with its figures
	URL   string `json:"url,omitempty"`  // where it was met, if not at the pair as a whole
	Rule  string `json:"rule,omitempty"` // the deciding rule
	Line  int    `json:"rule_line,omitempty"`
	File  string `json:"rule_file,omitempty"` // the robots.txt in which it stands
}

// Codes of hops that were not asked.
const (
	CodeKept    = "kept"    // robots.txt keeps this program from it
	CodeGaveUp  = "gave_up" // its host had failed too often, one time after the other
	CodeTooMany = "too_many_hosts"
)

// Main returns the remark that gives the pair its class; nil = it is as planned.
func (r *Result) Main() *Remark {
	for i := range r.Remarks {
		if r.Remarks[i].Class == r.Class {
			return &r.Remarks[i]
		}
	}
	return nil
}

// Redirects returns how many redirects were met.
func (r *Result) Redirects() (n int) {
	for i := range r.Hops {
		if r.Hops[i].redirects() {
			n++
		}
	}
	return n
}

// redirects reports whether a hop leads on.
func (h *Hop) redirects() bool { return h.Status/100 == 3 && h.Location != "" }

// originOf returns the origin of a URL that has been resolved; of any other text, all of it.
func originOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if end := strings.IndexByte(rest, '/'); end >= 0 {
		return url[:len(url)-len(rest)+end]
	}
	return url
}

// hostOf is originOf without the scheme.
func hostOf(url string) string {
	_, host, _ := strings.Cut(originOf(url), "://")
	return host
}

// isHome reports whether a URL is that of a home page.
func isHome(url string) bool {
	path := url[len(originOf(url)):]
	return path == "" || path == "/"
}

// Blocked reports whether the robots.txt that counts keeps a crawler from the URL.
func (h *Hop) Blocked() bool {
	return slices.ContainsFunc(h.Verdicts, func(v Verdict) bool { return v.Verdict == engine.Disallow })
}
