package findings

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// MaxFindings bounds the findings of one id from URLs for one robots.txt; those with the most URLs
// are kept. Lint has the same limit for its own.
const MaxFindings = 100

// Finding is a finding of the engine's catalogue with the known URLs that it affects. All its texts
// are UTF-8: other bytes of the file become \xNN.
type Finding struct {
	engine.Finding
	Counted bool   // URLs is a count; false if the finding is not about URLs, or no reader obeys the line
	Touched string // description of the counted URLs: "decided by this line"; "" = none

	URLs    int64    // known URLs that it affects, each once; see audit.Finding
	Samples []string // the first few of them

	Flips      int64 // known URLs whose verdict differs because of the finding
	FlipsKnown bool  // Flips is complete
}

// builder collects the findings of one robots.txt.
type builder struct {
	*Collector
	profiles  []*engine.Profile
	matched   []matched // for each of Collector.rules
	unlocated []int     // indices into list of findings without a position
	list      []Finding
}

// Findings returns the findings about the robots.txt after all URLs were added, in the order of the
// lines, those about the file as a whole first; never nil. repeated says that an origin with the
// same file has already reported the findings of the file alone. Then they are only repeated if
// they affect URLs. The collector cannot be used afterwards.
func (c *Collector) Findings(repeated bool) []Finding {
	c.prepare()
	b := &builder{Collector: c, matched: make([]matched, len(c.rules)), list: make([]Finding, 0, len(c.lint)+min(len(c.rules), MaxFindings))}
	for i := range c.readers {
		r := &c.readers[i]
		if !slices.Contains(b.profiles, r.Profile) {
			b.profiles = append(b.profiles, r.Profile)
		}
		if c.matrix.Same(i) == i {
			for k := range r.Group.Rules {
				b.addMatches(r, r.Group.Rules[k].Line, c.matrix.Matched(i, k))
			}
		}
	}
	b.addLint(repeated || c.foreign)
	b.addRules()
	b.addDifferences()
	b.addCounts()
	b.addNoteFindings()
	b.addListed()
	b.locate()
	b.settleBlocking()
	if c.foreign {
		b.leaveToOwner()
	}
	b.limit()
	for i := range b.list {
		b.list[i].makePrintable()
	}
	return b.list
}

// settleBlocking takes back small edits of lines that block URLs of sitemaps: they would keep the URLs
// blocked, and whether they should be is open.
func (b *builder) settleBlocking() {
	blocking := map[int]bool{}
	for i := range b.list {
		if b.list[i].ID == sitemapURLsBlocked {
			blocking[b.list[i].Line] = true
		}
	}
	for i := range b.list {
		if found := &b.list[i]; blocking[found.Line] && found.Severity == engine.Info {
			found.Fix = "First decide whether the line should block URLs of sitemaps."
			found.Replacement, found.Delete, found.Harmless = "", nil, false
		}
	}
}

// blocksURLs are the findings about URLs and files of the site that a line blocks. They matter even
// if another site's owner wrote the line.
var blocksURLs = map[string]bool{resourceBlocked: true, targetBlocked: true, sitemapURLsBlocked: true, NoIndexUnseen: true, IndexedSitemapBlocked: true, mediaBlocked: true}

// leaveToOwner changes the findings about another site's file, so that they show the effect on the
// found URLs and leave the fix to that site's owner.
func (b *builder) leaveToOwner() {
	for i := range b.list {
		found := &b.list[i]
		if !blocksURLs[found.ID] {
			found.Severity = engine.Info
		}
		found.Fix = "This host belongs to another site. Ask its operator to change the file, or move what must be crawled to your own host."
		found.Replacement, found.Delete, found.Harmless = "", nil, false
	}
}

// matched says how many URLs a line matches, for the reader with the most.
type matched struct {
	urls   int64
	label  string // of that reader
	differ bool   // other readers have fewer
	known  bool   // a reader obeys the line
}

// addMatches adds the number of URLs that a rule matches for a reader.
func (b *builder) addMatches(r *Reader, line int, urls int64) {
	m := &b.matched[b.index[line]-1]
	m.differ = m.differ || m.known && urls != m.urls
	if !m.known || urls > m.urls {
		m.urls, m.label, m.known = urls, r.Label, true
	}
}

// setCount sets the URLs of a finding; nil = no URL. touched describes them.
func (f *Finding) setCount(t *urlCount, touched string) {
	f.Counted, f.Touched = true, touched
	if t != nil {
		f.URLs, f.Samples = t.n, t.samples
	}
}

// urls says how many URLs: "1 known URL is", "3 known URLs are".
func urls(n int64, is, are string) string {
	return wording.Plural(n, "URL") + " " + wording.Verb(n, is, are)
}

// addFinding adds a finding from URLs, unless it concerns none of the profiles.
func (b *builder) addFinding(id string, line int32, t *urlCount, severity engine.Severity, what, touched string) *Finding {
	kind, _ := engine.FindingKindByID(id)
	found := Finding{Finding: kind.Finding()}
	for _, p := range b.profiles {
		if kind.Concerns(p) {
			found.Profiles = append(found.Profiles, p.Name)
		}
	}
	if found.Profiles == nil {
		return nil
	}
	found.Severity, found.What = severity, what
	found.setCount(t, touched)
	if changesVerdicts[id] {
		found.Flips, found.FlipsKnown = found.URLs, true
	}
	found.Line = int(line)
	if line > 0 {
		b.unlocated = append(b.unlocated, len(b.list))
	}
	b.list = append(b.list, found)
	return &b.list[len(b.list)-1]
}

// locate sets the positions of findings that have only a line number. It walks the file once,
// because a file may have half a million lines. Lines that the first reader does not read are not
// found.
func (b *builder) locate() {
	if len(b.unlocated) == 0 {
		return
	}
	slices.SortFunc(b.unlocated, func(i, j int) int { return cmp.Compare(b.list[i].Line, b.list[j].Line) })
	for line := range b.readers[0].Robots.Lines() {
		for len(b.unlocated) > 0 && b.list[b.unlocated[0]].Line == line.Number {
			b.list[b.unlocated[0]].pointAt(&line)
			b.unlocated = b.unlocated[1:]
		}
		if len(b.unlocated) == 0 {
			return
		}
	}
	for _, i := range b.unlocated {
		b.list[i].Line = 0
	}
}

// pointAt sets the position of a finding to the value of its line.
func (f *Finding) pointAt(l *engine.RawLine) {
	f.Text = l.Text[:min(len(l.Text), 1024)]
	f.Column, f.EndColumn = 1, len(l.Text)+1
	field := strings.Index(l.Text, l.Field) + len(l.Field)
	if at := strings.Index(l.Text[field:], l.Value); at >= 0 && l.Value != "" {
		f.Column = field + at + 1
		f.EndColumn = f.Column + len(l.Value)
	}
}

// subjects returns the keys of counts in a fixed order.
func (c *Collector) subjects() []subject {
	keys := make([]subject, 0, len(c.counts))
	for key := range c.counts {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b subject) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.line, b.line), cmp.Compare(a.detail, b.detail))
	})
	return keys
}

// limit keeps at most MaxFindings findings from URLs of each id, or a few more if a severity would
// be lost completely, and sorts all.
func (b *builder) limit() {
	byLine := func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(y.Severity, x.Severity), cmp.Compare(x.Column, y.Column), cmp.Compare(x.ID, y.ID))
	}
	slices.SortStableFunc(b.list, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.ID, y.ID), cmp.Compare(y.URLs, x.URLs), byLine(x, y))
	})
	kept := b.list[:0]
	for _, found := range b.list {
		n := len(kept)
		if n < MaxFindings || kept[n-MaxFindings].ID != found.ID || found.Severity == engine.Critical {
			kept = append(kept, found)
			continue
		}
		at := n - 1 // More must count findings of the same severity
		for at >= 0 && kept[at].ID == found.ID && kept[at].Severity != found.Severity {
			at--
		}
		if at < 0 || kept[at].ID != found.ID {
			kept = append(kept, found)
			continue
		}
		kept[at].More += 1 + found.More
	}
	b.list = kept
	slices.SortStableFunc(b.list, byLine)
}
