package audit

import "time"

// Past is what earlier runs of the same schedule know of a site. A nil Past is that
// of a site without history: its reports have no column, sheet or picture of it.
type Past struct {
	Begins  time.Time             // start of the first run of this site; zero = this run is the first
	Points  []Point               // earlier runs of the site, the oldest first, at most MaxPoints
	Rules   map[string]RulePast   // by rule_id: rules that stood in the file of the run before
	Blocked map[BlockedKey]Since  // URLs of the important list that the run before found blocked
	Notes   map[NoteKey]string    // owner notes
	Listed  func(url string) bool // whether a URL is of the important list, and so has its date; nil = there is no list
}

// MaxPoints bounds the runs that a timeline shows.
const MaxPoints = 1000

// Point is one earlier run of a site, on its timeline.
type Point struct {
	Started time.Time        `json:"started"`
	Answer  string           `json:"answer"`            // class of robots.txt's answer: see the constants of package history
	Status  int              `json:"status,omitempty"`  // 0 = no answer
	SHA256  string           `json:"sha256,omitempty"`  // of robots.txt; "" = there was no file
	Known   int64            `json:"known"`             // known URLs
	Blocked map[string]int64 `json:"blocked,omitempty"` // of them, by a crawler's label; not to be changed: points share it
}

// RulePast is how long a rule has stood.
type RulePast struct {
	First time.Time `json:"first"` // start of the first run that saw it at all
	Since time.Time `json:"since"` // start of the run since which it has stood without a break
}

// BlockedKey names a blocked URL for a crawler.
type BlockedKey struct {
	URLID   string
	Crawler string // its label
}

// Since tells since when a URL is blocked.
type Since struct {
	Run    time.Time `json:"run"`              // start of the first run that found it blocked
	SHA256 string    `json:"sha256,omitempty"` // of the robots.txt of that run; "" = there was none
	Rule   string    `json:"rule,omitempty"`   // that decided then: "disallow: /a"; "" = none
	Line   int       `json:"line,omitempty"`
}

// NoteKey names the row that an owner note belongs to.
type NoteKey struct {
	Kind string // "url", "rule"
	ID   string // url_id, rule_id
}
