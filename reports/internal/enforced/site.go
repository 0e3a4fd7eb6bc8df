package enforced

import (
	"cmp"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// Site is the policy of a site as written beside as enforced.
type Site struct {
	*audit.Asked
	Crawlers       []*Crawler       // those with contradictions first, then in the order of the user
	Contradictions []*Contradiction // most severe first; never Info
	Notes          []*Contradiction // worth knowing, and no contradiction: Info

	site       *site.Site
	done       *audit.Done
	origins    []int        // of the URLs asked: index of their robots.txt; -1 = it is not known
	pages      []int        // of the URLs asked
	statements []*statement // of signals, pages and files
	unclear    []string     // crawlers asked of which it is not known what robots.txt says, or what the server does
	refusal    string       // the server's answer where it refuses us under our own name: "HTTP 403"; "" = it does not
}

// Crawler is one crawler's policy, as written and as enforced.
type Crawler struct {
	audit.AskedCrawler // Treatment "" = not asked in its name

	Robots         string // access by robots.txt: "allowed", "partly blocked", "blocked", "unknown"
	Rule           string // what decides: "line 3: disallow: /a", "no rule matches"
	Preferences    string // lines of robots.txt and statements of pages that are about this crawler
	Files          string // statements of files that are about this crawler
	Asked          string // the answers in words: "refused: HTTP 403 for 8 of 8 URLs"
	Logs           string // "HTTP 403 in 97 of 97 requests"; "" = there are no logs, or no request of it
	Contradictions []*Contradiction
	Notes          []*Contradiction

	robot    engine.Crawler   // zero = it is not known here
	run      int              // index in the crawlers of the run; -1 = it is none of them
	verdicts []engine.Verdict // of robots.txt, for each URL asked
	group    site.PolicyCrawler
	log      logFacts
}

// New joins the sources of a site. It returns nil if no request was made in the names of crawlers, and access logs
// show no contradiction.
func New(of *site.Site, d *audit.Done) *Site {
	if of.Asked == nil && of.Crawls == nil {
		return nil
	}
	s := &Site{site: of, done: d, Asked: cmp.Or(of.Asked, &audit.Asked{})}
	for i := range s.URLs {
		s.origins = append(s.origins, s.site.OriginOf(s.URLs[i].URL))
	}
	s.pages = s.urls(audit.AskedHome, audit.AskedPage)
	s.addStatements()
	s.addCrawlers()
	for _, find := range rules {
		for _, c := range s.Crawlers {
			find(s, c)
		}
	}
	s.disagreements()
	others := filter(s.Crawlers, func(c *Crawler) bool { return c.Treatment != "" && c.Contradictions == nil })
	s.Crawlers = append(filter(s.Crawlers, func(c *Crawler) bool { return c.Contradictions != nil }), others...)
	slices.SortStableFunc(s.Contradictions, func(a, b *Contradiction) int { return cmp.Compare(b.Severity, a.Severity) })
	if of.Asked == nil && s.Contradictions == nil {
		return nil
	}
	return s
}

// urls returns the URLs asked of some kinds.
func (s *Site) urls(kinds ...audit.AskedKind) (list []int) {
	for i := range s.URLs {
		if slices.Contains(kinds, s.URLs[i].Kind) {
			list = append(list, i)
		}
	}
	return list
}

// filter returns the elements that are wanted.
func filter[T any](list []T, wanted func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(of T) bool { return !wanted(of) })
}

// addCrawlers adds the crawlers that were asked, then others about which the policy or the logs may say something.
func (s *Site) addCrawlers() {
	list := slices.Clone(s.Asked.Crawlers)
	for _, c := range s.site.Policy(s.done).Crawlers {
		list = append(list, audit.AskedCrawler{Name: c.Name})
	}
	if s.site.Crawls != nil {
		for _, c := range s.site.Crawls.Crawlers {
			list = append(list, audit.AskedCrawler{Name: c.Name})
		}
	}
	seen := map[string]bool{}
	for _, of := range list {
		c := &Crawler{AskedCrawler: of}
		if listed := s.identify(c); seen[c.Name] || !listed && c.Treatment == "" {
			continue
		}
		seen[c.Name] = true
		s.readRobots(c)
		s.readLogs(c)
		c.Preferences, c.Files, c.Asked = s.list(c, statementKinds[:2]...), s.list(c, audit.PolicyFiles...), s.answers(c)
		s.Crawlers = append(s.Crawlers, c)
		if c.Treatment == audit.Unclear || c.Treatment != "" && c.Robots == unknown {
			s.unclear = append(s.unclear, c.Name)
		}
		for u := range s.URLs {
			if c.reply(u).Why == audit.WhyRefusesUs {
				s.refusal = s.URLs[u].Ours.Outcome()
			}
		}
	}
}

// identify finds a crawler in the run, or else in the list. A log may name "token:x", which is in neither.
func (s *Site) identify(c *Crawler) (listed bool) {
	c.run = slices.IndexFunc(s.site.Crawlers, func(of audit.Crawler) bool { return of.Name == c.Name })
	if c.run >= 0 {
		c.robot, _, listed = s.site.Crawlers[c.run].Robot()
	} else if robot, err := engine.ParseCrawler(c.Name); err == nil && robot.Operator != "" {
		c.robot, listed = robot, true
	}
	if c.Treatment == "" {
		c.Operator, c.Purpose = c.robot.Operator, c.robot.Purpose
	}
	return listed
}

// reply returns the answer for a URL in the crawler's name; an unclear one if it was not asked.
func (c *Crawler) reply(url int) *audit.Reply {
	if url >= len(c.Replies) {
		return &audit.Reply{Treatment: audit.Unclear, Why: audit.WhyNotAsked}
	}
	return &c.Replies[url]
}

// with returns the URLs for which robots.txt has a verdict and the answer is wanted.
func (c *Crawler) with(urls []int, v engine.Verdict, wanted func(*audit.Reply) bool) []int {
	return filter(urls, func(u int) bool { return c.verdicts[u] == v && wanted(c.reply(u)) })
}
