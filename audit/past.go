package audit

import "time"

// Past has the results of earlier runs of the same schedule for a site. nil = no history: the
// reports have no column, sheet or chart about it.
type Past struct {
	Begins  time.Time             // start of the first run of this site; zero = this run is the first
	Points  []Point               // earlier runs of the site, oldest first, at most MaxPoints
	Rules   map[string]RulePast   // by rule_id: rules in the file of the previous run
	Blocked map[BlockedKey]Since  // URLs of the important list that were blocked in the previous run
	Notes   map[NoteKey]string    // owner notes
	Listed  func(url string) bool // whether a URL is in the important list, which records its date; nil = there is no list
}

// MaxPoints bounds the runs that a timeline shows.
const MaxPoints = 1000

// Point is one earlier run of a site, on its timeline.
type Point struct {
	Started time.Time        `json:"started"`
	Answer  string           `json:"answer"`            // class of the answer for robots.txt: see the constants of package history
	Status  int              `json:"status,omitempty"`  // 0 = no answer
	SHA256  string           `json:"sha256,omitempty"`  // of robots.txt; "" = there was no file
	Known   int64            `json:"known"`             // known URLs
	Blocked map[string]int64 `json:"blocked,omitempty"` // blocked ones of Known, by a crawler's label; do not change it, because points share it
}

// RulePast says since when a rule exists.
type RulePast struct {
	First time.Time `json:"first"` // start of the first run with the rule
	Since time.Time `json:"since"` // start of the run since which every run has it
}

// BlockedKey names a blocked URL for a crawler.
type BlockedKey struct {
	URLID   string
	Crawler string // its label
}

// Since says since when a URL is blocked.
type Since struct {
	Run    time.Time `json:"run"`              // start of the first run that found it blocked
	SHA256 string    `json:"sha256,omitempty"` // of the robots.txt of that run; "" = there was none
	Rule   string    `json:"rule,omitempty"`   // the rule that decided then: "disallow: /a"; "" = none
	Line   int       `json:"line,omitempty"`
}

// NoteKey names the row that an owner note belongs to.
type NoteKey struct {
	Kind string // "url", "rule"
	ID   string // url_id, rule_id
}
