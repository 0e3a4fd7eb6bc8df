package findings

import (
	"slices"
	"strings"

	"robots-audit/engine"
)

// Reader is a crawler and how it reads a robots.txt.
type Reader struct {
	Label      string // "Googlebot@google-2019"
	Name       string // "Googlebot"
	FindsPages bool   // it makes the site's pages findable, so blocking it is rarely intended
	Profile    *engine.Profile
	Crawler    *engine.Crawler
	Robots     *engine.Robots // the file as Profile reads it
	Group      *engine.Group  // the group that it obeys
}

// family reports whether the reader's profile is of a family: "google", "yandex".
func (r *Reader) family(name string) bool { return strings.HasPrefix(r.Profile.Name, name) }

// Robots is one robots.txt, as input of a Collector.
type Robots struct {
	Readers []Reader         // at least one; lines of findings are as the first reads the file
	Lint    []engine.Finding // findings of the file alone
	Missing bool             // the server says that there is no file
	Bytes   int              // of the file
	Foreign bool             // it belongs to another site, which has URLs and files of this one
}

// New returns a collector for the URLs of a robots.txt. The Readers then belong to the collector.
func New(robots Robots) *Collector {
	return &Collector{readers: robots.Readers, lint: robots.Lint, missing: robots.Missing, foreign: robots.Foreign, bytes: robots.Bytes, counts: map[subject]*urlCount{}}
}

// prepare prepares for the first URL, or for the findings if there is none. It runs late because
// thousands of sites may wait for their URLs, and the prepared data is larger than its source.
func (c *Collector) prepare() {
	if c.matrix != nil {
		return
	}
	c.indexRules()
	c.findOwnGroups()
	c.prepareEdits()
	groups := make([]*engine.Group, len(c.readers), len(c.readers)+len(c.ownGroups))
	for i := range c.readers {
		groups[i] = c.readers[i].Group
	}
	c.matrix = engine.NewMatrix(append(groups, c.extraGroups()...)...)
	c.findPeers()
	c.dropSame()
	c.prepareTouched()
	for i := range c.readers {
		g := c.readers[i].Group
		// Case may also matter for URLs in lower case.
		c.upper = c.upper || len(g.Rules) <= maxRewritten && slices.ContainsFunc(g.Rules, func(r engine.Rule) bool { return hasUpper(r.Value) })
	}
	for i := range c.readers {
		if r := &c.readers[i]; r.family("yandex") && r.Robots.Access == engine.Parsed {
			c.cleanParam = &cleanParam{reader: i, robots: r.Robots, given: len(r.Robots.CleanParams()) > 0}
			break
		}
	}
	for i := range c.readers {
		if i > 0 {
			c.readers[i].Robots = nil // it may be large, and is no longer needed
		}
	}
}

// indexRules allocates the counts of each rule.
func (c *Collector) indexRules() {
	obeyed, last := 0, 0 // number of lines with rules that a reader obeys, and the last of them
	for i := range c.readers {
		for _, r := range c.readers[i].Group.Rules {
			last = max(last, r.Line)
		}
	}
	if last == 0 {
		return
	}
	c.index = make([]int32, last+1)
	for i := range c.readers {
		for _, r := range c.readers[i].Group.Rules {
			if c.index[r.Line] == 0 {
				c.index[r.Line] = 1
				obeyed++
			}
		}
	}
	c.rules = make([]ruleURLs, obeyed)
	next := int32(0)
	for line, obeyed := range c.index {
		if obeyed != 0 {
			next++
			c.index[line] = next
		}
	}
	for i := range c.readers {
		for _, rule := range c.readers[i].Robots.Rules() {
			if r := c.rule(int32(rule.Line)); r != nil && r.line == 0 { // as the first reader for which it is a rule reads the line
				r.line, r.prefix, r.blocksNothing = int32(rule.Line), unslashed(rule), !rule.Allow && strings.TrimSpace(rule.Value) == ""
			}
		}
	}
}

// findPeers finds readers that should give the same verdicts: one crawler with several profiles,
// and readers that obey the same group.
func (c *Collector) findPeers() {
	for i := range c.readers {
		peer := -1
		for j := range i {
			a, b := &c.readers[j], &c.readers[i]
			parsed := a.Robots.Access == engine.Parsed && b.Robots.Access == engine.Parsed
			if b.Name == a.Name || parsed && a.Group.Line > 0 && a.Group.Line == b.Group.Line {
				peer = j
				break
			}
		}
		if c.alike = append(c.alike, i); peer >= 0 {
			c.alike[i] = c.alike[peer]
		}
		if peer >= 0 && c.matrix.Same(i) == c.matrix.Same(peer) {
			peer = -1 // they are judged together
		}
		c.peers = append(c.peers, peer)
	}
}

// ownGroup is a group that a reader obeys instead of "*", so that the rules of "*" are hidden.
type ownGroup struct {
	reader int
	star   int           // index of the decision that "*" would give the reader
	group  *engine.Group // "*"
	line   int32         // of the reader's own group
}

// findOwnGroups finds the readers whose own group hides rules of "*".
func (c *Collector) findOwnGroups() {
	hiding := map[int]bool{}
	for _, f := range c.lint {
		if f.ID == groupHidesStar {
			hiding[f.Line] = true
		}
	}
	for i := range c.readers {
		r := &c.readers[i]
		if g := r.Group; hiding[g.Line] && (g.Reason == engine.Exact || g.Reason == engine.Fallback) {
			hiding[g.Line] = false // once for each group
			c.ownGroups = append(c.ownGroups, ownGroup{
				reader: i, star: len(c.readers) + len(c.ownGroups), group: r.Robots.Group(engine.Crawler{}), line: int32(g.Line),
			})
		}
	}
}

// Matrix returns the matrix for judging the URLs. It has the readers' groups, in order, followed by
// additional groups to test. groups is their total number.
func (c *Collector) Matrix() (m *engine.Matrix, groups int) {
	c.prepare()
	return c.matrix, len(c.readers) + len(c.extraGroups())
}

// extraGroups are additional groups for which URLs are tested: "*" groups that a reader does not
// obey, and groups of the file with findings fixed.
func (c *Collector) extraGroups() []*engine.Group {
	var groups []*engine.Group
	for _, own := range c.ownGroups {
		groups = append(groups, own.group)
	}
	for k := range c.edits {
		groups = append(groups, c.edits[k].groups...)
	}
	return groups
}

// rewriteAll rewrites the rules of each group, see rewrite. It is called for the first URL that
// needs it; many sites have none.
func (c *Collector) rewriteAll(change func(engine.Rule) string) []rewritten {
	list := []rewritten{}
	done := map[int]bool{}
	for i := range c.readers {
		r := &c.readers[i]
		if len(r.Group.Rules) == 0 || done[r.Group.Line] {
			continue
		}
		done[r.Group.Line] = true
		if w := rewrite(i, r.Profile, r.Group.Rules, change); w.group != nil {
			list = append(list, w)
		}
	}
	return list
}
