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

// Site is what differs between the two sides of a site. Counts are of pages; images,
// videos and alternates are in Kinds.
type Site struct {
	Name     string
	Old, New *Side     // nil = that run does not know the site
	Crawlers []Crawler // those that both sides asked about, in the order of the new side
	Origins  []Origin  // whose robots.txt one of the sides knows; the site's own first, then those where URLs flip
	Changes  []Change  // the most severe first
	Readers  []Change  // what the two runs asked, and how they read: the same for all sites of two runs, and no change of a site
	Totals   Totals
	Flips    []CrawlerTotals   // one for each of Crawlers
	Causes   map[Cause]int64   // pages with a flip of that cause
	Kinds    map[string]Totals // by the word of the kind, such as "image"; nil = there are none
	Sections []Section         // by the first directory of the path, those with the most weight first
	Ahead    []Ahead           // of the new side's own robots.txt; nil = it can be had. Whether or not the crawlers are compared
	Notes    []string          // what the reader must know of how it was compared, a sentence each
}

// Changed says whether there is anything to report about a site. That the runs asked about
// other crawlers, or read them another way, is not, unless a URL flips by it.
func (s *Site) Changed() bool {
	changed := slices.ContainsFunc(s.Changes, func(c Change) bool { return c.Kind != KindCrawlers })
	return s.Old == nil || s.New == nil || changed || len(s.Kinds) > 0 || !s.Totals.same()
}

// Side is what one run says of the site as a whole.
type Side struct {
	Started  time.Time // UTC
	Finished time.Time // UTC; zero = the run was cut short within the site, and URLs may be missing
	State    audit.State
	Crawlers []audit.Crawler
	URLs     int64 // pages that are known
	Blocked  int64 // pages blocked for at least one of Site.Crawlers
}

// Crawler is one that both sides asked about.
type Crawler struct {
	Label    string // of the new side: "Googlebot"
	Old, New audit.Crawler
}

// SameReader reports whether both sides mean the same by the crawler: its tokens and
// its profile.
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

// Totals count pages. A page that flips one way for one crawler and another way for
// another is counted for both.
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

// CrawlerTotals count the pages that flip for one crawler.
type CrawlerTotals struct {
	Counts
	AppearedBlocked int64 `json:"appeared_blocked"`
	Weight          int64 `json:"weight"`         // of Counts: clicks, or 1 each
	WeightBlocked   int64 `json:"weight_blocked"` // of NewlyBlocked
	WeightAllowed   int64 `json:"weight_allowed"` // of NewlyAllowed
}

// Section is what flips in one directory of the site.
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
	SameAs   string  // an earlier origin of this host with the very same file on both sides, which stands for this one in all changes; "" = none
	Diff     []Line  // how the lines of the new file come of those of the old one, without those that stay; nil = nothing differs, or the files cannot be compared line by line

	// What rests on it.
	Pages    int64 // pages that it governs, on the side where they are more
	Counts         // of them, and of those of origins whose SameAs it is
	Sitemaps int   // that lie there, or are redirected there, on the side where they are more
}

// Answer is what one origin answered for its robots.txt, and what that means.
type Answer struct {
	Status    int
	Code      string // of trouble, see package crawl; "" = the body was read whole
	FinalURL  string // of the last hop
	Hops      int    // redirects
	Type      string // Content-Type
	Bytes     int64
	SHA256    string
	Body      []byte          // nil = the record has none
	Kind      BodyKind        // what the body is
	Access    []engine.Access // for each of Site.Crawlers
	Why       []string        // likewise, in words
	Given     bool            // nobody was asked: see crawl.Outcome.Given
	HasAnswer bool            // the record holds the answer: verdicts are judged from it
}

// BodyKind is what the body of a robots.txt is.
type BodyKind string

// The kinds of a body.
const (
	BodyNone   BodyKind = "none"   // there is none: another status than 200, or no answer
	BodyEmpty  BodyKind = "empty"  // no byte, or white space alone
	BodyText   BodyKind = "text"   // as it should be
	BodyHTML   BodyKind = "html"   // a page
	BodyBinary BodyKind = "binary" // UTF-16, an image, …
)

// Op is how a line differs.
type Op string

// The ways in which a line differs.
const (
	Added   Op = "+"
	Removed Op = "-"
	Edited  Op = "~"
	Moved   Op = "moved"
)

// Words returns how a line differs in a word: "added", "removed", "edited", "moved".
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

// Line is a line of robots.txt that differs.
type Line struct {
	Op      Op
	OldLine int    // 1-based; 0 = added
	NewLine int    // 1-based; 0 = removed
	Old     string // text without its end; "" where it is added
	New     string // "" where it is removed; as Old where it has moved

	// What the line does by itself: pages whose verdict for at least one crawler comes
	// to be the old one if this change alone is put back. Judged again, not guessed.
	NewlyBlocked, NewlyAllowed int64
	OtherFlips                 int64 // now unclear, clear again
	Weight                     int64
	Together                   int64 // pages for whose old verdict it takes this change and others to be put back
	NotCounted                 bool  // there are too many changed lines to put each of them back
}

// Flips is the number of pages that the line flips, alone or with others.
func (l *Line) Flips() int64 { return l.NewlyBlocked + l.NewlyAllowed + l.OtherFlips + l.Together }

// Severity is how grave a change is.
type Severity string

// The severities, the most severe first, as alerts have them.
const (
	Critical Severity = "critical"
	High     Severity = "high"
	Medium   Severity = "medium"
	Info     Severity = "info"
)

// Word is the severity as people read it everywhere: critical, error, warning, info.
func (s Severity) Word() string {
	switch s {
	case High:
		return "error"
	case Medium:
		return "warning"
	}
	return string(s)
}

// count is a number of changes of this severity: "1 critical", "2 warnings".
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

// Changes is the number of all of them.
func (s Severities) Changes() int64 { return s.Critical + s.High + s.Medium + s.Info }

// Add adds other counts.
func (s *Severities) Add(other Severities) {
	s.Critical += other.Critical
	s.High += other.High
	s.Medium += other.Medium
	s.Info += other.Info
}

// Words are the changes by their severity: "1 critical, 2 warnings"; "" = there are none.
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
	What      string   `json:"what"`   // of what: "https://example.com/robots.txt", "sitemap https://…", a line, a crawler
	Before    string   `json:"before"` // in words; "" = it was not there
	After     string   `json:"after"`  // in words; "" = it is not there any more
	Severity  Severity `json:"severity"`
	Condition string   `json:"condition,omitempty"` // of the alerts: "AL05"; "" = none of them

	// What an alert needs beside the words. Of changes with the Condition of an alert alone, not of one that ends another.
	Subjects []string `json:"-"` // what it is about, one by one, sorted: crawlers, origins, sitemaps, ids of findings; at most MaxSubjects and MoreSubjects
	URLs     int64    `json:"-"` // pages that it concerns; 0 = it is not about pages, or nobody has counted them

	// What Before and After say, for texts that say it in other words.
	Short    string         `json:"-"` // After with one thing alone: of KindStatus the answer, of KindSize the first limit, of KindStaging the signs beside that everything is blocked
	Asker    *audit.Problem `json:"-"` // of KindAsker: the answer that differs
	Rule     engine.Rule    `json:"-"` // of KindRoot: what blocks "/" now; Line 0 = no rule does
	Crawlers []int          `json:"-"` // of KindRoot: indices into Site.Crawlers
	Finding  string         `json:"-"` // of KindLint: its id
	Reach    [2]Reach       `json:"-"` // of KindPolicy: before, now; the zero value where the change is one of Preferences
	Shares   [2]Share       `json:"-"` // of KindShare: before, now
}

// Share is a number of pages that are blocked, of all that are known.
type Share struct{ Blocked, Of int64 }

// Less reports whether a smaller part is blocked than of another.
func (s Share) Less(t Share) bool { return s.Blocked*t.Of < t.Blocked*s.Of }

func (s Share) String() string {
	return fmt.Sprintf("%s of %s blocked", wording.Percent(s.Blocked, s.Of), wording.URLs(s.Of))
}

// Own is the site's own robots.txt on both sides; nil = neither has asked it.
func (s *Site) Own() *Origin {
	if len(s.Origins) == 0 {
		return nil
	}
	return &s.Origins[0]
}

// MaxSubjects bounds the subjects of a change. Where there are more, the last one is
// MoreSubjects: which of them are left out may differ from one comparison to the next.
const (
	MaxSubjects  = 100
	MoreSubjects = "…"
)

// Ahead is what becomes of a site's own robots.txt that is unreachable, to crawlers to
// which it is the same. Those of search engines that are blocked come first.
type Ahead struct {
	Crawlers []string // labels, in the order of the new side
	Steps    []engine.Prediction
}

// Item is a step of a comparison: exactly one field is set. Begin comes first, Flips
// as they are found, and Site, the same *Site, at the end.
type Item struct {
	Begin *Site // Name and Crawlers are known
	Flip  *Flip
	Site  *Site // all is known
}
