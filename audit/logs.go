package audit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"robots-audit/engine/wording"
)

// Logs are the requests of crawlers for one site, as its access logs show them, and what robots.txt
// said about each. It has no visitor: no address, referer, cookie or query value of one.
type Logs struct {
	Site     string       `json:"site"`               // name of the site in the run, or the origin
	From     time.Time    `json:"from"`               // first request of a crawler, UTC; zero = there is none
	To       time.Time    `json:"to"`                 // last one
	Judged   LogSource    `json:"judged_by"`          // where the versions of robots.txt come from
	Listed   int64        `json:"listed"`             // URLs of sitemaps in the run; 0 = no run was given
	Found    int64        `json:"found"`              // URLs of the run: sitemaps, links and lists
	Ranges   string       `json:"ranges"`             // day of the published address ranges: "2026-05-05"
	Believed string       `json:"ranges_until"`       // first day for which they are too old to find impostors
	Versions []LogVersion `json:"versions"`           // the oldest first
	Crawlers []LogCrawler `json:"crawlers"`           // most own requests first, then by name
	Repeated int64        `json:"repeated,omitempty"` // requests that the logs have twice, by their ids: not counted again
	Others   int64        `json:"others"`             // requests of crawlers for which Crawlers has no space
	DNS      *LogDNS      `json:"dns,omitempty"`      // nil = DNS was not asked
	Scaled   float64      `json:"scaled,omitempty"`   // the log has one line for this many requests: counts are multiplied; 0 = all lines are there
	Limits   []LogLimit   `json:"limits"`             // what is not complete, in the order of their constants
}

// LogLimit says what is not complete, and why.
type LogLimit string

// Limits of what can be judged and counted.
const (
	LogLimitReads    LogLimit = "robots.txt"  // too many requests for robots.txt: those of some crawlers, or all, are unclear
	LogLimitVerdicts LogLimit = "verdicts"    // the versions differ in too many ways: some requests are unclear
	LogLimitDecoded  LogLimit = "decoded"     // the log has decoded paths: those requests are unclear
	LogLimitIDs      LogLimit = "request ids" // too many to compare: requests may count twice
	LogLimitFiles    LogLimit = "files"       // a log ends early: requests are missing
	LogLimitURLs     LogLimit = "urls"        // too many to count exactly
	LogLimitRules    LogLimit = "rules"       // the lists have only the first, or those with most requests
	LogLimitParts    LogLimit = "parts"
	LogLimitDays     LogLimit = "days"
	LogLimitAnswers  LogLimit = "answers" // for robots.txt: only the newest are listed
)

// LogLimits are all limits in their order.
var LogLimits = []LogLimit{LogLimitReads, LogLimitVerdicts, LogLimitDecoded, LogLimitIDs, LogLimitFiles, LogLimitURLs, LogLimitRules, LogLimitParts, LogLimitDays, LogLimitAnswers}

// Lacks reports whether something is not complete.
func (l *Logs) Lacks(what LogLimit) bool { return slices.Contains(l.Limits, what) }

// LogDNS counts the requests whose address DNS was to prove, because no list of addresses does.
type LogDNS struct {
	Genuine int64 `json:"genuine"` // the address is the crawler's
	Claimed int64 `json:"claimed"` // it is somebody else's; no list says that
	Failed  int64 `json:"failed"`  // it could not be looked up: no answer, or too many addresses
}

// LogSource says where the versions of robots.txt that judge requests come from.
type LogSource string

// Sources of versions.
const (
	LogHistory LogSource = "history" // all runs of a history
	LogRun     LogSource = "run"     // one run: only requests near its time are judged
	LogFile    LogSource = "file"    // a file of the user, for the whole period
)

// LogVersion is a robots.txt that was in force during some period. A file that was replaced and came
// back is two versions.
type LogVersion struct {
	Name   string    `json:"name"`             // as people see it: "24 Nov 2026, 06:12"; "robots.txt" for a file of the user
	SHA256 string    `json:"sha256,omitempty"` // "" = no file was served
	Status int       `json:"status"`           // HTTP status; 0 = no answer
	First  time.Time `json:"first"`            // first and last time that a run saw it, UTC; zero = a file of the user
	Last   time.Time `json:"last"`
	Before time.Time `json:"before"` // last time that a run saw the version before it: it came between Before and First; zero = the first version
}

// LogTally counts requests by what robots.txt said about them.
type LogTally struct {
	Requests  int64 `json:"requests"`
	Obeyed    int64 `json:"obeyed"`    // allowed by each version that the crawler could know
	Disobeyed int64 `json:"disobeyed"` // blocked by each of them; only for genuine addresses
	Grace     int64 `json:"grace"`     // blocked by the version in force, which the crawler could not know yet
	Unclear   int64 `json:"unclear"`   // the versions that it could know disagree, or there is none
	Exempt    int64 `json:"exempt"`    // the crawler does not obey this group by its operator's own statement
	Blocked   int64 `json:"blocked"`   // like Disobeyed, but the address does not prove who it was
	Stale     int64 `json:"stale"`     // part of Grace: changed more than a day ago, and the crawler has not read the file since
}

// LogCrawler has the requests of one crawler for one site. Counts are of its own requests: those
// from addresses that its operator publishes, or from any address if no range is published.
type LogCrawler struct {
	Name     string `json:"name"`
	Operator string `json:"operator"` // "" = not in the crawler list
	Purpose  string `json:"purpose"`

	Genuine  LogTally   `json:"genuine"`                    // from published addresses
	Unknown  LogTally   `json:"unknown"`                    // no range is published, or it is of another time
	Claimed  LogTally   `json:"claimed"`                    // from other addresses: they only claim the name
	Networks []LogCount `json:"claimed_networks,omitempty"` // of Claimed: whole networks, "198.51.100.0/24", most requests first, at most 20

	URLs      int64 `json:"urls"`                 // distinct URLs requested
	AboutURLs bool  `json:"urls_about,omitempty"` // URLs is an estimate, because there are many

	Robots   LogRobots  `json:"robots_txt"`
	Statuses []LogCount `json:"statuses"` // "2xx", "3xx", "4xx", "5xx", "other"
	Codes    []LogCount `json:"codes"`    // of Statuses, each status of 400 or more: "403", most requests first, at most 10; nil in older records
	Waste    LogWaste   `json:"waste"`
	Rules    []LogRule  `json:"rules"` // rules that block requests, most requests first
	Days     []LogDay   `json:"days"`  // by day in UTC, without days that have no request

	Directories []LogPart `json:"directories"` // most requests first
	Templates   []LogPart `json:"templates"`
	Segments    []LogPart `json:"segments,omitempty"`
	Types       []LogPart `json:"types,omitempty"` // by file name extension: "page", "image", "script", …

	// Against the URLs of the run; nothing is counted without one.
	NeverFetched int64    `json:"never_fetched"`                   // URLs of sitemaps without a request
	NeverBlocked int64    `json:"never_fetched_blocked,omitempty"` // of them, blocked for this crawler as the run says; 0 = none, or the run does not test this crawler or robots.txt
	Never        []string `json:"never_fetched_samples,omitempty"` // of NeverFetched, not blocked for this crawler
	Orphans      int64    `json:"orphans"`                         // distinct URLs answered with 200, once or more, that the run did not find
	Orphan       []string `json:"orphan_samples,omitempty"`
}

// LogWorst is the rule that a crawler disobeyed most, with the counts of all versions that have it.
type LogWorst struct {
	LogRule       // Line and Version are those of the last request
	Versions int  // that have it and were disobeyed; 0 = there is no such rule
	Moved    bool // it is not on the same line in all of them
	Rules    int  // that the crawler disobeyed
}

// Worst returns the rule that the crawler disobeyed most.
func (c *LogCrawler) Worst() (worst LogWorst) {
	var list []*LogWorst
	for _, r := range c.Rules {
		if r.Disobeyed == 0 {
			continue
		}
		at := slices.IndexFunc(list, func(of *LogWorst) bool { return of.Rule == r.Rule })
		if at < 0 {
			list = append(list, &LogWorst{LogRule: r, Versions: 1})
			continue
		}
		of := list[at]
		of.Moved = of.Moved || of.Line != r.Line
		if of.Disobeyed, of.Versions = of.Disobeyed+r.Disobeyed, of.Versions+1; r.Last.After(of.Last) {
			of.Version, of.Line, of.Last = r.Version, r.Line, r.Last
		}
	}
	for _, of := range list {
		if of.Disobeyed > worst.Disobeyed {
			worst = *of
		}
	}
	worst.Rules = len(list)
	return worst
}

// LogAnswers are the answers to a crawler's requests, those for robots.txt aside.
type LogAnswers struct {
	Requests, Served int64
	Refused          int64  // answers with one of refusals
	Code             string // the most frequent of these: "403"
	Others           bool   // there are others
}

// refusals are the statuses of servers and firewalls that refuse or challenge a client. A missing page (404), a
// login (401) and a wrong method (405) are none.
var refusals = []string{"402", "403", "406", "429", "444", "451", "503"}

// Answers counts the answers to the crawler's requests.
func (c *LogCrawler) Answers() (of LogAnswers) {
	robots := map[string]int64{}
	for _, n := range c.Robots.Statuses {
		robots[n.Name] = n.Requests
		if strings.HasPrefix(n.Name, "2") {
			robots["2xx"] += n.Requests
		}
	}
	for _, n := range c.Statuses {
		if of.Requests += n.Requests; n.Name == "2xx" {
			of.Served = max(0, n.Requests-robots["2xx"])
		}
	}
	of.Requests = max(0, of.Requests-c.Robots.Requests)
	most := int64(0)
	for _, n := range c.Codes {
		pages := n.Requests - robots[n.Name]
		if !slices.Contains(refusals, n.Name) || pages <= 0 {
			continue
		}
		of.Others = of.Refused > 0
		if of.Refused += pages; pages > most {
			most, of.Code = pages, n.Name
		}
	}
	return of
}

// Words say what most requests got: "HTTP 403 in 97 of 97 requests"; "" = there is none.
func (a *LogAnswers) Words() string {
	what, n := "success", a.Served
	if a.Refused > 0 && a.Refused >= a.Served {
		if what, n = "HTTP "+a.Code, a.Refused; a.Others {
			what += " or another error"
		}
	}
	if a.Requests == 0 {
		return ""
	}
	return fmt.Sprintf("%s in %s of %s", what, wording.Thousands(n), wording.Plural(a.Requests, "request"))
}

// minRefused is the number of refused requests in the lines of a log that prove something. A few are a fault of the moment.
const minRefused = 10

// maxLogAge is how long before an audit the logs may end to say something about now.
const maxLogAge = 30 * 24 * time.Hour

// AreRecent reports whether a crawler's requests reach to the time of an audit.
func (l *Logs) AreRecent(c *LogCrawler, at time.Time) bool {
	to := l.To
	if n := len(c.Days); n > 0 {
		to, _ = time.Parse(time.DateOnly, c.Days[n-1].Day) // an unknown day is an old one
	}
	return at.Sub(to) <= maxLogAge
}

// Proved reports whether all requests came from the crawler's own addresses.
func (c *LogCrawler) Proved() bool { return c.Genuine.Requests > 0 && c.Unknown.Requests == 0 }

// failsLately reports whether at least half of the requests of the crawler's last week got an error. Otherwise, what was
// refused before is mended.
func (c *LogCrawler) failsLately() bool {
	var requests, errors int64
	week := ""
	for _, day := range slices.Backward(c.Days) {
		if last, err := time.Parse(time.DateOnly, day.Day); week == "" && err == nil {
			week = last.AddDate(0, 0, -6).Format(time.DateOnly)
		}
		if day.Day >= week {
			requests, errors = requests+day.Requests-day.Robots, errors+day.Errors
		}
	}
	return errors*2 >= requests
}

// Refusal is the state of a site at the time of an audit by the answers to one crawler alone. Critical: the server
// refused nine of ten requests; Warn: half of them; OK: fewer, or it is not proved. Requests for blocked URLs do not
// count: a server may refuse them.
func (l *Logs) Refusal(c *LogCrawler, at time.Time) State {
	of := c.Answers()
	requests, refused := of.Requests-c.Waste.Blocked, of.Refused-c.Waste.Blocked
	lines := float64(refused) / max(1, l.Scaled)
	switch {
	case !c.Proved() || !l.AreRecent(c, at) || !c.failsLately() || lines < minRefused || refused*2 < requests:
		return OK
	case refused*10 < requests*9:
		return Warn
	}
	return Critical
}

// NoteLogs changes the state and the lead if the logs prove that the server refuses one of the leading
// crawlers of an audit. A crawler that is not a search engine's makes a warning.
func (d *Done) NoteLogs(l *Logs, crawlers []Crawler) {
	state := OK
	var parts []string
	for _, i := range Leading(crawlers) {
		at := slices.IndexFunc(l.Crawlers, func(c LogCrawler) bool { return c.Name == crawlers[i].Name })
		if at < 0 {
			continue
		}
		c := &l.Crawlers[at]
		is, answers := l.Refusal(c, d.Finished), c.Answers()
		if is == Critical && !Searches(c.Purpose) {
			is = Warn
		}
		if is == OK {
			continue
		}
		if is.Rank() < state.Rank() {
			state = is
		}
		parts = append(parts, fmt.Sprintf("the genuine %s got %s", c.Name, answers.Words()))
	}
	if parts == nil {
		return
	}
	words := "In the access logs, " + wording.Some(parts) + "."
	if d.State == Critical || d.Ground == GroundUnread { // an unread robots.txt may block it, and that stays unknown
		why, asks := strings.CutSuffix(d.Why, intended)
		if d.Why = why + " " + words; asks {
			d.Why += intended
		}
		return
	}
	d.State, d.Ground, d.Why = state, GroundLogs, words+" "+d.Why
}

// LogRobots are a crawler's requests for robots.txt.
type LogRobots struct {
	Requests   int64       `json:"requests"`
	Statuses   []LogCount  `json:"statuses"` // by status: "200", "none"; most first
	Last       time.Time   `json:"last"`     // last request; zero = none
	LastStatus int         `json:"last_status"`
	Read       time.Time   `json:"read"`        // last one that gave the file (200, 206, 304) or said that there is none (4xx, 204); zero = none
	Knows      string      `json:"knows"`       // name of the version that it read last; "" = none, or not known which
	Answers    []LogAnswer `json:"answers"`     // in order of time, the newest 50
	Learned    []LogLearnt `json:"learned"`     // for each change of the file within the period
	MedianDays float64     `json:"median_days"` // median of Learned's days; -1 = it has learned no change
	Waiting    bool        `json:"waiting"`     // it has not read the newest version yet
}

// LogAnswer is an answer for robots.txt that a crawler got, once or several times in a row.
type LogAnswer struct {
	Status   int       `json:"status"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
	Requests int64     `json:"requests"`
}

// LogLearnt says when a crawler first read a version.
type LogLearnt struct {
	Version string    `json:"version"`
	Changed time.Time `json:"changed"` // first time that a run saw it
	Read    time.Time `json:"read"`    // zero = not yet
}

// LogCount is a number of requests with some name.
type LogCount struct {
	Name     string `json:"name"`
	Requests int64  `json:"requests"`
}

// LogWaste counts requests that bring a search engine nothing. A request counts once for each.
type LogWaste struct {
	Redirects  int64 `json:"redirects"`  // 3xx except 304
	Errors     int64 `json:"errors"`     // 4xx and 5xx
	Parameters int64 `json:"parameters"` // with a query, and the run does not list the URL in sitemaps
	Blocked    int64 `json:"blocked"`    // blocked by the newest version
}

// LogRule is a rule that blocks requests of a crawler, in one version.
type LogRule struct {
	Version   string    `json:"version"` // LogVersion.Name
	Line      int       `json:"line"`    // 0 = not a rule but the answer for robots.txt
	Rule      string    `json:"rule"`    // "disallow: /a"
	Requests  int64     `json:"requests"`
	URLs      int64     `json:"urls"`
	Disobeyed int64     `json:"disobeyed"`
	Grace     int64     `json:"grace"`
	First     time.Time `json:"first"` // first and last request that disobeyed; zero = none
	Last      time.Time `json:"last"`
	Samples   []string  `json:"samples"` // URLs without query values
}

// LogDay are a crawler's requests of one day.
type LogDay struct {
	Day       string `json:"day"` // "2026-11-24", UTC
	Requests  int64  `json:"requests"`
	Disobeyed int64  `json:"disobeyed"`
	Grace     int64  `json:"grace"`
	Errors    int64  `json:"errors"`            // 4xx and 5xx, but for robots.txt
	Robots    int64  `json:"robots_txt"`        // requests for robots.txt
	RobotsBad int64  `json:"robots_txt_errors"` // of them, neither 2xx nor 3xx
}

// LogPart are a crawler's requests for one part of a site.
type LogPart struct {
	Name      string `json:"name"`
	Requests  int64  `json:"requests"`
	URLs      int64  `json:"urls"` // distinct
	OK        int64  `json:"ok"`   // 2xx and 304
	Redirects int64  `json:"redirects"`
	Errors    int64  `json:"errors"`  // 4xx and 5xx
	Blocked   int64  `json:"blocked"` // by the newest version
}
