package audit

import (
	"slices"
	"time"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// Record is one fact of an audit. Exactly one of its pointers is set, beside
// the Domain that says whose fact it is. A site's records come in this order:
// Site; then Robots, URLs, Sitemap, Page and Problem as they happen; then
// Findings, once for each Robots; then Rules; then Done, always and exactly once.
type Record struct {
	Domain   string    `json:"domain,omitempty"` // Domain.Name
	Site     *Site     `json:"site,omitempty"`
	Robots   *Robots   `json:"robots,omitempty"`
	URLs     *URLs     `json:"-"` // on the wire one line each: {"url": …}
	Sitemap  *Sitemap  `json:"sitemap,omitempty"`
	Page     *Page     `json:"page,omitempty"`
	Problem  *Problem  `json:"problem,omitempty"`
	Findings *Findings `json:"findings,omitempty"`
	Rules    *Rules    `json:"rules,omitempty"`
	Done     *Done     `json:"done,omitempty"`
}

// Site opens a site's records.
type Site struct {
	Name     string    `json:"name"`    // Domain.Name
	Line     int       `json:"line"`    // of the list of domains
	Ordinal  int       `json:"ordinal"` // 0-based place among the valid, distinct entries: the order of the summary
	Crawlers []Crawler `json:"crawlers"`
	Started  time.Time `json:"started"`        // UTC
	Past     *Past     `json:"past,omitempty"` // what its reports know of earlier runs, so that they can be made again; nil = nothing
}

// Robots is the robots.txt of one origin and what each crawler makes of it.
type Robots struct {
	Index    int              `json:"index"`  // 0 = the site's own; URL.Origin refers to it
	Origin   string           `json:"origin"` // "https://example.com", "http://example.com:8080"
	File     crawl.RobotsFile `json:"file"`
	Reads    []Read           `json:"reads"`            // one for each of Site.Crawlers, in order
	Rules    []RuleLine       `json:"rules,omitempty"`  // every line that is a rule to at least one of the crawlers' profiles, by line
	Groups   []RuleGroup      `json:"groups,omitempty"` // in which Rules stand, by line; nil in records of before it was recorded, and where values are not UTF-8
	Sitemaps []SitemapLine    `json:"sitemaps,omitempty"`
	Policy   *Policy          `json:"policy,omitempty"`  // of the site's own; nil in records of before it was recorded
	SameAs   string           `json:"same_as,omitempty"` // the earlier origin of this host that serves the very same file: what its lines do, and what is to be said about them, is told with that one for the URLs of both

	obeyed []*engine.Group // of Reads, see Obeyed
}

// Obeyed returns the groups that the crawlers obey, one for each of Reads, so that who gets the record
// of an audit that runs need not read the file again; nil for a record that was stored.
func (r *Robots) Obeyed() []*engine.Group { return r.obeyed }

// LacksBody reports whether the record tells of a body that it does not have, so that no one
// can judge a URL by it.
func (r *Robots) LacksBody() bool {
	return r.File.Status == 200 && r.File.Bytes > 0 && len(r.File.Body) == 0 && r.File.Code == ""
}

// Read is what one crawler makes of a robots.txt.
type Read struct {
	Access      engine.Access      `json:"access"`
	Why         string             `json:"why"`                    // in words: "HTTP 503: full disallow until it answers again (Google, …)"
	GroupLine   int                `json:"group_line,omitempty"`   // first user-agent line of the group that applies; 0 = none
	GroupTokens string             `json:"group_tokens,omitempty"` // its user-agent values, comma-separated
	GroupReason engine.GroupReason `json:"group_reason"`
	CrawlDelay  float64            `json:"crawl_delay,omitempty"` // seconds, where the profile obeys it
	Rules       int                `json:"rules"`                 // rules in the group
	BlocksRoot  bool               `json:"blocks_root,omitempty"` // "/" is blocked
	BlocksAll   bool               `json:"blocks_all,omitempty"`  // so is every other URL, whatever it is; false in records of before it was recorded
}

// RuleLine is a line of robots.txt that is a rule.
type RuleLine struct {
	Line int    `json:"line"`
	Rule string `json:"rule"` // "disallow: /a", value as written
}

// SitemapLine is a Sitemap line of robots.txt.
type SitemapLine struct {
	Line int    `json:"line"`
	URL  string `json:"url"` // as written
}

// URLs is a batch of tested URLs of one site. The batch and all it holds
// belong to the auditor: they are used again once the loop asks for the next
// record.
type URLs struct {
	List []URL

	verdicts []engine.Verdict // what List's Verdicts point into
	lines    []int32          // what List's Lines point into
}

// URL is one known URL with its verdicts.
type URL struct {
	Loc      string // as a crawler asks for it, see crawl.ResolveURL
	Written  string // as the sitemap or the user's own list has it, where that is another text; "" = as Loc, but perhaps for a fragment
	LastMod  string // as written; "" = not given
	Kind     crawl.Kind
	Sitemap  int              // Sitemap.Index; -1: found on a page, or in the user's own list
	Origin   int              // Robots.Index of the robots.txt that governs it
	Verdicts []engine.Verdict // one for each of Site.Crawlers
	Lines    []int32          // deciding lines, 0 = no rule decided
	Weight                    // where the user's own list names it
}

// LinkCount is how the pages that were read and the sitemaps fit together.
// The links counted are those to the site itself; a canonical URL is one.
type LinkCount struct {
	Pages   int64 `json:"pages"`   // asked for
	URLs    int64 `json:"urls"`    // distinct URLs that they link to, the first 50,000 of them
	Blocked int64 `json:"blocked"` // of those, blocked for at least one crawler
	Orphans int64 `json:"orphans"` // URLs of the sitemaps, on the site's own host, that none of the pages links to; 0 where none could be read

	Unread int64 `json:"unread,omitempty"` // of Pages, those from which no link could be taken: they failed, or are no HTML
	Kept   int64 `json:"kept,omitempty"`   // pages of the site that were found, and that robots.txt keeps this program from

	Home          *HomeFailure `json:"home,omitempty"`           // nil = the home page answered, or was not to be asked for
	NoIndexUnseen int64        `json:"noindex_unseen,omitempty"` // pages with a noindex that a crawler never sees, since it may not fetch them: see Page.NoIndexUnseen
	ListedNoIndex int64        `json:"listed_noindex,omitempty"` // pages with noindex that a sitemap names: see Page.ListedNoIndex
}

// Read is the number of pages whose links are known. Where it is 0, the counts of
// URLs say nothing.
func (l *LinkCount) Read() int64 { return l.Pages - l.Unread }

// Sitemap is one sitemap that was read, with what came of its URLs.
type Sitemap struct {
	crawl.SitemapFile
	Tested    int64            `json:"tested"`             // distinct URLs tested
	Repeated  int64            `json:"repeated,omitempty"` // URLs that an earlier entry had named already
	LeftOut   map[string]int64 `json:"left_out,omitempty"` // reason → URLs not tested
	Blocked   []int64          `json:"blocked"`            // tested URLs blocked, for each crawler
	Self      []engine.Verdict `json:"self,omitempty"`     // verdict of each crawler on the sitemap itself
	SelfLines []int32          `json:"self_lines,omitempty"`
}

// Problem is a trouble of the site. It is data: nothing of ours failed.
type Problem struct {
	Stage  string `json:"stage"` // StageRobots, …
	Code   string `json:"code"`  // see crawl's codes
	URL    string `json:"url,omitempty"`
	Detail string `json:"detail,omitempty"`
	Host   string `json:"host,omitempty"` // of URLs that no site's audit tests; "1 more host", "12 more hosts" for several
	URLs   int64  `json:"urls,omitempty"` // number of these
}

// Rules is what the rules of one group did to the site's URLs.
type Rules struct {
	Origin   int         `json:"origin"`   // Robots.Index
	Crawlers []int       `json:"crawlers"` // indices into Site.Crawlers of those for which all of this is so
	Counts   []RuleCount `json:"counts"`   // in the order of the file
}

// RuleCount is one rule's part in the verdicts.
type RuleCount struct {
	Line    int    `json:"line"`
	Rule    string `json:"rule"`    // "disallow: /a"
	Matched int64  `json:"matched"` // URLs whose path the rule matches
	Decided int64  `json:"decided"` // URLs whose verdict it gives
	Frees   int64  `json:"frees"`   // URLs that would become allowed if this line were deleted; those that other lines decide, too
	Blocks  int64  `json:"blocks"`  // URLs that would become blocked if this line were deleted; likewise

	Join    engine.Join `json:"join,omitzero"`     // what the deletion does besides taking the rule away
	Unknown string      `json:"unknown,omitempty"` // why Frees and Blocks are not known, as part of a sentence; "" = they are
}

// State is a site's result in one word.
type State string

const (
	OK           State = "ok"       // read, and nothing is blocked that is asked for
	Warn         State = "warn"     // something to look at: URLs that are asked for are blocked, or something could not be looked at
	Critical     State = "critical" // a crawler that leads is kept from the home page, from a large part of what is known, or from all by an answer; or robots.txt is an HTML page
	Undetermined State = "unknown"  // could not be read: never counted as fine
)

// Rank is the place of a state where sites are listed, from 0 on: critical, warn, unknown, ok.
// Unknown sites are neither fine nor bad, and come before those that are fine.
func (s State) Rank() int8 {
	switch s {
	case Critical:
		return 0
	case Warn:
		return 1
	case OK:
		return 3
	}
	return 2
}

// Counts count URLs by their verdicts.
type Counts struct {
	URLs       int64   `json:"urls"`              // distinct, tested
	BlockedAny int64   `json:"blocked_any"`       // of them blocked for at least one crawler
	Blocked    []int64 `json:"blocked"`           // for each crawler
	Unknown    int64   `json:"unknown,omitempty"` // of URLs, those with a verdict of unknown or undefined for at least one crawler
}

// Count counts a URL with the verdicts of all crawlers.
func (c *Counts) Count(verdicts []engine.Verdict) {
	blocked, unclear := int64(0), int64(0)
	for i, v := range verdicts {
		switch v {
		case engine.Disallow:
			blocked = 1
			c.Blocked[i]++
		case engine.Undefined, engine.Unknown:
			unclear = 1
		}
	}
	c.URLs++
	c.BlockedAny += blocked
	c.Unknown += unclear
}

// Equal reports whether the counts are the same.
func (c *Counts) Equal(other *Counts) bool {
	return c.URLs == other.URLs && c.BlockedAny == other.BlockedAny && c.Unknown == other.Unknown && slices.Equal(c.Blocked, other.Blocked)
}

// Done closes a site's records and sums them up.
type Done struct {
	State         State              `json:"state"`
	Why           string             `json:"why"`              // the lead: the greatest effect and the state's reason, in a sentence or a few, which all reports begin with
	Ground        string             `json:"ground,omitempty"` // what gives the site its state: one of the Ground constants; "" in records of before there were any
	Origin        string             `json:"origin"`           // the origin that was audited
	Counts                           // of pages
	Clicks        int64              `json:"clicks,omitempty"`         // of the tested URLs, as far as the user's own list tells
	BlockedClicks int64              `json:"blocked_clicks,omitempty"` // of those of BlockedAny
	ClicksBlocked []int64            `json:"clicks_blocked,omitempty"` // of those of Blocked, for each crawler; nil where no clicks were given
	Kinds         map[string]*Counts `json:"kinds,omitempty"`          // alternates, images, videos: counted apart from the figures above
	Indexed       *IndexedCount      `json:"indexed,omitempty"`        // nil where no list of indexed URLs was given
	Links         *LinkCount         `json:"links,omitempty"`          // nil where links were not to be followed
	Sitemaps      int                `json:"sitemaps"`                 // sitemaps read
	LeftOut       map[string]int64   `json:"left_out,omitempty"`
	Problems      int                `json:"problems"`
	Findings      *Severities        `json:"findings,omitempty"` // of all origins' Findings; nil in records of before they were counted
	Effects       *Severities        `json:"effects,omitempty"`  // the same by Finding.Effect; nil in records of before they were counted
	Policy        *PolicyReach       `json:"policy,omitempty"`   // what became of Robots.Policy
	Finished      time.Time          `json:"finished"`           // UTC

	// SitemapsRead counts the sitemaps of which something could be read, and
	// SitemapsUnread those that are known and of which nothing was: they failed, were
	// not to be asked for, or lie beyond a limit. Both are 0 where there are none,
	// and in records of before they were counted.
	SitemapsRead   int64   `json:"sitemaps_read,omitempty"`
	SitemapsUnread int64   `json:"sitemaps_unread,omitempty"`
	KindsSkipped   int64   `json:"kinds_skipped,omitempty"` // alternates, images and videos in sitemaps that are not tested since Auditor.Kinds lacks their kind; each mention counts
	ClicksGiven    int64   `json:"clicks_given,omitempty"`  // tested URLs of which the user's own list gives the clicks, be it 0
	Limits         []Limit `json:"limits,omitempty"`        // bounds of this audit that the site came to; see Bound
}
