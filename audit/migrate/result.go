package migrate

import (
	"slices"
	"strings"

	"robots-audit/engine"
)

// Result is the result for one pair.
type Result struct {
	Line      int    `json:"line"` // of the map
	Old       string `json:"old"`
	New       string `json:"new"`              // as planned
	Clicks    int64  `json:"clicks,omitempty"` // of the old URL
	Hits      int64  `json:"hits,omitempty"`   // requests of a search crawler for it, see Migrator.Hits
	Important bool   `json:"important,omitempty"`

	Hops   []Hop  `json:"hops"`             // every URL reached, the old one first
	Target Target `json:"target"`           // the planned new URL
	Listed string `json:"listed,omitempty"` // whether it is in the new site's sitemaps: "yes", "no", "unknown"; "" = there are none

	Class   string   `json:"class"` // the most severe of Remarks, ClassOK = there are none
	Remarks []Remark `json:"remarks,omitempty"`
	Passing bool     `json:"passing,omitempty"` // a failure may be temporary: it is worth retrying
}

// Hop is a URL of the redirect chain, with the verdicts by its own host's robots.txt.
type Hop struct {
	URL      string    `json:"url"`
	Asked    string    `json:"asked,omitempty"`    // the URL of the staging host that was requested instead; "" = itself
	Status   int       `json:"status,omitempty"`   // 0 = no answer, or not requested, see Code
	Code     string    `json:"code,omitempty"`     // see crawl's codes, and CodeKept, CodeGaveUp
	Location string    `json:"location,omitempty"` // where a redirect leads
	Verdicts []Verdict `json:"verdicts"`           // of each crawler, by the robots.txt that applies
	File     File      `json:"file"`               // that robots.txt
}

// Target is the planned new URL: one of the hops, or requested separately. Its verdicts come from the
// proposed robots.txt if there is one.
type Target struct {
	Hop
	Reached  bool      `json:"reached,omitempty"`  // the redirects led to it
	Live     []Verdict `json:"live,omitempty"`     // by its host's current robots.txt
	Proposed []Verdict `json:"proposed,omitempty"` // by the proposed one
	Staging  []Verdict `json:"staging,omitempty"`  // by the staging host's
}

// File is a robots.txt as reports name it.
type File struct {
	Name   string `json:"name"`             // its URL, or the proposed file's name
	Status int    `json:"status,omitempty"` // of its answer; 0 = none, see Code
	Code   string `json:"code,omitempty"`
	Why    string `json:"why,omitempty"` // how crawlers interpret an answer that is no file, in words
}

// Verdict is a crawler's verdict with the rule that decided it.
type Verdict struct {
	Verdict engine.Verdict `json:"verdict"`
	Line    int            `json:"line,omitempty"` // 0 = no rule decided
	Rule    string         `json:"rule,omitempty"` // "disallow: /a"
}

// Remark is something found on the way.
type Remark struct {
	Class string `json:"class"`          // see Classes
	Text  string `json:"text"`           // description, with figures
	URL   string `json:"url,omitempty"`  // where it was found; "" = the pair as a whole
	Rule  string `json:"rule,omitempty"` // the deciding rule
	Line  int    `json:"rule_line,omitempty"`
	File  string `json:"rule_file,omitempty"` // the robots.txt with the rule
}

// Codes of hops without a request.
const (
	CodeKept    = "kept"    // robots.txt blocks it for this program
	CodeGaveUp  = "gave_up" // its host had failed too often in a row
	CodeTooMany = "too_many_hosts"
)

// Main returns the remark that gives the pair its class; nil = the pair is as planned.
func (r *Result) Main() *Remark {
	for i := range r.Remarks {
		if r.Remarks[i].Class == r.Class {
			return &r.Remarks[i]
		}
	}
	return nil
}

// Redirects returns the number of redirects.
func (r *Result) Redirects() (n int) {
	for i := range r.Hops {
		if r.Hops[i].redirects() {
			n++
		}
	}
	return n
}

// redirects reports whether a hop is a redirect.
func (h *Hop) redirects() bool { return h.Status/100 == 3 && h.Location != "" }

// originOf returns the origin of a resolved URL; for any other text, the text itself.
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

// isHome reports whether a URL is a home page.
func isHome(url string) bool {
	path := url[len(originOf(url)):]
	return path == "" || path == "/"
}

// Blocked reports whether robots.txt blocks the URL for a crawler.
func (h *Hop) Blocked() bool {
	return slices.ContainsFunc(h.Verdicts, func(v Verdict) bool { return v.Verdict == engine.Disallow })
}
