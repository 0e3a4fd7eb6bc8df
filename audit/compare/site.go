package compare

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Site has the differences between the two sides of a site. Counts are of pages; images, videos and
// alternates are in Kinds.
type Site struct {
	Name     string
	Old, New *Side     // nil = that run does not know the site
	Crawlers []Crawler // those that both sides tested, in the order of the new side
	Origins  []Origin  // origins whose robots.txt a side knows; the site's own first, then those with flips
	Changes  []Change  // most severe first
	Readers  []Change  // differences of the runs' crawlers and settings: the same for all sites of two runs, and no change of a site
	Totals   Totals
	Clicks   Traffic           // of the pages in Totals
	Hits     []Traffic         // requests of each of Crawlers for the pages that both sides know; nil = neither side has access logs
	Unjudged int64             // pages of which it is unclear for a crawler whether they are newly blocked
	Flips    []CrawlerTotals   // one for each of Crawlers
	Causes   map[Cause]int64   // pages with a flip of that cause
	Kinds    map[string]Totals // by the name of the kind, such as "image"; nil = none
	Sections []Section         // by the first directory of the path, most weight first
	Ahead    []Ahead           // forecast for the new side's own robots.txt, for all its crawlers; nil = it is reachable
	Notes    []string          // notes on the comparison, a sentence each
}

// Changed reports whether there is anything to report about a site. Different crawlers or profiles
// of the runs do not count, unless they flip a URL.
func (s *Site) Changed() bool {
	changed := slices.ContainsFunc(s.Changes, func(c Change) bool { return c.Kind != KindCrawlers })
	return s.Old == nil || s.New == nil || changed || len(s.Kinds) > 0 || !s.Totals.same()
}

// Unread says that robots.txt could not be read on a side; "" = it could. It is then unknown what is
// newly blocked: crawlers may get another answer than we did.
func (s *Site) Unread() string {
	was, is := s.Old != nil && s.Old.Unread, s.New != nil && s.New.Unread
	switch {
	case was && is:
		return "robots.txt could not be read, neither before nor now"
	case was:
		return "robots.txt could not be read before"
	case is:
		return "robots.txt cannot be read now"
	}
	return ""
}

// Idle says that no URL is of these hosts, whose robots.txt Serve replaced; "" = some are, or none was
// found at all. Then it is unknown what the new files block.
func (s *Site) Idle(hosts ...string) string {
	var most *Origin
	for i := range s.Origins {
		switch o := &s.Origins[i]; {
		case o.Pages == 0:
		case slices.Contains(hosts, hostOf(o.Name)):
			return ""
		case most == nil || o.Pages > most.Pages:
			most = o
		}
	}
	if most == nil {
		return ""
	}
	return "URLs were found only on " + most.Name + ", whose robots.txt is not replaced. Name that host in -robots, or audit it"
}

// Side is the result of one run for the site as a whole.
type Side struct {
	Started  time.Time // UTC
	Finished time.Time // UTC; zero = the run stopped within the site, and URLs may be missing
	State    audit.State
	Unread   bool // the site's own robots.txt was requested, and no answer can be interpreted
	Crawlers []audit.Crawler
	Logs     *audit.Logs  // what its access logs say; nil = none were given, or they have no crawler
	AskAs    []string     // crawlers in whose names URLs were to be requested; nil = none
	Asked    *audit.Asked // the answers; nil = there are none
	URLs     int64        // known pages
	Blocked  int64        // pages blocked for at least one of Site.Crawlers
}

// Crawler is a crawler that both sides tested.
type Crawler struct {
	Label    string // of the new side: "Googlebot"
	Old, New audit.Crawler
}

// SameReader reports whether the crawler has the same tokens and profile on both sides.
func (c *Crawler) SameReader() bool {
	return c.Old.Name == c.New.Name && c.Old.Profile == c.New.Profile && slices.Equal(c.Old.Tokens, c.New.Tokens)
}

// Counts count URLs whose verdict differs, by class.
type Counts struct {
	NewlyBlocked int64 `json:"newly_blocked"`
	NewlyAllowed int64 `json:"newly_allowed"`
	NowUnclear   int64 `json:"now_unclear"`
	ClearAgain   int64 `json:"clear_again"`
}

// Of returns the count of a class; nil for Same, which is not counted.
func (c *Counts) Of(class Class) *int64 {
	return [...]*int64{nil, &c.NewlyBlocked, &c.NewlyAllowed, &c.NowUnclear, &c.ClearAgain}[class]
}

// Flips is the sum of the counts: a URL that flips in two ways counts twice.
func (c *Counts) Flips() int64 { return c.NewlyBlocked + c.NewlyAllowed + c.NowUnclear + c.ClearAgain }

// ByClass yields the classes with their counts, in the order of the fields.
func (c *Counts) ByClass() iter.Seq2[Class, int64] {
	return func(yield func(Class, int64) bool) {
		for class := NewlyBlocked; class <= ClearAgain && yield(class, *c.Of(class)); class++ {
		}
	}
}

// Add adds other counts.
func (c *Counts) Add(other Counts) {
	for class, n := range other.ByClass() {
		*c.Of(class) += n
	}
}

// Totals count pages. A page that flips in different ways for two crawlers counts for both.
type Totals struct {
	Known           int64 `json:"known_urls"` // to both sides
	Counts                // for at least one of the crawlers
	Appeared        int64 `json:"appeared"`
	AppearedBlocked int64 `json:"appeared_blocked"` // of Appeared, for at least one of the crawlers
	Vanished        int64 `json:"vanished"`
	Weight          int64 `json:"weight"` // of the pages that flip: clicks, or 1 each
}

// Add adds the counts of another site.
func (t *Totals) Add(other *Totals) {
	t.Counts.Add(other.Counts)
	t.Known += other.Known
	t.Appeared += other.Appeared
	t.AppearedBlocked += other.AppearedBlocked
	t.Vanished += other.Vanished
	t.Weight += other.Weight
}

// same reports whether nothing flips, and no side knows a URL that the other does not.
func (t *Totals) same() bool { return *t == Totals{Known: t.Known} }

// Traffic has the clicks of the pages that both sides know, from the user's own list, or the hits of
// a crawler, from access logs.
type Traffic struct {
	Pages  int64 // pages with clicks or hits; 0 = no list has any
	Known  int64 // clicks or hits of all of them
	Counts       // clicks of the pages of each class; hits of pages that are of the class for the crawler
}

// AllHits is the sum of Hits.
func (s *Site) AllHits() (sum Traffic) {
	for _, of := range s.Hits {
		sum.Known += of.Known
		sum.Counts.Add(of.Counts)
	}
	return sum
}

// CrawlerTotals count the pages that flip for one crawler.
type CrawlerTotals struct {
	Counts
	Clicks          Counts `json:"-"` // of Counts, without the pages that have none
	Unjudged        int64  `json:"-"` // pages of which it is unclear whether they are newly blocked
	AppearedBlocked int64  `json:"appeared_blocked"`
	Weight          int64  `json:"weight"`         // of Counts: clicks, or 1 each
	WeightBlocked   int64  `json:"weight_blocked"` // of NewlyBlocked
	WeightAllowed   int64  `json:"weight_allowed"` // of NewlyAllowed
}

// Section is a directory of the site with its flips.
type Section struct {
	Path          string `json:"path"`           // "/shop/"; "/" = directly below the root; "" = all further ones
	Host          string `json:"host,omitempty"` // where URLs of several hosts flip; "" = the site's own
	NewlyBlocked  int64  `json:"newly_blocked"`
	NewlyAllowed  int64  `json:"newly_allowed"`
	WeightBlocked int64  `json:"weight_blocked"`
	WeightAllowed int64  `json:"weight_allowed"`
}

// Origin is the robots.txt of one origin on both sides.
type Origin struct {
	Name     string  // "https://example.com"
	Old, New *Answer // nil = that side did not ask it
	SameAs   string  // an earlier origin of this host with the same file on both sides, which represents this one in all changes; "" = none
	Diff     []Line  // the changed lines between the old and the new file; nil = no difference, or they cannot be compared line by line

	// What it affects.
	Pages    int64 // pages that it applies to, on the side with more
	Counts         // of its pages, and of those of origins whose SameAs it is
	Sitemaps int   // sitemaps on it, or redirected to it, on the side with more
}

// Answer is the answer of one origin to the request for robots.txt, with its meaning.
type Answer struct {
	Status    int
	Code      string // of an error, see package crawl; "" = the body was read completely
	FinalURL  string // of the last hop
	Hops      int    // redirects
	Type      string // Content-Type
	Bytes     int64
	SHA256    string
	Body      []byte          // nil = the record has none
	Kind      BodyKind        // kind of the body
	Access    []engine.Access // for each of Site.Crawlers
	Why       []string        // likewise, in words
	Given     bool            // the file was given, not requested: see crawl.Outcome.Given
	HasAnswer bool            // the record has the answer: verdicts are judged from it
}

// BodyKind is the kind of the body of a robots.txt.
type BodyKind string

// The kinds of a body.
const (
	BodyNone   BodyKind = "none"   // no body: another status than 200, or no answer
	BodyEmpty  BodyKind = "empty"  // no bytes, or only white space
	BodyText   BodyKind = "text"   // as it should be
	BodyHTML   BodyKind = "html"   // a page
	BodyBinary BodyKind = "binary" // UTF-16, an image, …
)

// Op is how a line changed.
type Op string

// The ways in which a line changed.
const (
	Added   Op = "+"
	Removed Op = "-"
	Edited  Op = "~"
	Moved   Op = "moved"
)

// Words returns the change in a word: "added", "removed", "edited", "moved".
func (op Op) Words() string {
	switch op {
	case Added:
		return "added"
	case Removed:
		return "removed"
	case Edited:
		return "edited"
	}
	return string(op)
}

// Line is a changed line of robots.txt.
type Line struct {
	Op      Op
	OldLine int    // 1-based; 0 = added
	NewLine int    // 1-based; 0 = removed
	Old     string // text without its line end; "" = added
	New     string // "" = removed; as Old if moved

	// The effect of the line alone: pages with at least one verdict that becomes the old one again
	// if only this change is undone. Judged again, not guessed.
	NewlyBlocked, NewlyAllowed int64
	OtherFlips                 int64 // now unclear, clear again
	Weight                     int64
	Together                   int64 // pages whose old verdict needs this change and others to be undone
	NotCounted                 bool  // there are too many changed lines to undo each of them
}

// Flips is the number of pages that the line flips, alone or with others.
func (l *Line) Flips() int64 { return l.NewlyBlocked + l.NewlyAllowed + l.OtherFlips + l.Together }

// Severity is how severe a change is.
type Severity string

// The severities, most severe first, as in alerts.
const (
	Critical Severity = "critical"
	High     Severity = "high"
	Medium   Severity = "medium"
	Info     Severity = "info"
)

// Word is the name of the severity for people: critical, error, warning, info.
func (s Severity) Word() string {
	switch s {
	case High:
		return "error"
	case Medium:
		return "warning"
	}
	return string(s)
}

// count writes a number of changes of this severity: "1 critical", "2 warnings".
func (s Severity) count(n int64) string {
	if s == High || s == Medium {
		return wording.Plural(n, s.Word())
	}
	return wording.Thousands(n) + " " + s.Word()
}

// Severities count changes.
type Severities struct {
	Critical int64 `json:"critical"`
	High     int64 `json:"high"`
	Medium   int64 `json:"medium"`
	Info     int64 `json:"info"`
}

// CountSeverities counts changes.
func CountSeverities(changes []Change) (s Severities) {
	for i := range changes {
		*s.Of(changes[i].Severity)++
	}
	return s
}

// Of returns the count of a severity.
func (s *Severities) Of(severity Severity) *int64 {
	switch severity {
	case Critical:
		return &s.Critical
	case High:
		return &s.High
	case Medium:
		return &s.Medium
	}
	return &s.Info
}

// Changes returns the total number of changes.
func (s Severities) Changes() int64 { return s.Critical + s.High + s.Medium + s.Info }

// Add adds other counts.
func (s *Severities) Add(other Severities) {
	s.Critical += other.Critical
	s.High += other.High
	s.Medium += other.Medium
	s.Info += other.Info
}

// Words lists the changes by severity: "1 critical, 2 warnings"; "" = none.
func (s Severities) Words() (words string) {
	for _, severity := range []Severity{Critical, High, Medium, Info} {
		if n := *s.Of(severity); n > 0 {
			words = wording.Join(words, severity.count(n))
		}
	}
	return words
}

// Change is a fact that differs between the two sides.
type Change struct {
	Kind      string   `json:"kind"`   // one of the Kind constants
	What      string   `json:"what"`   // the subject: "https://example.com/robots.txt", "sitemap https://…", a line, a crawler
	Before    string   `json:"before"` // in words; "" = it was not there
	After     string   `json:"after"`  // in words; "" = it is not there any more
	Severity  Severity `json:"severity"`
	Condition string   `json:"condition,omitempty"` // of the alerts: "AL05"; "" = none of them

	// Additional data for alerts. Only set for changes with the Condition of an alert, except those
	// that resolve one.
	Subjects []string `json:"-"` // the subjects, sorted: crawlers, origins, sitemaps, ids of findings; at most MaxSubjects and MoreSubjects
	URLs     int64    `json:"-"` // affected pages; 0 = it is not about pages, or they were not counted

	// The data of Before and After, for texts with other words.
	Short    string         `json:"-"` // one item of After: for KindStatus the answer, for KindSize the first limit, for KindStaging the signs other than that everything is blocked
	Asker    *audit.Problem `json:"-"` // for KindAsker: the answer that differs
	Rule     engine.Rule    `json:"-"` // for KindRoot: the rule that blocks "/" now; Line 0 = none
	Crawlers []int          `json:"-"` // for KindRoot: indices into Site.Crawlers
	Finding  string         `json:"-"` // for KindLint: its id
	Reach    [2]Reach       `json:"-"` // for KindPolicy: before, now; zero for a change of Preferences
	Shares   [2]Share       `json:"-"` // for KindShare: before, now
	Treated  []Treated      `json:"-"` // for KindTreatment: one for each crawler
	Times    []time.Time    `json:"-"` // that After has, as Moment writes them; for KindDisobeyed also the last request
}

// Share is a number of blocked pages, and of known pages.
type Share struct{ Blocked, Of int64 }

// Less reports whether the blocked share is smaller than t.
func (s Share) Less(t Share) bool { return s.Blocked*t.Of < t.Blocked*s.Of }

func (s Share) String() string {
	return fmt.Sprintf("%s of %s blocked", wording.Percent(s.Blocked, s.Of), wording.URLs(s.Of))
}

// Own returns the site's own robots.txt on both sides; nil = neither side requested it.
func (s *Site) Own() *Origin {
	if len(s.Origins) == 0 {
		return nil
	}
	return &s.Origins[0]
}

// MaxSubjects bounds the subjects of a change. If there are more, the last one is MoreSubjects;
// then different comparisons may omit different subjects.
const (
	MaxSubjects  = 100
	MoreSubjects = "…"
)

// Ahead is a forecast for a site's own unreachable robots.txt, for crawlers with the same forecast.
// Blocked search engines come first.
type Ahead struct {
	Crawlers []string // labels, in the order of the new side
	Steps    []engine.Prediction
}

// Item is a step of a comparison: exactly one field is set. Begin comes first, Flips as they are
// found, and Site, the same *Site, at the end.
type Item struct {
	Begin *Site // Name and Crawlers are set
	Flip  *Flip
	Site  *Site // complete
}
