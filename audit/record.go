package audit

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// Record is one fact of an audit. Domain names its site, and exactly one of the pointers is set. A
// site's records come in this order: Site; then Robots, URLs, Sitemap, Page and Problem as they
// happen; then Asked, if the user wants it; then Findings, once for each Robots; then Rules; then Logs, if access logs were
// given; then Done, always and exactly once.
type Record struct {
	Domain   string    `json:"domain,omitempty"` // Domain.Name
	Site     *Site     `json:"site,omitempty"`
	Robots   *Robots   `json:"robots,omitempty"`
	URLs     *URLs     `json:"-"` // on the wire one line each: {"url": …}
	Sitemap  *Sitemap  `json:"sitemap,omitempty"`
	Page     *Page     `json:"page,omitempty"`
	Problem  *Problem  `json:"problem,omitempty"`
	Asked    *Asked    `json:"asked,omitempty"`
	Findings *Findings `json:"findings,omitempty"`
	Rules    *Rules    `json:"rules,omitempty"`
	Logs     *Logs     `json:"logs,omitempty"`
	Done     *Done     `json:"done,omitempty"`
}

// Site opens a site's records.
type Site struct {
	Name     string     `json:"name"`    // Domain.Name
	Line     int        `json:"line"`    // of the list of domains
	Ordinal  int        `json:"ordinal"` // 0-based place among the valid, distinct entries: the order of the summary
	Crawlers []Crawler  `json:"crawlers"`
	Started  time.Time  `json:"started"`         // UTC
	Logs     *LogPeriod `json:"logs,omitempty"`  // access logs with the hits of URLs; nil = none were given for this site
	Asked    []string   `json:"asked,omitempty"` // crawlers in whose names URLs are requested, see Asked; nil = not asked for
	Past     *Past      `json:"past,omitempty"`  // results of earlier runs, so that reports can be made again; nil = none
}

// Robots is the robots.txt of one origin, and how each crawler reads it.
type Robots struct {
	Index    int              `json:"index"`  // 0 = the site's own; URL.Origin refers to it
	Origin   string           `json:"origin"` // "https://example.com", "http://example.com:8080"
	File     crawl.RobotsFile `json:"file"`
	Reads    []Read           `json:"reads"`            // one for each of Site.Crawlers, in order
	Rules    []RuleLine       `json:"rules,omitempty"`  // every line that is a rule for at least one of the crawlers' profiles, by line
	Groups   []RuleGroup      `json:"groups,omitempty"` // groups of Rules, by line; nil in older records, and if values are not UTF-8
	Sitemaps []SitemapLine    `json:"sitemaps,omitempty"`
	Policy   *Policy          `json:"policy,omitempty"`  // of the site's own; nil in older records
	SameAs   string           `json:"same_as,omitempty"` // the earlier origin of this host with the same file, which reports the effects and findings of its lines for the URLs of both

	obeyed []*engine.Group // of Reads, see Obeyed
}

// Obeyed returns the groups that the crawlers obey, one for each of Reads. With them, receivers of
// a running audit's records need not read the file again. nil for a stored record.
func (r *Robots) Obeyed() []*engine.Group { return r.obeyed }

// LacksBody reports whether the record lacks the body of its robots.txt, so that URLs cannot be
// judged by it.
func (r *Robots) LacksBody() bool {
	return r.File.Status == 200 && r.File.Bytes > 0 && len(r.File.Body) == 0 && r.File.Code == ""
}

// Read describes how one crawler reads a robots.txt.
type Read struct {
	Access      engine.Access      `json:"access"`
	Why         string             `json:"why"`                    // in words: "HTTP 503: full disallow until it answers again (Google, …)"
	GroupLine   int                `json:"group_line,omitempty"`   // first user-agent line of the group that applies; 0 = none
	GroupTokens string             `json:"group_tokens,omitempty"` // its user-agent values, comma-separated
	GroupReason engine.GroupReason `json:"group_reason"`
	CrawlDelay  float64            `json:"crawl_delay,omitempty"` // seconds, if the profile obeys it
	Rules       int                `json:"rules"`                 // rules in the group
	BlocksRoot  bool               `json:"blocks_root,omitempty"` // "/" is blocked
	BlocksAll   bool               `json:"blocks_all,omitempty"`  // every other URL is blocked too; false in older records
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

// URLs is a batch of tested URLs of one site. The batch and all its slices belong to the auditor,
// which reuses them once the loop asks for the next record.
type URLs struct {
	List []URL

	verdicts []engine.Verdict // List's Verdicts are slices of it
	lines    []int32          // List's Lines are slices of it
	hits     []int64          // List's Hits are slices of it; empty without access logs
}

// URL is one known URL with its verdicts.
type URL struct {
	Loc      string // as a crawler requests it, see crawl.ResolveURL
	Written  string // as written in the sitemap or the user's own list, if different; "" = as Loc, except perhaps for a fragment
	LastMod  string // as written; "" = not given
	Kind     crawl.Kind
	Sitemap  int              // Sitemap.Index; -1: found on a page, or in the user's own list
	Origin   int              // Robots.Index of the robots.txt that applies to it
	Verdicts []engine.Verdict // one for each of Site.Crawlers
	Lines    []int32          // deciding lines, 0 = no rule decided
	Hits     []int64          // requests of each of Site.Crawlers, in the access logs of Site.Logs; nil = none
	Weight                    // set if the user's own list has the URL
}

// LinkCount compares the pages that were read with the sitemaps. It counts links to the site
// itself; a canonical URL counts as a link.
type LinkCount struct {
	Pages   int64 `json:"pages"`   // pages requested
	URLs    int64 `json:"urls"`    // distinct link targets of these pages, the first 50,000
	Blocked int64 `json:"blocked"` // of URLs: blocked for at least one crawler
	Orphans int64 `json:"orphans"` // URLs of the sitemaps, on the site's own host, without a link from these pages; 0 if none could be read

	Unread int64 `json:"unread,omitempty"` // of Pages: no links could be read, because they failed or are not HTML
	Kept   int64 `json:"kept,omitempty"`   // pages of the site that were found, but that robots.txt blocks for this program

	Home          *HomeFailure `json:"home,omitempty"`           // nil = the home page answered, or was not requested
	NoIndexUnseen int64        `json:"noindex_unseen,omitempty"` // blocked pages with a noindex that a crawler never sees: see Page.NoIndexUnseen
	ListedNoIndex int64        `json:"listed_noindex,omitempty"` // pages of sitemaps with a noindex: see Page.ListedNoIndex
}

// Read is the number of pages whose links are known. If it is 0, the counts of URLs mean nothing.
func (l *LinkCount) Read() int64 { return l.Pages - l.Unread }

// Sitemap is one sitemap that was read, with the results for its URLs.
type Sitemap struct {
	crawl.SitemapFile
	Tested    int64            `json:"tested"`             // distinct URLs tested
	Repeated  int64            `json:"repeated,omitempty"` // URLs that an earlier entry had already
	LeftOut   map[string]int64 `json:"left_out,omitempty"` // reason → URLs not tested
	Blocked   []int64          `json:"blocked"`            // tested URLs blocked, for each crawler
	Self      []engine.Verdict `json:"self,omitempty"`     // verdict of each crawler on the sitemap itself
	SelfLines []int32          `json:"self_lines,omitempty"`
	// BlockedTarget is the URL that Self is about, where that is not URL itself: a target of its redirects, on
	// the same origin, that rules block.
	BlockedTarget string `json:"blocked_target,omitempty"`
}

// Problem is an error of the site. It is data, not an error of this program.
type Problem struct {
	Stage  string `json:"stage"` // StageRobots, …
	Code   string `json:"code"`  // see crawl's codes
	URL    string `json:"url,omitempty"`
	Detail string `json:"detail,omitempty"`
	Host   string `json:"host,omitempty"` // of URLs that are tested with no site; "1 more host", "12 more hosts" for several
	URLs   int64  `json:"urls,omitempty"` // number of these URLs
}

// Rules describes the effect of one group's rules on the site's URLs.
type Rules struct {
	Origin   int         `json:"origin"`   // Robots.Index
	Crawlers []int       `json:"crawlers"` // indices into Site.Crawlers of the crawlers with these counts
	Counts   []RuleCount `json:"counts"`   // in the order of the file
}

// RuleCount is the effect of one rule on the verdicts.
type RuleCount struct {
	Line    int    `json:"line"`
	Rule    string `json:"rule"`    // "disallow: /a"
	Matched int64  `json:"matched"` // URLs whose path the rule matches
	Decided int64  `json:"decided"` // URLs whose verdict it decides
	Frees   int64  `json:"frees"`   // URLs that would become allowed if this line were deleted, including URLs that other lines decide
	Blocks  int64  `json:"blocks"`  // URLs that would become blocked if this line were deleted; likewise

	Join    engine.Join `json:"join,omitzero"`     // further effects of the deletion
	Unknown string      `json:"unknown,omitempty"` // why Frees and Blocks are unknown, as part of a sentence; "" = they are known
}

// State is a site's result in one word.
type State string

const (
	OK           State = "ok"       // read, and no URL is blocked that is asked for
	Warn         State = "warn"     // needs a look: URLs that are asked for are blocked, or something could not be checked
	Critical     State = "critical" // for a crawler that leads, the home page, a large share of the known URLs, or everything by an answer is blocked; or robots.txt is an HTML page; or logs prove that the server refuses it
	Undetermined State = "unknown"  // could not be read; never counted as OK
)

// Rank is the position of a state in lists of sites, from 0 on: critical, warn, unknown, ok.
// Unknown sites are neither good nor bad, and come before those that are OK.
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
	Unknown    int64   `json:"unknown,omitempty"` // of URLs: with an unknown or undefined verdict for at least one crawler
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

// Done is the last record of a site, with its summary.
type Done struct {
	State         State              `json:"state"`
	Why           string             `json:"why"`              // the lead: the greatest effect and the reason for the state, in one or a few sentences with which all reports begin
	Ground        string             `json:"ground,omitempty"` // the reason for the state: one of the Ground constants; "" in older records
	Origin        string             `json:"origin"`           // the origin that was audited
	Counts                           // of pages
	Clicks        int64              `json:"clicks,omitempty"`         // of the tested URLs, if the user's own list has them
	BlockedClicks int64              `json:"blocked_clicks,omitempty"` // of the URLs of BlockedAny
	ClicksBlocked []int64            `json:"clicks_blocked,omitempty"` // of the URLs of Blocked, for each crawler; nil = no clicks given
	Hits          []int64            `json:"hits,omitempty"`           // requests of each crawler for the tested URLs; nil = no access logs, see Site.Logs
	HitsBlocked   []int64            `json:"hits_blocked,omitempty"`   // of Hits, those for URLs that are blocked for the same crawler
	Kinds         map[string]*Counts `json:"kinds,omitempty"`          // alternates, images, videos: not included in the counts above
	Indexed       *IndexedCount      `json:"indexed,omitempty"`        // nil = no list of indexed URLs given
	Links         *LinkCount         `json:"links,omitempty"`          // nil = links were not followed
	Sitemaps      int                `json:"sitemaps"`                 // sitemaps read
	LeftOut       map[string]int64   `json:"left_out,omitempty"`
	Problems      int                `json:"problems"`
	Findings      *Severities        `json:"findings,omitempty"` // of all origins' Findings; nil in older records
	Effects       *Severities        `json:"effects,omitempty"`  // the same by Finding.Effect; nil in older records
	Policy        *PolicyReach       `json:"policy,omitempty"`   // effects of Robots.Policy
	Finished      time.Time          `json:"finished"`           // UTC

	// SitemapsRead counts the sitemaps that could be read at least in part. SitemapsUnread counts
	// known sitemaps that failed, may not be requested, or are beyond a limit. Both are 0 if there
	// are none, and in older records.
	SitemapsRead   int64    `json:"sitemaps_read,omitempty"`
	SitemapsUnread int64    `json:"sitemaps_unread,omitempty"`
	KindsSkipped   int64    `json:"kinds_skipped,omitempty"` // alternates, images and videos in sitemaps that are not tested because Auditor.Kinds lacks their kind; each mention counts
	ClicksGiven    int64    `json:"clicks_given,omitempty"`  // tested URLs with clicks in the user's own list, even 0
	WrongBases     []string `json:"wrong_bases,omitempty"`   // origins that sitemaps name where none names a URL of this host
	Limits         []Limit  `json:"limits,omitempty"`        // limits of this audit that the site reached; see Bound
}

// RuleGroup names the group of all rules from a line on, up to the line of the next RuleGroup.
type RuleGroup struct {
	Line   int    `json:"line"`             // of the first of the rules
	Tokens string `json:"tokens,omitempty"` // user-agent values as written, comma-separated
}

// RuleGroups returns the groups of a file's rules, by different readings of the crawlers. If
// readings differ, the alphabetically first user-agent values win. rules are Robots.Rules.
func RuleGroups(rules []RuleLine, readings []*engine.Robots) []RuleGroup {
	of := map[int]string{}
	for _, robots := range readings {
		for tokens, rules := range robots.GroupRules() {
			joined := strings.Join(tokens, ", ")
			for _, rule := range rules {
				if old, ok := of[rule.Line]; !ok || joined < old {
					of[rule.Line] = joined
				}
			}
		}
	}
	var groups []RuleGroup
	for _, rule := range rules {
		tokens := of[rule.Line]
		if n := len(groups); n > 0 && groups[n-1].Tokens == tokens {
			continue
		}
		groups = append(groups, RuleGroup{rule.Line, strings.Clone(tokens)})
	}
	return groups
}

// RuleGroups returns Robots.Groups of a record. If the record has none, it derives them from the
// answer as the crawlers read it.
func (a *Answers) RuleGroups(r *Robots, crawlers []Crawler) []RuleGroup {
	if r.Groups != nil || len(r.Rules) == 0 {
		return r.Groups
	}
	var different []*engine.Robots
	for i := range crawlers {
		if c, p, ok := crawlers[i].Robot(); ok {
			if robots := a.Read(r.Index, p, c); !slices.Contains(different, robots) {
				different = append(different, robots)
			}
		}
	}
	return RuleGroups(r.Rules, different)
}

// recordable returns groups that a record can store: nil if values are not UTF-8, which JSON cannot
// store.
func recordable(groups []RuleGroup) []RuleGroup {
	if slices.ContainsFunc(groups, func(g RuleGroup) bool { return !utf8.ValidString(g.Tokens) }) {
		return nil
	}
	return groups
}
