package history

import (
	"errors"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
)

// Errors of Collector.Site for incomplete records.
var (
	ErrNoSite   = errors.New("the records do not begin with a site")
	ErrCutShort = errors.New("the records end before the audit of the site did")
)

// Collector collects the results of one run for one site from its records, which the caller reads.
// It uses the recorded verdicts, and judges nothing again.
type Collector struct {
	site      Site
	opened    *audit.Site
	important func(url string) bool
	done      bool
	answers   audit.Answers
	origins   map[int]*origin // by Robots.Index
	seen      map[string]bool // ids of Site.URLs
	buf       []byte
}

// NewCollector returns a collector for the records of one site. important reports whether a URL is
// in the important list; nil = there is none, and no URLs are stored.
func NewCollector(important func(url string) bool) *Collector {
	return &Collector{important: important, site: Site{Answer: AnswerNotAsked}, origins: map[int]*origin{}}
}

// Site returns the collected data; ErrNoSite or ErrCutShort if the records were incomplete or not
// read to the end.
func (c *Collector) Site() (Site, error) {
	switch {
	case c.opened == nil:
		return Site{}, ErrNoSite
	case !c.done:
		return Site{}, ErrCutShort
	}
	return c.site, nil
}

// Add collects data of a record, and keeps none of its URLs.
func (c *Collector) Add(rec audit.Record) {
	switch {
	case c.done: // further records are not of this site
	case rec.Site != nil:
		c.opened, c.site.Name = rec.Site, rec.Site.Name
	case c.opened == nil:
		c.done = true // the beginning of the records is missing
	case rec.Robots != nil:
		c.addRobots(rec.Robots)
	case rec.URLs != nil && c.important != nil:
		for i := range rec.URLs.List {
			c.addURL(&rec.URLs.List[i])
		}
	case rec.Done != nil:
		c.finish(rec.Done)
	}
}

// origin is an origin's robots.txt, for judging its URLs.
type origin struct {
	record *audit.Robots
	rules  []Rule // by line; nil until they are needed
}

func (c *Collector) addRobots(r *audit.Robots) {
	if r.Index != 0 && c.important == nil {
		return
	}
	file := r.File
	file.Body = nil
	c.origins[r.Index] = &origin{record: &audit.Robots{Index: r.Index, Origin: r.Origin, File: file, Reads: r.Reads, Rules: r.Rules, Groups: r.Groups}}
	if r.Groups == nil { // the groups are computed from the body
		file.Body = r.File.Body
	}
	c.answers.Add(r.Index, r.Origin, &file)
	if r.Index != 0 {
		return
	}
	f, s := &r.File, &c.site
	s.Answer, s.Status, s.Code = AnswerOf(f), f.Status, f.Code
	if class, _ := compare.Classify(f); class == compare.AnswerRead {
		s.SHA256, s.Bytes, s.Body = f.SHA256, f.Bytes, f.Body
	}
}

// addURL adds a URL that may be in the important list.
func (c *Collector) addURL(u *audit.URL) {
	blocked := 0
	for _, v := range u.Verdicts {
		if v == engine.Disallow {
			blocked++
		}
	}
	if blocked == 0 || !c.important(u.Loc) {
		return
	}
	if len(c.site.URLs)+blocked > MaxBlocked {
		c.site.URLsCut++
		return
	}
	o := c.origins[u.Origin]
	if o == nil { // the records are inconsistent
		o = &origin{record: &audit.Robots{Index: u.Origin}}
		c.origins[u.Origin] = o
	}
	var id string
	if id, c.buf = audit.URLID(c.buf, o.record.Origin, u.Loc); c.seen[id] {
		return // another spelling of it, or another kind of URL
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[id] = true
	own := u.Origin == 0 || o.record.File.SHA256 != "" && o.record.File.SHA256 == c.site.SHA256
	loc := strings.Clone(u.Loc) // the batch is reused
	for i, v := range u.Verdicts {
		if v != engine.Disallow || i >= len(c.opened.Crawlers) {
			continue
		}
		b := Blocked{ID: id, URL: loc, Crawler: c.opened.Crawlers[i].Label, Own: own}
		if i < len(u.Lines) && u.Lines[i] > 0 {
			b.Line = int(u.Lines[i])
			rules := c.rulesOf(o)
			if at, ok := slices.BinarySearchFunc(rules, b.Line, func(r Rule, line int) int { return r.Line - line }); ok {
				b.RuleID, b.Rule = rules[at].ID, rules[at].Rule
			}
		}
		c.site.URLs = append(c.site.URLs, b)
	}
}

// rulesOf returns the rules of an origin, by line.
func (c *Collector) rulesOf(o *origin) []Rule {
	if o.rules == nil {
		o.rules = make([]Rule, 0, len(o.record.Rules))
		groups, tokens := c.answers.RuleGroups(o.record, c.opened.Crawlers), ""
		c.answers.Forget()
		for _, line := range o.record.Rules {
			for len(groups) > 0 && groups[0].Line <= line.Line {
				tokens, groups = groups[0].Tokens, groups[1:]
			}
			o.rules = append(o.rules, Rule{ID: audit.RuleID(tokens, line.Rule), Tokens: tokens, Rule: line.Rule, Line: line.Line})
		}
	}
	return o.rules
}

func (c *Collector) finish(done *audit.Done) {
	c.done = true
	s := &c.site
	s.State, s.Known, s.Blocked, s.Took = string(done.State), done.URLs, done.BlockedAny, done.Finished.Sub(c.opened.Started)
	own := c.origins[0]
	for i, crawler := range c.opened.Crawlers {
		of := Crawler{Label: crawler.Label}
		if i < len(done.Blocked) {
			of.Blocked = done.Blocked[i]
		}
		if own != nil && i < len(own.record.Reads) && own.record.Reads[i].Access == engine.AccessUnknown && of.Blocked == 0 {
			continue // 0 would mean that nothing is blocked
		}
		s.Crawlers = append(s.Crawlers, of)
	}
	if own == nil || len(own.record.Rules) == 0 {
		return
	}
	rules := c.rulesOf(own)
	seen := make(map[string]bool, len(rules))
	s.Rules = make([]Rule, 0, len(rules))
	for _, rule := range rules {
		if !seen[rule.ID] { // a group may repeat a rule
			seen[rule.ID] = true
			s.Rules = append(s.Rules, rule)
		}
	}
}
