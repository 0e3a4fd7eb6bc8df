package audit

import (
	"strings"

	"robots-audit/engine"
)

// evidence is what the URLs of a site show about one robots.txt. It keeps
// counters and a few samples for each rule, so that it does not grow with the
// URLs, and looks at a URL only where a finding may come of it.
type evidence struct {
	crawlers []Crawler
	reading  *engine.Robots   // as the first crawler reads it
	groups   []*engine.Group  // of the crawlers
	lint     []engine.Finding // what the file alone shows

	urls        int64 // pages judged so far
	index       []int32
	rules       []ruleEvidence // of those that one of the crawlers obeys
	seeking     []bool         // for each crawler: it is to find the pages of the site
	twins       []int          // for each crawler, an earlier one whose verdicts should be the same; -1 = none
	owns        []ownGroup
	folded      []variant // the rules in lower case; nil until a URL asks for them
	upper       bool      // a rule holds an upper-case letter
	folds       int64
	swapped     []variant // the rules for parameters for their other place; nil likewise
	cleaners    []cleaner
	hits        map[hit]*touched
	differences map[difference]string // in words
	buffer      []byte
}

// ruleEvidence is what one rule does to URLs.
type ruleEvidence struct {
	line    int32
	seen    int64    // number of the URL that it decided last
	listed  int64    // the same, of those in listedURLs
	prefix  string   // where it may miss a slash at its end: the path; "" = no
	inside  bool     // a URL under the path and a slash, or the path itself, is known
	decides *touched // pages that it decides for one of the crawlers; nil = none
	blocks  *touched // pages named by sitemaps that it blocks for one of the seeking crawlers; nil = none
}

// touched counts URLs and keeps the first few.
type touched struct {
	n       int64
	samples []string
}

// maxSamples is the number of URLs that are shown with a finding.
const maxSamples = 5

func (t *touched) add(url string) {
	if t.n++; len(t.samples) < maxSamples {
		t.samples = append(t.samples, strings.Clone(url)) // url is part of a batch's text
	}
}

// with is t after a URL more, made if there was none.
func (t *touched) with(url string) *touched {
	if t == nil {
		t = new(touched)
	}
	t.add(url)
	return t
}

// hit says what a count of URLs is about.
type hit struct {
	id    string
	line  int32  // the rule; 0 = the file as a whole
	about string // what tells apart counts of one id at one line
}

// maxHits bounds the counts beside those of rules; what is beyond it is counted
// at the file as a whole.
const maxHits = 4096

func (e *evidence) hit(id string, line int32, about, url string) {
	key := hit{id, line, about}
	t := e.hits[key]
	if t == nil {
		if len(e.hits) >= maxHits {
			key.line = 0
			t = e.hits[key]
		}
		if t == nil {
			t = &touched{}
			e.hits[key] = t
		}
	}
	t.add(url)
}

// rule returns the evidence of a line; nil where it is none of a rule.
func (e *evidence) rule(line int32) *ruleEvidence {
	if int(line) >= len(e.index) || e.index[line] == 0 {
		return nil
	}
	return &e.rules[e.index[line]-1]
}

// see takes one page with its verdicts. decisions are those of the crawlers,
// and those of owns after them.
func (e *evidence) see(u *URL, decisions []engine.Decision) {
	e.urls++
	for i, line := range u.Lines {
		if line == 0 {
			continue
		}
		r := e.rule(line)
		if r == nil {
			continue
		}
		if r.seen != e.urls {
			r.seen = e.urls
			r.decides = r.decides.with(u.Loc)
			if r.prefix != "" {
				e.beyond(r, u.Loc)
			}
		}
		if u.Sitemap >= 0 && r.listed != e.urls && u.Verdicts[i] == engine.Disallow && e.seeking[i] {
			r.listed = e.urls
			r.blocks = r.blocks.with(u.Loc)
		}
	}
	for i, twin := range e.twins {
		if twin >= 0 && u.Verdicts[i] != u.Verdicts[twin] {
			e.differ(u, i, twin)
		}
	}
	for i := range e.owns {
		if own := &e.owns[i]; u.Verdicts[own.crawler] == engine.Allow && decisions[own.star].Verdict == engine.Disallow {
			e.hit("GRP005", own.line, "", u.Loc)
		}
	}
	if len(e.rules) > 0 && (e.upper || hasUpper(u.Loc)) {
		e.fold(u, decisions)
	}
	if len(e.rules)+len(e.cleaners) > 0 && strings.IndexByte(u.Loc, '?') >= 0 {
		e.parameters(u, decisions)
	}
}

// differ notes two readers of the same rules who differ about a URL.
func (e *evidence) differ(u *URL, i, twin int) {
	line := u.Lines[i]
	if u.Verdicts[i] == engine.Allow || line == 0 {
		line = u.Lines[twin]
	}
	if line == 0 {
		line = u.Lines[i]
	}
	key := difference{i, twin, u.Verdicts[i], u.Verdicts[twin]}
	words, ok := e.differences[key]
	if !ok {
		words = e.crawlers[twin].Label + " (" + e.crawlers[twin].Profile + "): " + u.Verdicts[twin].String() + ", " +
			e.crawlers[i].Label + " (" + e.crawlers[i].Profile + "): " + u.Verdicts[i].String()
		if e.differences == nil {
			e.differences = map[difference]string{}
		}
		e.differences[key] = words
	}
	e.hit("RUL007", line, words, u.Loc)
}

// difference is a way in which two crawlers come to different verdicts.
type difference struct {
	crawler, twin int
	a, b          engine.Verdict
}

// ownGroup is a crawler with a group of its own, which hides the rules of "*".
type ownGroup struct {
	crawler int
	star    int   // index of the decision that "*" would give it
	line    int32 // of its group
}
