package findings

import (
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// Collector gathers what the URLs of a site show about one robots.txt; [New]
// makes one. It is not safe for concurrent use.
type Collector struct {
	readers []Reader
	lint    []engine.Finding // what the file alone shows
	missing bool             // there is no file
	foreign bool             // it is another site's
	bytes   int              // of the file

	matrix      *engine.Matrix // of the readers' groups and the extraGroups; nil until it is prepared
	tested      int64          // URLs added by AddURL
	number      int64          // of the URL at hand, among all that were handed in
	index       []int32
	rules       []ruleURLs     // of those that one of the readers obeys
	grouped     []groupedLines // findings of Lint that speak of several lines
	idle        []idleLine     // lines of which Lint says that they change nothing
	peers       []int          // for each reader, an earlier one whose verdicts should be the same, and may not be; -1 = none
	alike       []int          // for each reader, the first of those whose verdicts should be the same
	ownGroups   []ownGroup     // see extraGroups
	edits       []editedFile   // see extraGroups
	upper       bool           // a rule holds an upper-case letter
	caseURLs    int64          // URLs whose verdict case may change
	lowered     []rewritten    // the rules in lower case; nil until a URL asks for them
	reordered   []rewritten    // the rules for parameters, each for its other position; nil likewise
	cleanParam  *cleanParam    // nil = none of the readers knows Clean-param
	counts      map[subject]*urlCount
	differences map[string]string // in words, by the readers' verdicts
	buffer      []byte
	lines       []int32 // at which readers differ about the URL at hand
	differ      []int   // of alike, those that do
}

// ruleURLs is what one rule does to URLs.
type ruleURLs struct {
	line          int32
	groups        uint8     // one bit for each of Collector.grouped that speaks of the line
	blocksNothing bool      // it is a disallow without a path
	inside        bool      // a URL under prefix and a slash, or prefix itself, is known
	idle          int32     // one more than its index in Collector.idle; 0 = it is not among them
	decided       int64     // number of the URL that it decided last
	blocked       int64     // number of the URL that blocks counted last
	prefix        string    // where it may miss a slash at its end: the path; "" = no
	decides       *urlCount // URLs that it decides for one of the readers; nil = none
	blocks        *urlCount // URLs named by sitemaps that it blocks for a reader that is to find pages; nil = none
}

// rule returns what the rule of a line does; nil where the line is no rule.
func (c *Collector) rule(line int32) *ruleURLs {
	if int(line) >= len(c.index) || c.index[line] == 0 {
		return nil
	}
	return &c.rules[c.index[line]-1]
}

// AddURL takes one of the site's URLs; listed says that a sitemap names it.
// decisions are those of the Matrix. The URL is not kept.
func (c *Collector) AddURL(loc string, listed bool, decisions []engine.Decision) {
	c.tested++
	c.number++
	for i := range c.readers {
		line := decisions[i].Line()
		if line == 0 {
			continue
		}
		r := c.rule(int32(line))
		if r == nil {
			continue
		}
		if r.decided != c.tested {
			r.decided = c.tested
			r.decides = r.decides.with(loc)
			if r.groups != 0 {
				c.addGrouped(r.groups, loc)
			}
			if r.prefix != "" {
				c.checkPrefix(r, loc)
			}
		}
		if listed && r.blocked != c.tested && decisions[i].Verdict == engine.Disallow && c.readers[i].FindsPages {
			r.blocked = c.tested
			r.blocks = r.blocks.with(loc)
		}
	}
	if len(c.idle) > 0 {
		c.addMatched(loc)
	}
	if len(c.edits) > 0 {
		c.countFlips(decisions)
	}
	for i, peer := range c.peers {
		if peer >= 0 && decisions[i].Verdict != decisions[peer].Verdict {
			c.addDifference(loc, decisions)
			break
		}
	}
	for i := range c.ownGroups {
		if own := &c.ownGroups[i]; decisions[own.reader].Verdict == engine.Allow && decisions[own.star].Verdict == engine.Disallow {
			c.countURL(groupHidesStar, own.line, "", loc)
		}
	}
	if len(c.rules) > 0 && (c.upper || hasUpper(loc)) {
		c.checkCase(loc, decisions)
	}
	if (len(c.rules) > 0 || c.cleanParam != nil) && strings.IndexByte(loc, '?') >= 0 {
		c.checkQuery(loc, decisions)
	}
}

// Tested returns how many URLs AddURL has taken.
func (c *Collector) Tested() int64 { return c.tested }

// Lint returns what the file alone shows; it is not to be changed.
func (c *Collector) Lint() []engine.Finding { return c.lint }

// What AddTarget is told a URL is, in words.
const (
	HomePage       = "home page"
	Alternate      = "hreflang alternate"
	CanonicalPage  = "canonical page"
	RedirectTarget = "redirect target"
)

// AddTarget takes a URL that pages and sitemaps point to: it matters where the
// rules block it for a reader that is to find pages. what is one of the words
// above; decisions are as in AddURL.
func (c *Collector) AddTarget(url string, decisions []engine.Decision, what string) {
	c.addBlocked(targetBlocked, what, url, decisions, func(r *Reader) bool { return r.FindsPages })
}

// AddResource takes a file that pages need to be rendered: it matters where
// Google may not fetch it.
func (c *Collector) AddResource(url string, kind crawl.Kind, decisions []engine.Decision) {
	c.addBlocked(resourceBlocked, kind.String(), url, decisions, func(r *Reader) bool { return r.family("google") })
}

// addBlocked counts a URL once at each line that blocks it for one of the
// readers to whom that matters.
func (c *Collector) addBlocked(id, detail, url string, decisions []engine.Decision, matters func(*Reader) bool) {
	c.number++
	for i := range c.readers {
		if d := decisions[i]; d.Verdict == engine.Disallow && d.Rule != nil && matters(&c.readers[i]) {
			c.countURL(id, int32(d.Rule.Line), detail, url)
		}
	}
}

// FindsPages reports whether the i-th reader is there to have pages found.
func (c *Collector) FindsPages(i int) bool { return c.readers[i].FindsPages }
