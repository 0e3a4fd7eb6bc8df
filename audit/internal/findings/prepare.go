package findings

import (
	"slices"
	"strings"

	"robots-audit/engine"
)

// Reader is a crawler and what it makes of a robots.txt.
type Reader struct {
	Label      string // "Googlebot@google-2019"
	Name       string // "Googlebot"
	FindsPages bool   // it makes the site's pages findable, so it is hardly ever blocked on purpose
	Profile    *engine.Profile
	Crawler    *engine.Crawler
	Robots     *engine.Robots // the file as Profile reads it
	Group      *engine.Group  // that it obeys
}

// family reports whether the reader's profile is one of a kind: "google", "yandex".
func (r *Reader) family(name string) bool { return strings.HasPrefix(r.Profile.Name, name) }

// Robots is one robots.txt as a Collector needs it.
type Robots struct {
	Readers []Reader         // at least one; lines of findings are as the first reads the file
	Lint    []engine.Finding // what the file alone shows
	Missing bool             // the server says that there is no file
	Bytes   int              // of the file
	Foreign bool             // it is another site's, on which URLs and files of this one lie
}

// New returns a collector for the URLs that robots governs. The Readers are the
// collector's from then on.
func New(robots Robots) *Collector {
	return &Collector{readers: robots.Readers, lint: robots.Lint, missing: robots.Missing, foreign: robots.Foreign, bytes: robots.Bytes, counts: map[subject]*urlCount{}}
}

// prepare prepares for the first URL, or for the findings where none has come: thousands of
// sites may wait for theirs, and what it makes is larger than what it is made of.
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
		// Case may matter to URLs in lower case, too.
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
			c.readers[i].Robots = nil // it may be large, and is not needed any more
		}
	}
}

// indexRules makes room for what each rule does.
func (c *Collector) indexRules() {
	obeyed, last := 0, 0 // lines of rules that one of the readers obeys, and the last of them
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
			if r := c.rule(int32(rule.Line)); r != nil && r.line == 0 { // as the first reads the line to whom it is a rule
				r.line, r.prefix, r.blocksNothing = int32(rule.Line), unslashed(rule), !rule.Allow && strings.TrimSpace(rule.Value) == ""
			}
		}
	}
}

// findPeers finds readers that should come to the same verdicts: one name
// read by several profiles, and readers that obey one and the same group.
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
			peer = -1 // they are tested as one
		}
		c.peers = append(c.peers, peer)
	}
}

// ownGroup is a group that a reader obeys in place of "*", whose rules it hides.
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

// Matrix is the one by which the URLs are to be judged: of the readers' groups, in
// order, and of others that the URLs are to be tested for besides them; groups is how
// many it has in all.
func (c *Collector) Matrix() (m *engine.Matrix, groups int) {
	c.prepare()
	return c.matrix, len(c.readers) + len(c.extraGroups())
}

// extraGroups are groups for which URLs are tested in addition to the readers' groups: "*" groups that a
// reader does not obey, and groups of the file with findings fixed.
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

// rewriteAll writes the rules of each group otherwise, see rewrite. It is asked
// for when a URL comes for which that makes a difference: on many sites none does.
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
