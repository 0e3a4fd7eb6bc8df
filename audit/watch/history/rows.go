package history

import (
	"time"

	"robots-audit/audit/compare"
)

// Run is one run, as it is entered.
type Run struct {
	ID       string // of run.json: "20261122T060000Z"
	Folder   string // below the history's folder: "runs/20261122T060000Z"; "" = removed by retention
	Schedule string // its name; "" = entered by hand
	Started  time.Time
	Finished time.Time
	Program  string // version of the program
}

// Answer is the class of what a site's own robots.txt was answered with.
type Answer string

// The classes of answers, as the strip of a timeline shows them.
const (
	AnswerOK          Answer = "200"         // a file that is text
	AnswerEmpty       Answer = "empty"       // 200 without a line
	AnswerHTML        Answer = "html"        // 200, and a page
	AnswerBinary      Answer = "binary"      // 200, and none that can be read
	AnswerRedirect    Answer = "3xx"         // redirects that lead nowhere
	AnswerMissing     Answer = "4xx"         // but 429
	AnswerBusy        Answer = "429"         //
	AnswerServerError Answer = "5xx"         //
	AnswerNone        Answer = "unreachable" // no answer: DNS, TLS, time, connection
	AnswerNotAsked    Answer = "not asked"   // the request was never sent: a bound or an interruption of our own
)

// Site is what one run says of one site: read from its records by a Collector.
type Site struct {
	Name     string // as in the run's summary
	State    string // ok, warn, critical, unknown
	Answer   Answer
	Status   int    // of the last hop; 0 = no answer
	Code     string // of trouble, see package crawl; "" = the body was read whole
	SHA256   string // of the file; "" = none
	Bytes    int64
	Body     []byte // nil = the record has none
	Known    int64  // known URLs
	Blocked  int64  // for at least one crawler
	Took     time.Duration
	Crawlers []Crawler
	Rules    []Rule    // of the site's own file, by line
	URLs     []Blocked // of the important list, at most MaxBlocked
	URLsCut  int64     // blocked URLs of the important list beyond that
}

// MaxBlocked bounds the blocked URLs of a site that are remembered one by one.
const MaxBlocked = 100_000

// Crawler is what one crawler may not fetch of a site.
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

// Blocked is a URL of the important list that a crawler may not fetch.
type Blocked struct {
	ID      string // see audit.URLID
	URL     string
	Crawler string // its label
	RuleID  string // "" = no rule decides: the answer does
	Rule    string
	Line    int
	Own     bool // the file that blocks it is the very one of the site's own origin
}

// Flips are the URLs that flip for one crawler.
type Flips struct {
	Crawler string
	compare.Counts
}

// Confirmation is what robots.txt answered when it was asked again after a run.
type Confirmation struct {
	Number int       `json:"number"` // of the try: 2, 3, …
	Asked  time.Time `json:"asked"`
	Answer Answer    `json:"answer"`
	Status int       `json:"status,omitempty"`
	Code   string    `json:"code,omitempty"`
	Same   bool      `json:"same"` // as in the run
}

// Alert is one condition on one site, from the first confirmed run until it ends.
type Alert struct {
	ID        string
	Site      string
	Condition string // "AL01"
	Severity  string // as it was told last: critical, high, medium, info
	Base      string // ID of the run that it is compared with until it ends; "" = there was none
	Raised    string // ID of the run that raised it
	Since     time.Time
	EndedRun  string // ID; "" = it holds
	Ended     time.Time
	Subjects  []string // what it is about, as it was told last
	URLs      int64    // known URLs that it concerns, as it was told last
	Text      string   // as it was told last

	Acknowledged time.Time // until then nothing is told of it; zero = it is not
	Accepted     time.Time // when a user accepted the alert as intended, which ends it; zero = never
	Note         string    // of the acknowledgement, or of that
}

// Delivery is a message on its way to one channel.
type Delivery struct {
	ID       string
	Run      string // ID of the run of which it tells
	Channel  string // its name in the configuration
	Message  []byte // JSON
	Entered  time.Time
	Tries    int
	Next     time.Time // not to be tried before
	Accepted time.Time // zero = not yet
	GivenUp  time.Time // zero = not given up
	Error    string    // of the last try
}

// Entry is all that is entered of one site of a run.
type Entry struct {
	Site          Site
	Settled       bool             // later runs are compared with this one
	Confirmations []Confirmation   // none = nothing had to be asked again
	Changes       []compare.Change // from the run before
	Flips         []Flips
	Notes         []Note // new or other ones, read from the workbook of the run before
}

// Note is what somebody wrote into the column "Owner note" of a workbook.
type Note struct {
	Kind string // what ID names: "url", "rule"
	ID   string
	Text string // "" = it was taken out
	Run  string // ID of the run whose workbook has it
}
