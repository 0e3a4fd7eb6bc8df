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

	tested      int64 // URLs added by AddURL
	index       []int32
	rules       []ruleURLs  // of those that one of the readers obeys
	peers       []int       // for each reader, an earlier one whose verdicts should be the same; -1 = none
	ownGroups   []ownGroup  // see ExtraGroups
	upper       bool        // a rule holds an upper-case letter
	caseURLs    int64       // URLs whose verdict case may change
	lowered     []rewritten // the rules in lower case; nil until a URL asks for them
	reordered   []rewritten // the rules for parameters, each for its other position; nil likewise
	cleanParam  *cleanParam // nil = none of the readers knows Clean-param
	counts      map[subject]*urlCount
	differences map[difference]string // in words
	buffer      []byte
}

// ruleURLs is what one rule does to URLs.
type ruleURLs struct {
	line    int32
	decided int64     // number of the URL that it decided last
	blocked int64     // number of the URL that blocks counted last
	prefix  string    // where it may miss a slash at its end: the path; "" = no
	inside  bool      // a URL under the path and a slash, or the path itself, is known
	decides *urlCount // URLs that it decides for one of the readers; nil = none
	blocks  *urlCount // URLs named by sitemaps that it blocks for a reader that is to find pages; nil = none
}

// urlCount counts URLs and keeps the first few.
type urlCount struct {
	n       int64
	samples []string
}

// MaxSamples is the number of URLs that are shown with a finding.
const MaxSamples = 5

func (t *urlCount) addURL(url string) {
	if t.n++; len(t.samples) < MaxSamples {
		t.samples = append(t.samples, strings.Clone(url)) // url is part of a batch's text
	}
}

// with returns t after a URL more, made if there was none.
func (t *urlCount) with(url string) *urlCount {
	if t == nil {
		t = new(urlCount)
	}
	t.addURL(url)
	return t
}

// subject is what a count of URLs is about.
type subject struct {
	id     string
	line   int32  // the rule; 0 = the file as a whole
	detail string // tells apart counts of one id at one line
}

// maxSubjects bounds the counts beside those of rules; what is beyond it is
// counted at the file as a whole.
const maxSubjects = 4096

// AddOccurrence counts a URL for the finding of an id at a line; line 0 is the
// file as a whole. Occurrences with different details are counted, and told,
// apart.
func (c *Collector) AddOccurrence(id string, line int32, detail, url string) {
	c.AddOccurrences(id, line, detail, url, 1)
}

// AddOccurrences counts n at once, all of them with the same URL.
func (c *Collector) AddOccurrences(id string, line int32, detail, url string, n int64) {
	about := subject{id, line, detail}
	t := c.counts[about]
	if t == nil {
		if len(c.counts) >= maxSubjects {
			about.line = 0
			t = c.counts[about]
		}
		if t == nil {
			t = &urlCount{}
			c.counts[about] = t
		}
	}
	t.addURL(url)
	t.n += n - 1
}

// rule returns what the rule of a line does; nil where the line is no rule.
func (c *Collector) rule(line int32) *ruleURLs {
	if int(line) >= len(c.index) || c.index[line] == 0 {
		return nil
	}
	return &c.rules[c.index[line]-1]
}

// AddURL takes one of the site's URLs; listed says that a sitemap names it.
// decisions are those of the readers, and those of the ExtraGroups after them.
// The URL is not kept.
func (c *Collector) AddURL(loc string, listed bool, decisions []engine.Decision) {
	c.tested++
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
			if r.prefix != "" {
				c.checkPrefix(r, loc)
			}
		}
		if listed && r.blocked != c.tested && decisions[i].Verdict == engine.Disallow && c.readers[i].FindsPages {
			r.blocked = c.tested
			r.blocks = r.blocks.with(loc)
		}
	}
	for i, peer := range c.peers {
		if peer >= 0 && decisions[i].Verdict != decisions[peer].Verdict {
			c.addDifference(loc, decisions, i, peer)
		}
	}
	for i := range c.ownGroups {
		if own := &c.ownGroups[i]; decisions[own.reader].Verdict == engine.Allow && decisions[own.star].Verdict == engine.Disallow {
			c.AddOccurrence(groupHidesStar, own.line, "", loc)
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
	for i := range c.readers {
		if d := decisions[i]; c.readers[i].FindsPages && d.Verdict == engine.Disallow && d.Rule != nil {
			c.AddOccurrence(targetBlocked, int32(d.Rule.Line), what, url)
			return
		}
	}
}

// AddResource takes a file that pages need to be rendered: it matters where
// Google may not fetch it.
func (c *Collector) AddResource(url string, kind crawl.Kind, decisions []engine.Decision) {
	for i := range c.readers {
		if d := decisions[i]; c.readers[i].family("google") && d.Verdict == engine.Disallow && d.Rule != nil {
			c.AddOccurrence(resourceBlocked, int32(d.Rule.Line), kind.String(), url)
			return
		}
	}
}

// FindsPages reports whether the i-th reader is there to have pages found.
func (c *Collector) FindsPages(i int) bool { return c.readers[i].FindsPages }

// difference is a way in which two readers come to different verdicts.
type difference struct {
	reader, peer int
	a, b         engine.Verdict
}

// addDifference notes two readers of the same rules who differ about a URL.
func (c *Collector) addDifference(loc string, decisions []engine.Decision, i, peer int) {
	d, other := decisions[i], decisions[peer]
	line := d.Line()
	if d.Verdict == engine.Allow || line == 0 {
		line = other.Line()
	}
	if line == 0 {
		line = d.Line()
	}
	key := difference{i, peer, d.Verdict, other.Verdict}
	words, ok := c.differences[key]
	if !ok {
		a, b := &c.readers[peer], &c.readers[i]
		words = a.Label + " (" + a.Profile.Name + "): " + other.Verdict.String() + ", " +
			b.Label + " (" + b.Profile.Name + "): " + d.Verdict.String()
		if c.differences == nil {
			c.differences = map[difference]string{}
		}
		c.differences[key] = words
	}
	c.AddOccurrence(readersDiffer, int32(line), words, loc)
}
