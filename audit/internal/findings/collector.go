package findings

import (
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// Collector collects what the URLs of a site show about one robots.txt; [New] makes one. It is not
// safe for concurrent use.
type Collector struct {
	readers []Reader
	lint    []engine.Finding // findings of the file alone
	missing bool             // there is no file
	foreign bool             // it belongs to another site
	bytes   int              // of the file

	matrix      *engine.Matrix // of the readers' groups and the extraGroups; nil until prepare
	tested      int64          // URLs added by AddURL
	number      int64          // number of the current URL, among all added URLs
	index       []int32
	rules       []ruleURLs     // for the rules that one of the readers obeys
	grouped     []groupedLines // findings of Lint about several lines
	idle        []idleLine     // lines that change nothing by Lint
	peers       []int          // for each reader, an earlier one that should give the same verdicts but may not; -1 = none
	alike       []int          // for each reader, the first reader that should give the same verdicts
	ownGroups   []ownGroup     // see extraGroups
	edits       []editedFile   // see extraGroups
	upper       bool           // a rule has an upper-case letter
	caseURLs    int64          // URLs whose verdict may depend on case
	lowered     []rewritten    // the rules in lower case; nil until a URL needs them
	reordered   []rewritten    // the rules for parameters, each for the other position; nil likewise
	cleanParam  *cleanParam    // nil = none of the readers knows Clean-param
	counts      map[subject]*urlCount
	notes       map[subject]*noteCount    // of sitemaps, by code and line
	listed      [listedFaults]listedCount // pages of sitemaps
	differences map[string]string         // in words, by the readers' verdicts
	own         string                    // see SetElsewhere
	elsewhere   bool                      // likewise
	advice      string                    // see SetAdvice
	buffer      []byte
	lines       []int32 // lines on which readers differ for the current URL
	differ      []int   // elements of alike for which readers differ
}

// ruleURLs counts the effects of one rule on URLs.
type ruleURLs struct {
	line          int32
	groups        uint8     // one bit for each of Collector.grouped that is about the line
	blocksNothing bool      // it is a disallow without a path
	inside        bool      // a URL under prefix and a slash, or prefix itself, is known
	idle          int32     // index in Collector.idle, plus 1; 0 = none
	decided       int64     // number of the last URL that it decided
	blocked       int64     // number of the last URL counted by blocks
	prefix        string    // the path, if it may lack a slash at its end; "" = no
	decides       *urlCount // URLs that it decides for one of the readers; nil = none
	blocks        *urlCount // URLs of sitemaps that it blocks for a reader that finds pages; nil = none
}

// rule returns the counts of the rule in a line; nil = the line is no rule.
func (c *Collector) rule(line int32) *ruleURLs {
	if int(line) >= len(c.index) || c.index[line] == 0 {
		return nil
	}
	return &c.rules[c.index[line]-1]
}

// AddURL adds one of the site's URLs; listed says whether a sitemap names it. decisions are those
// of the Matrix. The URL is not kept.
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

// Tested returns the number of calls of AddURL.
func (c *Collector) Tested() int64 { return c.tested }

// Lint returns the findings of the file alone; do not change it.
func (c *Collector) Lint() []engine.Finding { return c.lint }

// Words for the role of a URL in AddTarget.
const (
	HomePage       = "home page"
	Alternate      = "hreflang alternate"
	CanonicalPage  = "canonical page"
	RedirectTarget = "redirect target"
	HomeTarget     = "target of the home page's redirect"
)

// AddTarget adds a URL that pages and sitemaps point to. It matters if rules block it for a reader
// that finds pages. what is one of the words above; decisions are as in AddURL.
func (c *Collector) AddTarget(url string, decisions []engine.Decision, what string) {
	c.addBlocked(targetBlocked, what, url, decisions, func(r *Reader) bool { return r.FindsPages })
}

// AddResource adds a file that pages need for rendering. It matters if it is blocked for Google.
func (c *Collector) AddResource(url string, kind crawl.Kind, decisions []engine.Decision) {
	c.addBlocked(resourceBlocked, kind.String(), url, decisions, func(r *Reader) bool { return r.family("google") })
}

// AddMedia adds an image or video of a sitemap that a line blocks for the named crawler of Google.
func (c *Collector) AddMedia(crawler string, kind crawl.Kind, line int32, url string) {
	c.number++
	c.countURL(mediaBlocked, line, kind.String()+" "+crawler, url)
}

// addBlocked counts a URL once at each line that blocks it for one of the relevant readers.
func (c *Collector) addBlocked(id, detail, url string, decisions []engine.Decision, matters func(*Reader) bool) {
	c.number++
	for i := range c.readers {
		if d := decisions[i]; d.Verdict == engine.Disallow && d.Rule != nil && matters(&c.readers[i]) {
			c.countURL(id, int32(d.Rule.Line), detail, url)
		}
	}
}

// FindsPages reports whether the i-th reader finds pages for people.
func (c *Collector) FindsPages(i int) bool { return c.readers[i].FindsPages }
