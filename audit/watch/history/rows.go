package history

import (
	"time"

	"robots-audit/audit/compare"
)

// Run is one entered run.
type Run struct {
	ID       string // of run.json: "20261122T060000Z"
	Folder   string // below the history's folder: "runs/20261122T060000Z"; "" = removed by retention
	Schedule string // its name; "" = entered by hand
	Started  time.Time
	Finished time.Time
	Program  string // version of the program
}

// Answer is the class of the answer for a site's own robots.txt.
type Answer string

// The classes of answers, as shown on a timeline.
const (
	AnswerOK          Answer = "200"         // a file that is text
	AnswerEmpty       Answer = "empty"       // 200 without a line
	AnswerHTML        Answer = "html"        // 200, but an HTML page
	AnswerBinary      Answer = "binary"      // 200, but unreadable
	AnswerRedirect    Answer = "3xx"         // redirects without a target
	AnswerMissing     Answer = "4xx"         // 4xx except 429
	AnswerBusy        Answer = "429"         //
	AnswerServerError Answer = "5xx"         //
	AnswerNone        Answer = "unreachable" // no answer: DNS, TLS, time, connection
	AnswerNotAsked    Answer = "not asked"   // the request was not sent, because of our own limits or an interruption
)

// Site has the results of one run for one site, read from its records by a Collector.
type Site struct {
	Name     string // as in the run's summary
	State    string // ok, warn, critical, unknown
	Answer   Answer
	Status   int    // of the last hop; 0 = no answer
	Code     string // of an error, see package crawl; "" = the body was read completely
	SHA256   string // of the file; "" = none
	Bytes    int64
	Body     []byte // nil = the record has none
	Known    int64  // known URLs
	Blocked  int64  // for at least one crawler
	Took     time.Duration
	Crawlers []Crawler
	Rules    []Rule    // of the site's own file, by line
	URLs     []Blocked // of the important list, at most MaxBlocked
	URLsCut  int64     // number of further blocked URLs of the important list
}

// MaxBlocked bounds the blocked URLs of a site that are stored.
const MaxBlocked = 100_000

// Crawler is the number of URLs of a site that are blocked for one crawler.
type Crawler struct {
	Label   string
	Blocked int64 // known URLs
}

// Rule is a line of robots.txt.
type Rule struct {
	ID     string // see audit.RuleID
	Tokens string // of its group: "googlebot, bingbot"
	Rule   string // "disallow: /a", value as written
	Line   int
}

// Blocked is a URL of the important list that is blocked for a crawler.
type Blocked struct {
	ID      string // see audit.URLID
	URL     string
	Crawler string // its label
	RuleID  string // "" = the answer decides, not a rule
	Rule    string
	Line    int
	Own     bool // the file that blocks it equals that of the site's own origin
}

// Flips are the URLs that flip for one crawler.
type Flips struct {
	Crawler string
	compare.Counts
}

// Confirmation is an answer to a repeated request for robots.txt after a run.
type Confirmation struct {
	Number int       `json:"number"` // of the try: 2, 3, …
	Asked  time.Time `json:"asked"`
	Answer Answer    `json:"answer"`
	Status int       `json:"status,omitempty"`
	Code   string    `json:"code,omitempty"`
	Same   bool      `json:"same"` // the same as in the run
}

// Alert is one condition on one site, from the first confirmed run until it ends.
type Alert struct {
	ID        string
	Site      string
	Condition string // "AL01"
	Severity  string // as last reported: critical, high, medium, info
	Base      string // ID of the run that it is compared with until it ends; "" = none
	Raised    string // ID of the run that raised it
	Since     time.Time
	EndedRun  string // ID; "" = open
	Ended     time.Time
	Subjects  []string // its subjects, as last reported
	URLs      int64    // affected known URLs, as last reported
	Text      string   // as last reported

	Acknowledged time.Time // no reports until then; zero = not acknowledged
	Accepted     time.Time // when a user accepted the alert as intended, which ends it; zero = never
	Note         string    // of the acknowledgement or acceptance
	Owner        string    // who works on it; "" = no owner
}

// Delivery is a message on its way to one channel.
type Delivery struct {
	ID       string
	Run      string // ID of the run that it reports
	Channel  string // its name in the configuration
	Message  []byte // JSON
	Entered  time.Time
	Tries    int
	Next     time.Time // earliest time of the next try
	Accepted time.Time // zero = not yet
	GivenUp  time.Time // zero = not given up
	Error    string    // of the last try
}

// Entry has all data of one site of a run.
type Entry struct {
	Site          Site
	Settled       bool             // later runs are compared with this one
	Confirmations []Confirmation   // empty = no repeated request was necessary
	Changes       []compare.Change // since the previous run
	Flips         []Flips
	Notes         []Note // new or changed notes, read from the workbook of the previous run
}

// Note is the text of a cell in the column "Owner note" of a workbook.
type Note struct {
	Kind string // kind of ID: "url", "rule"
	ID   string
	Text string // "" = removed
	Run  string // ID of the run whose workbook has it
}
