package crawls

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit"
)

// Site has the logs of a site, for reports.
type Site struct {
	*audit.Logs
	Crawlers []*Crawler // search engines first, then AI crawlers, then others, last those that only have the name; in each group most requests first
	Requests int64      // own requests of all of them
	Claimed  int64      // requests that only claim a crawler's name
	Bare     bool       // the logs have no status of any request
}

// otherParts is the name of all directories past the limit.
const otherParts = "…"

// noStatus is the name of requests for robots.txt without an answer, or whose status the log does not have.
const noStatus = "none"

// Crawler has the requests of one crawler for a site.
type Crawler struct {
	*audit.LogCrawler
	Site  *Site
	Own   audit.LogTally // from published addresses, and from those that nobody can check
	Group Group
}

// Group is a kind of crawlers.
type Group uint8

// Groups of crawlers, in their order.
const (
	Search Group = iota
	AI
	Other
	NotGenuine // no request is the crawler's own
)

// String is the heading of a group.
func (g Group) String() string {
	return [...]string{"Search engines", "AI crawlers", "Other crawlers", "Only the name"}[g]
}

// groupOf returns the group of crawlers with a purpose of the crawler list.
func groupOf(purpose string) Group {
	switch {
	case strings.HasPrefix(purpose, "AI ") || purpose == "user fetch" || purpose == "archive":
		return AI
	case audit.Searches(purpose) || purpose == "search (retired)" || purpose == "shopping":
		return Search
	}
	return Other
}

// New prepares the logs of a site, which it keeps.
func New(l *audit.Logs) *Site {
	s := &Site{Logs: l}
	answered := false
	for i := range l.Crawlers {
		c := &Crawler{LogCrawler: &l.Crawlers[i], Site: s}
		if c.Own, c.Group = sum(c.Genuine, c.Unknown), groupOf(c.Purpose); c.Own.Requests == 0 {
			c.Group = NotGenuine
		}
		for _, of := range slices.Concat(c.Statuses, c.Robots.Statuses) {
			bare := of.Name == noStatus || of.Name == "other"
			answered, s.Bare = answered || !bare, s.Bare || bare
		}
		s.Requests += c.Own.Requests
		s.Claimed += c.LogCrawler.Claimed.Requests
		s.Crawlers = append(s.Crawlers, c)
	}
	s.Bare = s.Bare && !answered
	slices.SortStableFunc(s.Crawlers, func(a, b *Crawler) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(b.Own.Requests, a.Own.Requests), strings.Compare(a.Name, b.Name))
	})
	return s
}

// Active counts the crawlers that made requests themselves.
func (s *Site) Active() (n int) {
	for _, c := range s.Crawlers {
		if c.Own.Requests > 0 {
			n++
		}
	}
	return n
}

func sum(a, b audit.LogTally) audit.LogTally {
	return audit.LogTally{
		Requests: a.Requests + b.Requests, Obeyed: a.Obeyed + b.Obeyed, Disobeyed: a.Disobeyed + b.Disobeyed, Grace: a.Grace + b.Grace,
		Unclear: a.Unclear + b.Unclear, Exempt: a.Exempt + b.Exempt, Blocked: a.Blocked + b.Blocked, Stale: a.Stale + b.Stale,
	}
}

// obedience returns the requests that obeyed, of those that prove something: all of the crawler's own. If requests to
// blocked URLs came from addresses that prove nothing, only published addresses count.
func (c *Crawler) obedience() (obeyed, judged int64) {
	t := &c.Own
	switch {
	case c.Site.Judged == audit.LogRun && c.Own.Disobeyed == 0: // its robots.txt may not have been in force
		return 0, 0
	case c.Unknown.Blocked > 0:
		t = &c.Genuine
	}
	return t.Obeyed, t.Obeyed + t.Disobeyed
}

// newest is the newest version of robots.txt; nil = none is known.
func (s *Site) newest() *audit.LogVersion {
	if len(s.Versions) == 0 {
		return nil
	}
	return &s.Versions[len(s.Versions)-1]
}

// learned returns when the crawler read the newest version; nil = the version is not new in this period.
func (c *Crawler) learned() *audit.LogLearnt {
	newest := c.Site.newest()
	if newest == nil {
		return nil
	}
	for i := range c.Robots.Learned {
		if l := &c.Robots.Learned[i]; l.Version == newest.Name {
			return l
		}
	}
	return nil
}

// RobotsErrors counts requests for robots.txt that the server answered with an error: they may stop a crawler, or
// open the site.
func (c *Crawler) RobotsErrors() (n int64) {
	for _, of := range c.Robots.Statuses {
		if of.Name == "429" || strings.HasPrefix(of.Name, "5") || of.Name == noStatus && !c.Site.Bare {
			n += of.Requests
		}
	}
	return n
}

// Waiting reports whether the crawler has not read the current robots.txt yet, which it asks for.
func (c *Crawler) Waiting() bool {
	return c.Robots.Waiting && c.Robots.Requests > 0 && c.Site.Judged != audit.LogFile && !c.Site.Bare && !c.free()
}

// free reports whether robots.txt does not apply to the crawler, by its operator. It never applies to requests for robots.txt.
func (c *Crawler) free() bool {
	return (c.Purpose == "user fetch" || c.Purpose == "abuse") && c.Own.Exempt == c.Own.Requests && c.Own.Requests > c.Robots.Requests
}

// Leading returns the crawlers that matter most, at most n: those that disobeyed, then those with most requests. They
// are in the order of Crawlers.
func (s *Site) Leading(n int) []*Crawler {
	list := slices.Clone(s.Crawlers)
	slices.SortStableFunc(list, func(a, b *Crawler) int {
		return cmp.Or(cmp.Compare(min(b.Own.Disobeyed, 1), min(a.Own.Disobeyed, 1)), cmp.Compare(b.Own.Requests, a.Own.Requests))
	})
	list = list[:min(n, len(list))]
	return slices.DeleteFunc(slices.Clone(s.Crawlers), func(c *Crawler) bool { return !slices.Contains(list, c) })
}

// Directories sums the directories of all crawlers, most requests first.
func (s *Site) Directories() (list []*Directory) {
	byName := map[string]*Directory{}
	for _, c := range s.Crawlers {
		for i := range c.LogCrawler.Directories {
			p := &c.LogCrawler.Directories[i]
			d := byName[p.Name]
			if d == nil {
				d = &Directory{Site: s, LogPart: audit.LogPart{Name: p.Name}}
				byName[p.Name] = d
				list = append(list, d)
			}
			d.Requests += p.Requests
			d.OK += p.OK
			d.Redirects += p.Redirects
			d.Errors += p.Errors
			d.Blocked += p.Blocked
			d.By[c.Group] += p.Requests
			if c.Own.Disobeyed == 0 && c.Own.Exempt < c.Own.Requests { // others would not obey this rule either
				d.Save += p.Requests - p.Blocked
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *Directory) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), strings.Compare(a.Name, b.Name))
	})
	return list
}
