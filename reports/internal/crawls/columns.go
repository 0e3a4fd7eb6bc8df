package crawls

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/site"
)

// Column is a column of a table, on a sheet and on a page.
type Column[T any] struct {
	Title string
	Note  string              // what the title means; "" = it says so
	Width float64             // on the sheet, in characters
	Value func(*T) site.Value // the zero Value = nothing to say
	Time  func(*T) time.Time  // in place of Value, in UTC; zero = none
	Below func(*T) string     // on the page, a further line; nil = none
	Class string              // on the page, the colour of a cell with a value: "critical", "warn"; "" = none
	Only  string              // the value that has the colour; "" = each
	Kind  Kind
	Days  bool // Time is a day
}

// Kind says how a column is shown.
type Kind uint8

// Kinds of columns.
const (
	Plain   Kind = iota
	Name         // the row's name, which may be long
	Bar          // a number with a bar on the sheet
	OnSheet      // only on the sheet
	ID           // a number that is a name
)

// Text returns the cell of a row as text; number = it is aligned as a number.
func (c *Column[T]) Text(row *T) (text string, number bool) {
	if c.Time != nil {
		if t := c.Time(row); !t.IsZero() {
			return Moment(t), false
		}
		return "", false
	}
	v := c.Value(row)
	return v.String(), v.Kind > site.TextValue
}

// Rows of tables.
type (
	// Rule is a rule that blocks requests of a crawler.
	Rule struct {
		*Crawler
		*audit.LogRule
	}
	// Read is a new version of robots.txt, and when a crawler read it.
	Read struct {
		*Crawler
		*audit.LogLearnt
	}
	// Part is a part of the site, with a crawler's requests.
	Part struct {
		*Crawler
		Kind string // "directory", "template", "segment", "type"
		*audit.LogPart
	}
	// Date is a day of a crawler.
	Date struct {
		*Crawler
		*audit.LogDay
	}
	// Address is an example of a URL.
	Address struct {
		*Crawler
		What, URL string
	}
	// Version is a version of a site's robots.txt.
	Version struct {
		Site *Site
		*audit.LogVersion
	}
	// Directory is a directory of a site, with the requests of all crawlers.
	Directory struct {
		Site *Site
		audit.LogPart
		By   [NotGenuine + 1]int64 // requests by Group
		Save int64                 // requests of crawlers that obey, to URLs that are not blocked yet
	}
)

// lost counts the requests that brought nothing.
func (d *Directory) lost() int64 { return d.Redirects + d.Errors }

// saved counts the requests that blocking the directory would save. The whole site is no directory to block.
func (d *Directory) saved() int64 {
	if d.Name == "/" {
		return 0
	}
	return d.Save
}

// words begin a sentence on what the directory has.
func (d *Directory) words() string {
	if d.Name == "/" {
		return "URLs directly below the root, in no directory, have"
	}
	return escape.Quoted(d.Name, longestName) + " has"
}

// All returns a function that puts the rows of all crawlers of a site together.
func All[T any](of func(*Crawler) []*T) func(*Site) []*T {
	return func(s *Site) (rows []*T) {
		for _, c := range s.Crawlers {
			rows = append(rows, of(c)...)
		}
		return rows
	}
}

// rowsOf makes a row of each element.
func rowsOf[E, T any](list []E, row func(*E) *T) (rows []*T) {
	for i := range list {
		rows = append(rows, row(&list[i]))
	}
	return rows
}

// RuleRows are the rules that block requests of the crawler.
func (c *Crawler) RuleRows() []*Rule {
	return rowsOf(c.Rules, func(r *audit.LogRule) *Rule { return &Rule{c, r} })
}

// ReadRows are the versions that the crawler could learn, as it asks for robots.txt.
func (c *Crawler) ReadRows() []*Read {
	if c.Robots.Requests == 0 || c.free() {
		return nil
	}
	return rowsOf(c.Robots.Learned, func(l *audit.LogLearnt) *Read { return &Read{c, l} })
}

// PartKinds are the kinds of parts, with the titles of their tables.
var PartKinds = []struct{ Kind, Title string }{{"directory", "Directories"}, {"template", "Templates"}, {"segment", "Segments"}, {"type", "File types"}}

// PartRows are the parts of all kinds.
func (c *Crawler) PartRows() (rows []*Part) {
	for i, list := range [][]audit.LogPart{c.Directories, c.Templates, c.Segments, c.Types} {
		rows = append(rows, rowsOf(list, func(p *audit.LogPart) *Part { return &Part{c, PartKinds[i].Kind, p} })...)
	}
	return rows
}

// DateRows are the days.
func (c *Crawler) DateRows() []*Date {
	return rowsOf(c.Days, func(d *audit.LogDay) *Date { return &Date{c, d} })
}

// AddressRows are the examples of URLs.
func (c *Crawler) AddressRows() (rows []*Address) {
	add := func(what string, urls []string) {
		rows = append(rows, rowsOf(urls, func(url *string) *Address { return &Address{c, what, *url} })...)
	}
	for _, r := range c.RuleRows() {
		add("blocked by "+r.Place()+" ("+r.Version+")", r.Samples)
	}
	add(c.Ignored(), c.Never)
	add("requested, not found by the audit", c.Orphan)
	return rows
}

// Ignored names the URLs of Never. They are known to be allowed if blocked ones are known.
func (c *Crawler) Ignored() string {
	if c.NeverBlocked > 0 {
		return "in a sitemap and allowed, never requested"
	}
	return "in a sitemap, never requested"
}

// VersionRows are the versions of robots.txt, the newest first.
func (s *Site) VersionRows() (rows []*Version) {
	for i := range s.Versions {
		rows = append(rows, &Version{s, &s.Versions[len(s.Versions)-1-i]})
	}
	return rows
}

// Place says where the rule is: "line 17".
func (r *Rule) Place() string {
	if r.Line == 0 {
		return noRule
	}
	return "line " + strconv.Itoa(r.Line)
}

// Count is a number that is worth a cell only above 0.
func Count(n int64) site.Value {
	if n == 0 {
		return site.Value{}
	}
	return site.Number(n)
}

// id is a number that is a name: a line, a status.
func id(n int) site.Value {
	if n == 0 {
		return site.Value{}
	}
	return site.Text(strconv.Itoa(n))
}

// Columns of the tables. Each sheet begins with the site; a page has one section for each.

// CrawlerColumns are the columns of the table of crawlers.
var CrawlerColumns = []Column[Crawler]{
	{Title: "Site", Width: 26, Kind: OnSheet, Value: func(c *Crawler) site.Value { return site.Text(c.Site.Site) }},
	{Title: "Crawler", Width: 24, Kind: Name, Value: func(c *Crawler) site.Value { return site.Text(c.Name) }, Below: func(c *Crawler) string { return c.Purpose }},
	{Title: "Operator", Width: 16, Kind: OnSheet, Value: func(c *Crawler) site.Value { return site.Text(c.Operator) }},
	{Title: "Purpose", Width: 16, Kind: OnSheet, Value: func(c *Crawler) site.Value { return site.Text(c.Purpose) }},
	{Title: "Requests", Width: 12, Kind: Bar, Value: func(c *Crawler) site.Value { return site.Number(c.Own.Requests) }, Below: func(c *Crawler) string {
		return site.Share(c.Own.Requests, c.Site.Requests).String()
	}},
	{Title: "Share of requests", Width: 10, Kind: OnSheet, Value: func(c *Crawler) site.Value { return site.Share(c.Own.Requests, c.Site.Requests) }},
	{Title: "URLs", Width: 11, Value: func(c *Crawler) site.Value { return Count(c.URLs) }, Below: func(c *Crawler) string {
		if c.AboutURLs {
			return "estimated"
		}
		return ""
	}},
	{Title: "Obeyed", Width: 10, Value: func(c *Crawler) site.Value { return site.Share(c.obedience()) }},
	{Title: "Disobeyed", Note: "every robots.txt that the crawler could know blocks the URL", Width: 11, Value: func(c *Crawler) site.Value { return Count(c.Own.Disobeyed) }, Class: "critical"},
	{Title: "Blocked, not proved", Note: "the URL is blocked, but the address does not prove who sent the request", Width: 13, Value: func(c *Crawler) site.Value { return Count(c.Own.Blocked) }},
	{Title: "Not yet known", Note: "robots.txt blocks the URL, but the crawler had not read it", Width: 10, Value: func(c *Crawler) site.Value { return Count(c.Own.Grace) }},
	{Title: "Unclear", Note: "the versions that the crawler could know disagree, or are not known", Width: 10, Value: func(c *Crawler) site.Value { return Count(c.Own.Unclear) }},
	{Title: "Only claim the name", Note: "requests from addresses that the operator does not publish; no other figure has them", Width: 12, Value: func(c *Crawler) site.Value { return Count(claimed(c)) }},
	{Title: "Not judged", Note: "robots.txt does not apply to these requests", Width: 10, Kind: OnSheet, Value: func(c *Crawler) site.Value { return Count(c.Own.Exempt) }},
	{Title: "robots.txt requests", Width: 11, Kind: OnSheet, Value: func(c *Crawler) site.Value { return Count(c.Robots.Requests) }},
	{Title: "Last robots.txt request", Width: 20, Time: func(c *Crawler) time.Time { return c.Robots.Last }, Below: func(c *Crawler) string {
		if c.Robots.Last.IsZero() {
			return ""
		}
		return c.Site.answered(c.Robots.LastStatus)
	}},
	{Title: "Status", Width: 8, Kind: OnSheet, Value: func(c *Crawler) site.Value { return id(c.Robots.LastStatus) }},
	{Title: "Last read robots.txt", Width: 20, Kind: OnSheet, Time: (*Crawler).gotFile},
	{Title: "Knows current version", Width: 15, Value: func(c *Crawler) site.Value { return site.Text(c.current()) }, Class: "warn", Only: notYet},
	{Title: "Version it knows", Width: 20, Kind: OnSheet, Value: func(c *Crawler) site.Value { return site.Text(c.Robots.Knows) }},
	{Title: "In sitemap, never requested", Width: 17, Value: func(c *Crawler) site.Value { return Count(c.NeverFetched) }},
	{Title: "Not found by the audit", Note: "URLs that are in no sitemap, link or list of the audit", Width: 15, Value: func(c *Crawler) site.Value { return Count(c.Orphans) }},
	{Title: "Redirects", Width: 11, Value: func(c *Crawler) site.Value { return Count(c.Waste.Redirects) }},
	{Title: "Errors", Width: 11, Value: func(c *Crawler) site.Value { return Count(c.Waste.Errors) }},
	{Title: "With parameters", Note: "URLs with a query that no sitemap lists", Width: 11, Kind: OnSheet, Value: func(c *Crawler) site.Value { return Count(c.Waste.Parameters) }},
	{Title: "Blocked now", Note: "requests to URLs that the newest robots.txt blocks, whenever they came", Width: 11, Kind: OnSheet, Value: func(c *Crawler) site.Value { return Count(c.Waste.Blocked) }},
	{Title: "Networks that claim the name", Width: 36, Kind: OnSheet, Value: func(c *Crawler) site.Value { return site.Text(strings.Join(c.networks(), ", ")) }},
	{Title: "Only claim the name, blocked", Note: "of them, requests to URLs that robots.txt blocks", Width: 16, Kind: OnSheet, Value: func(c *Crawler) site.Value { return Count(c.LogCrawler.Claimed.Blocked) }},
	{Title: "Not checkable", Width: 12, Kind: OnSheet, Value: func(c *Crawler) site.Value { return Count(c.Unknown.Requests) }},
}

const notYet = "not yet"

// gotFile is the last time at which the crawler got the file; zero = it did not, or so long ago that the answer is
// not listed.
func (c *Crawler) gotFile() time.Time {
	for _, a := range slices.Backward(c.Robots.Answers) {
		if givesFile(a.Status) {
			return a.Last
		}
	}
	return time.Time{}
}

// current says whether the crawler knows the current version, in one word; "" = not known.
func (c *Crawler) current() string {
	newest := c.Site.newest()
	switch {
	case c.Site.Judged == audit.LogFile || newest == nil || c.Robots.Requests == 0:
		return ""
	case c.Waiting():
		return notYet
	case c.Robots.Knows == newest.Name:
		return "yes"
	}
	return "unclear"
}

// RuleColumns are the columns of the table of rules.
var RuleColumns = []Column[Rule]{
	{Title: "Site", Width: 26, Kind: OnSheet, Value: func(r *Rule) site.Value { return site.Text(r.Site.Site) }},
	{Title: "Crawler", Width: 24, Kind: OnSheet, Value: func(r *Rule) site.Value { return site.Text(r.Crawler.Name) }},
	{Title: "Rule", Width: 40, Kind: Name, Value: func(r *Rule) site.Value { return site.Text(cmp.Or(r.LogRule.Rule, noRule)) }},
	{Title: "Line", Width: 8, Kind: ID, Value: func(r *Rule) site.Value { return id(r.Line) }},
	{Title: "Version", Width: 20, Value: func(r *Rule) site.Value { return site.Text(r.Version) }},
	{Title: "Requests", Width: 12, Kind: Bar, Value: func(r *Rule) site.Value { return site.Number(r.Requests) }},
	{Title: "URLs", Width: 11, Value: func(r *Rule) site.Value { return Count(r.LogRule.URLs) }},
	{Title: "Disobeyed", Note: "every robots.txt that the crawler could know blocks the URL", Width: 11, Value: func(r *Rule) site.Value { return Count(r.Disobeyed) }, Class: "critical"},
	{Title: "Not yet known", Note: "robots.txt blocks the URL, but the crawler had not read it", Width: 11, Value: func(r *Rule) site.Value { return Count(r.Grace) }},
	{Title: "First disobeyed", Width: 20, Time: func(r *Rule) time.Time { return r.First }},
	{Title: "Last disobeyed", Width: 20, Time: func(r *Rule) time.Time { return r.Last }},
	{Title: "Examples", Width: 60, Kind: OnSheet, Value: func(r *Rule) site.Value { return site.Text(strings.Join(r.Samples, " ")) }},
}

// ReadColumns are the columns of the table of changes that crawlers read.
var ReadColumns = []Column[Read]{
	{Title: "Site", Width: 26, Kind: OnSheet, Value: func(r *Read) site.Value { return site.Text(r.Site.Site) }},
	{Title: "Crawler", Width: 24, Kind: OnSheet, Value: func(r *Read) site.Value { return site.Text(r.Name) }},
	{Title: "Version", Width: 22, Kind: Name, Value: func(r *Read) site.Value { return site.Text(r.Version) }},
	{Title: "Change first seen", Width: 20, Time: func(r *Read) time.Time { return r.Changed }},
	{Title: "Read by the crawler", Width: 20, Time: func(r *Read) time.Time { return r.LogLearnt.Read }},
	{Title: "After", Width: 14, Value: func(r *Read) site.Value {
		switch d := r.LogLearnt.Read.Sub(r.Changed); {
		case r.LogLearnt.Read.IsZero() && r.Version == r.Crawler.Site.newest().Name && !r.Waiting(): // it asked while the file changed
			return site.Text("unclear")
		case r.LogLearnt.Read.IsZero():
			return site.Text(notYet)
		case d > 0:
			return site.Text(after(d))
		}
		return site.Text("at once")
	}},
}

// PartColumns are the columns of the tables of directories, templates, segments and types.
var PartColumns = []Column[Part]{
	{Title: "Site", Width: 26, Kind: OnSheet, Value: func(p *Part) site.Value { return site.Text(p.Site.Site) }},
	{Title: "Crawler", Width: 24, Kind: OnSheet, Value: func(p *Part) site.Value { return site.Text(p.Crawler.Name) }},
	{Title: "Kind", Width: 12, Kind: OnSheet, Value: func(p *Part) site.Value { return site.Text(p.Kind) }},
	{Title: "Part of the site", Width: 44, Kind: Name, Value: func(p *Part) site.Value { return site.Text(p.LogPart.Name) }},
	{Title: "Requests", Width: 12, Kind: Bar, Value: func(p *Part) site.Value { return site.Number(p.Requests) }, Below: func(p *Part) string {
		return site.Share(p.Requests, p.Own.Requests).String()
	}},
	{Title: "URLs", Width: 11, Value: func(p *Part) site.Value { return Count(p.LogPart.URLs) }},
	{Title: "Success", Width: 11, Value: func(p *Part) site.Value { return Count(p.OK) }},
	{Title: "Redirects", Width: 11, Value: func(p *Part) site.Value { return Count(p.Redirects) }},
	{Title: "Errors", Width: 11, Value: func(p *Part) site.Value { return Count(p.Errors) }},
	{Title: "Blocked now", Note: "requests to URLs that the newest robots.txt blocks, whenever they came", Width: 11, Value: func(p *Part) site.Value { return Count(p.LogPart.Blocked) }},
}

// DirectoryColumns are the columns of the table of all crawlers' directories.
var DirectoryColumns = []Column[Directory]{
	{Title: "Site", Width: 26, Kind: OnSheet, Value: func(d *Directory) site.Value { return site.Text(d.Site.Site) }},
	{Title: "Directory", Width: 40, Kind: Name, Value: func(d *Directory) site.Value { return site.Text(d.Name) }},
	{Title: "Requests", Width: 12, Kind: Bar, Value: func(d *Directory) site.Value { return site.Number(d.Requests) }, Below: func(d *Directory) string {
		return site.Share(d.Requests, d.Site.Requests).String()
	}},
	{Title: "Search engines", Width: 12, Value: func(d *Directory) site.Value { return Count(d.By[Search]) }},
	{Title: "AI crawlers", Width: 12, Value: func(d *Directory) site.Value { return Count(d.By[AI]) }},
	{Title: "Other crawlers", Width: 12, Value: func(d *Directory) site.Value { return Count(d.By[Other]) }},
	{Title: "Redirects", Width: 11, Value: func(d *Directory) site.Value { return Count(d.Redirects) }},
	{Title: "Errors", Width: 11, Value: func(d *Directory) site.Value { return Count(d.Errors) }},
	{Title: "Blocked now", Note: "requests to URLs that the newest robots.txt blocks, whenever they came", Width: 11, Value: func(d *Directory) site.Value { return Count(d.Blocked) }},
	{Title: "Blocking would save", Note: "requests of crawlers that obey, to URLs that are not blocked yet; crawlers that disobey would go on", Width: 13, Value: func(d *Directory) site.Value { return Count(d.saved()) }, Below: func(d *Directory) string {
		if d.saved() == 0 {
			return ""
		}
		return site.Share(d.saved(), d.Site.Requests).String()
	}},
}

// DateColumns are the columns of the sheet of days.
var DateColumns = []Column[Date]{
	{Title: "Site", Width: 26, Value: func(d *Date) site.Value { return site.Text(d.Site.Site) }},
	{Title: "Crawler", Width: 24, Value: func(d *Date) site.Value { return site.Text(d.Name) }},
	{Title: "Day", Width: 12, Days: true, Time: (*Date).start},
	{Title: "Requests", Width: 12, Kind: Bar, Value: func(d *Date) site.Value { return site.Number(d.Requests) }},
	{Title: "Disobeyed", Note: "every robots.txt that the crawler could know blocks the URL", Width: 11, Value: func(d *Date) site.Value { return Count(d.Disobeyed) }},
	{Title: "Not yet known", Note: "robots.txt blocks the URL, but the crawler had not read it", Width: 11, Value: func(d *Date) site.Value { return Count(d.Grace) }},
	{Title: "Errors", Width: 11, Value: func(d *Date) site.Value { return Count(d.Errors) }},
	{Title: "robots.txt requests", Width: 11, Value: func(d *Date) site.Value { return Count(d.LogDay.Robots) }},
	{Title: "Got no robots.txt", Width: 11, Value: func(d *Date) site.Value { return Count(d.RobotsBad) }},
}

// start is the beginning of the day; zero = it is none.
func (d *Date) start() time.Time {
	t, _ := time.Parse(time.DateOnly, d.Day)
	return t
}

// AddressColumns are the columns of the sheet of examples.
var AddressColumns = []Column[Address]{
	{Title: "Site", Width: 26, Value: func(a *Address) site.Value { return site.Text(a.Site.Site) }},
	{Title: "Crawler", Width: 24, Value: func(a *Address) site.Value { return site.Text(a.Name) }},
	{Title: "What", Width: 40, Value: func(a *Address) site.Value { return site.Text(a.What) }},
	{Title: "URL", Width: 80, Value: func(a *Address) site.Value { return site.Text(a.URL) }},
}

// VersionColumns are the columns of the table of versions of robots.txt.
var VersionColumns = []Column[Version]{
	{Title: "Site", Width: 26, Kind: OnSheet, Value: func(v *Version) site.Value { return site.Text(v.Site.Site) }},
	{Title: "Version", Width: 22, Kind: Name, Value: func(v *Version) site.Value { return site.Text(v.Name) }},
	{Title: "Status", Width: 9, Value: func(v *Version) site.Value { return site.Text(answered(v.Status)) }},
	{Title: "Earlier version last seen", Width: 20, Time: func(v *Version) time.Time { return v.Before }},
	{Title: "First seen", Width: 20, Time: func(v *Version) time.Time { return v.First }},
	{Title: "Last seen", Width: 20, Time: func(v *Version) time.Time { return v.Last }},
	{Title: "SHA-256", Width: 66, Kind: OnSheet, Value: func(v *Version) site.Value { return site.Text(v.SHA256) }},
}

// DayLine is a figure of days, drawn as a line or a lane.
type DayLine struct {
	Name   string
	Number int    // of a line's colour
	Class  string // of a lane: "ok", "bad"
	Value  func(*Date) int64
}

// DayLines and DayLanes are the lines and the lanes of a crawler's picture.
var (
	DayLines = []DayLine{
		{Name: "requests", Number: 0, Value: func(d *Date) int64 { return d.Requests }},
		{Name: "disobeyed", Number: 1, Value: func(d *Date) int64 { return d.Disobeyed }},
		{Name: "not yet known", Number: 3, Value: func(d *Date) int64 { return d.Grace }},
		{Name: "errors", Number: 7, Value: func(d *Date) int64 { return d.Errors }},
	}
	DayLanes = []DayLine{
		{Name: "asked for robots.txt", Class: "ok", Value: func(d *Date) int64 { return d.LogDay.Robots }},
		{Name: "got no robots.txt", Class: "bad", Value: func(d *Date) int64 { return d.RobotsBad }},
	}
)
