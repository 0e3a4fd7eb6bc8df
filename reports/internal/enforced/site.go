package enforced

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// Site is the policy of a site as written beside as enforced.
type Site struct {
	Crawlers       []*Crawler       // those with contradictions first, then in the order of the user
	Contradictions []*Contradiction // most severe first; never Info
	Notes          []*Contradiction // worth knowing, and no contradiction: Info

	site       *site.Site
	done       *audit.Done
	asked      *audit.Asked
	origins    []int        // of the URLs asked: index of their robots.txt; -1 = it is not known
	robots     []int        // of the URLs asked: robots.txt
	pages      []int        // and pages
	statements []*statement // of signals, pages and files
}

// Crawler is one crawler's policy, as written and as enforced.
type Crawler struct {
	*audit.AskedCrawler // nil = not asked in its name; the fields below are always set

	Name, Operator, Purpose string

	Robots         string          // access by robots.txt: "allowed", "partly blocked", "blocked", "unknown"
	Line           int             // of robots.txt, that decides; 0 = none
	Rule           string          // on this line: "disallow: /a"
	Preferences    string          // lines of robots.txt and statements of pages that are about this crawler
	Files          string          // statements of files that are about this crawler
	Treatment      audit.Treatment // "" = not asked
	Asked          string          // the answers in words: "refused: HTTP 403 for 8 of 8 URLs"
	Logs           string          // "HTTP 403 in 97 of 97 requests"; "" = there are no logs, or no request of it
	Contradictions []*Contradiction
	Notes          []*Contradiction

	robot    engine.Crawler
	verdicts []engine.Verdict // of robots.txt, for each URL asked
	group    site.PolicyCrawler
	log      logFacts
}

// Contradiction is a difference between two or more of the six sources.
type Contradiction struct {
	Code     string // stable, see rules
	Crawler  string // "" = the site as a whole
	Severity engine.Severity
	Sentence string   // a few sentences
	Sources  []string // of the six, in their order
	advice   string
	pattern  string // Sentence with subject and whenAsked
	other    bool   // the crawler does not fetch for AI
}

// Sources of policy, in their order.
const (
	SourceRobots = "robots.txt"
	SourceSignal = "signal"
	SourcePage   = "page"
	SourceFile   = "file"
	SourceAnswer = "answer"
	SourceLogs   = "logs"
)

// Words of Crawler.Robots.
const (
	allowed = "allowed"
	partly  = "partly blocked"
	blocked = "blocked"
	unknown = "unknown"
)

// New joins the sources of a site. It returns nil if no request was made in the names of crawlers.
func New(of *site.Site, d *audit.Done) *Site {
	if of.Asked == nil {
		return nil
	}
	s := &Site{site: of, done: d, asked: of.Asked}
	for i := range s.asked.URLs {
		u := &s.asked.URLs[i]
		s.origins = append(s.origins, s.originOf(u.URL))
		switch u.Kind {
		case audit.AskedRobots:
			s.robots = append(s.robots, i)
		case audit.AskedHome, audit.AskedPage:
			s.pages = append(s.pages, i)
		}
	}
	s.addStatements()
	s.addCrawlers()
	for i := range rules {
		r := &rules[i]
		for _, c := range s.Crawlers {
			for _, f := range r.find(s, c) {
				s.add(c, r, f)
			}
		}
	}
	for _, f := range s.disagreements() {
		s.add(&Crawler{}, &disagreeing, f)
	}
	s.Crawlers = slices.DeleteFunc(s.Crawlers, func(c *Crawler) bool {
		return c.AskedCrawler == nil && c.Contradictions == nil
	})
	slices.SortStableFunc(s.Crawlers, func(a, b *Crawler) int {
		return cmp.Compare(min(1, len(b.Contradictions)), min(1, len(a.Contradictions)))
	})
	slices.SortStableFunc(s.Contradictions, func(a, b *Contradiction) int { return cmp.Compare(b.Severity, a.Severity) })
	return s
}

// add adds what a rule found about a crawler; one without a name stands for the site.
func (s *Site) add(c *Crawler, r *rule, f found) {
	of := &Contradiction{Code: cmp.Or(f.code, r.code), Crawler: c.Name, Severity: r.severity, Sentence: fill(f.sentence, c.label()), Sources: f.sources, advice: r.advice, pattern: f.sentence, other: !strings.HasPrefix(c.Purpose, "AI ") && c.Purpose != "user fetch"}
	if f.severity != nil {
		of.Severity = *f.severity
	}
	all, own := &s.Contradictions, &c.Contradictions
	if of.Severity == engine.Info {
		all, own = &s.Notes, &c.Notes
	}
	*all, *own = append(*all, of), append(*own, of)
}

// originOf returns the index of the robots.txt that a URL obeys; -1 = it is not known.
func (s *Site) originOf(url string) int {
	for r := range s.site.AllRobots {
		if rest, ok := strings.CutPrefix(url, r.Origin); ok && r.Origin != "" && (rest == "" || strings.ContainsAny(rest[:1], "/?#")) {
			return r.Index
		}
	}
	return -1
}

// addCrawlers adds the crawlers that were asked, then others about which the logs or the policy may say something.
func (s *Site) addCrawlers() {
	seen := map[string]bool{}
	add := func(name string, asked *audit.AskedCrawler) {
		robot, ok := s.robot(name)
		if seen[name] || !ok && asked == nil {
			return
		}
		seen[name] = true
		c := &Crawler{AskedCrawler: asked, Name: name, Operator: robot.Operator, Purpose: robot.Purpose, robot: robot}
		if asked != nil {
			c.Operator, c.Purpose, c.Treatment = asked.Operator, asked.Purpose, asked.Treatment
		}
		s.readRobots(c, ok)
		s.readLogs(c)
		c.Preferences, c.Files, c.Asked = s.list(c, kinds[:2]), s.list(c, audit.PolicyFiles), s.answers(c)
		s.Crawlers = append(s.Crawlers, c)
	}
	for i := range s.asked.Crawlers {
		add(s.asked.Crawlers[i].Name, &s.asked.Crawlers[i])
	}
	for _, c := range s.site.Crawlers {
		add(c.Name, nil)
	}
	for i := range s.site.Policy(s.done).Crawlers {
		add(s.site.Policy(s.done).Crawlers[i].Name, nil)
	}
	if s.site.Crawls != nil {
		for i := range s.site.Crawls.Crawlers {
			add(s.site.Crawls.Crawlers[i].Name, nil)
		}
	}
}

// robot finds a crawler of the run, or else of the list.
func (s *Site) robot(name string) (engine.Crawler, bool) {
	for i := range s.site.Crawlers {
		if c := &s.site.Crawlers[i]; c.Name == name {
			robot, _, ok := c.Robot()
			return robot, ok
		}
	}
	robot, err := engine.ParseCrawler(name)
	return robot, err == nil && robot.Operator != "" // a log may name "token:x"
}

// reply returns the answer for a URL in the crawler's name; an unclear one if it was not asked.
func (c *Crawler) reply(url int) *audit.Reply {
	if c.AskedCrawler == nil || url >= len(c.Replies) {
		return &audit.Reply{Treatment: audit.Unclear, Why: audit.WhyNotAsked}
	}
	return &c.Replies[url]
}
