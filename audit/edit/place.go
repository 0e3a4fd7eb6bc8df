package edit

import (
	"maps"
	"slices"

	"robots-audit/engine"
)

// place is where rules are inserted: at the top of a group, so that they also come first for
// readers that follow the order.
type place struct {
	after   int    // the line before
	opening []Edit // for a new group: the lines before the rules
	closing []Edit // for a new group: the lines after them, the rules that its crawlers would lose
	mask    uint64 // bits of the crawlers that obey the rules
	cells   bitset // cells of these crawlers
}

// edits returns the insertions that put rules there.
func (p *place) edits(rules []string) []Edit {
	list := slices.Clone(p.opening)
	for _, rule := range rules {
		list = append(list, Edit{Op: Insert, Line: p.after, Text: rule})
	}
	return append(list, p.closing...)
}

// maxRepeated bounds the lines that a new group repeats.
const maxRepeated = 1000

// Bounds of the places that are tried, and of the bytes read to find them, over all readers.
const (
	maxPlaces = 128
	maxPlaced = 32 << 20
)

// places returns the groups of the crawlers that have cells, and possible new groups. fresh is the
// index of the first new group. If the same crawlers obey several places, only the first is
// returned. A file may have thousands of groups of one name, which readers join, and a rule has the
// same effect in each.
func (f *finder) places() (list []*place, fresh int) {
	var needing []int // crawlers with cells
	for _, c := range f.cells {
		if !slices.Contains(needing, c.crawler) {
			needing = append(needing, c.crawler)
		}
	}
	t := &placing{finder: f, left: maxPlaced, known: map[uint64]bool{}}
	holders := f.holders()
	var splits []int
	for _, c := range needing {
		for _, r := range f.runs(c, holders) {
			lines := r.splits()
			splits = append(splits, lines...)
			f.unsplit = f.unsplit || len(lines)+1 < len(r.agents)
			if r.obeyed == 0 || !t.known[r.obeyed] {
				t.try(&place{after: r.last}, r.obeyed)
			}
		}
	}
	slices.Sort(splits)
	for _, line := range slices.Compact(splits) {
		t.try(&place{after: line}, 0)
	}
	fresh, t.left = len(t.list), maxPlaced
	for _, p := range f.newGroups(needing) {
		t.try(p, 0)
	}
	return t.list, fresh
}

// holders returns, for each line of the file, the crawlers that obey its rule.
func (f *finder) holders() []uint64 {
	list := make([]uint64, len(f.file.lines)+1)
	for c, g := range f.groups {
		for i := range g.Rules {
			list[g.Rules[i].Line] |= 1 << c
		}
	}
	return list
}

// groupLines are the lines of one group, as written, that matter for places.
type groupLines struct {
	last   int    // user-agent line
	obeyed uint64 // crawlers that obey its first rule; 0 = it has none
	others bool   // it also names other crawlers
	agents []agentLine
}

// agentLine is a user-agent line.
type agentLine struct {
	number int
	name   string
}

// splits returns the user-agent lines after which a rule can split the group without loss of rules
// for the crawlers named above. This is the case if the lines below name them all again.
func (g *groupLines) splits() (lines []int) {
	below := map[string]int{}
	for _, a := range g.agents {
		below[a.name]++
	}
	for _, a := range g.agents {
		if below[a.name]--; below[a.name] == 0 {
			break
		}
		lines = append(lines, a.number)
	}
	return lines
}

// runs returns the groups, as written, that name a crawler.
func (f *finder) runs(c int, holders []uint64) (list []groupLines) {
	names := map[string]bool{}
	for _, name := range f.groups[c].Tokens {
		names[name] = true
	}
	groups := map[int]groupLines{}
	for l := range f.base[c].Lines() {
		if l.Group < 0 {
			continue
		}
		g := groups[l.Group]
		switch {
		case l.Kind == "user-agent":
			g.last = l.Number
			g.agents = append(g.agents, agentLine{l.Number, l.Value})
			g.others = g.others || !names[l.Value]
		case g.obeyed == 0:
			g.obeyed = holders[l.Number]
		}
		groups[l.Group] = g
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		if g := groups[group]; g.last > 0 && !g.others {
			list = append(list, g)
		}
	}
	return list
}

// placing finds out which crawlers obey a rule in each place, with a test file.
type placing struct {
	*finder
	left  int // bytes
	list  []*place
	known map[uint64]bool // crawler sets that obey the places in list
}

// try keeps a place, unless no crawler obeys it, or a crawler would obey different rules. A place
// with opening and closing is a new group. It is kept in addition to a place with the same
// crawlers, because they leave their old group. expected are the crawlers that may obey it.
func (t *placing) try(p *place, expected uint64) {
	const pattern = "/6f0c1d5e-obeyed"
	isMarker := func(r engine.Rule) bool { return r.Value == pattern }
	if t.left -= len(profiles(t.crawlers)) * (t.file.size + 200); t.left < 0 && len(t.list) > 0 || len(t.list) == maxPlaces {
		t.bound("the crawlers follow too many groups to try all")
		return
	}
	robots := t.read(t.file.apply(p.edits([]string{"Disallow: " + pattern})))
	for c, g := range t.groupsOf(robots) {
		rules := slices.DeleteFunc(slices.Clone(g.Rules), isMarker)
		was := t.groups[c].Rules
		if robots[c].Unread > 0 { // the size limit moves, maybe to within a line; the proof shows the effect
			n := max(0, min(len(was), len(rules))-1)
			was, rules = was[:n], rules[:n]
		}
		if !slices.EqualFunc(rules, was, func(a, b engine.Rule) bool { return a.Allow == b.Allow && a.Value == b.Value }) {
			return
		}
		if slices.ContainsFunc(g.Rules, isMarker) {
			p.mask |= 1 << c
		}
	}
	if isNew := p.opening != nil; p.mask != 0 && (isNew || !t.known[p.mask]) {
		p.cells = t.cellsOf(p.mask)
		t.list = append(t.list, p)
		if !isNew {
			t.known[p.mask], t.known[expected] = true, true
		}
	}
}

// newGroups returns possible new groups for crawlers without a group of their own, one for all that
// obey the same group.
func (f *finder) newGroups(needing []int) (list []*place) {
	done := map[int]bool{}
	for _, c := range needing {
		g := f.groups[c]
		if done[g.Line] || g.Reason == engine.Exact || len(f.crawlers[c].Crawler.Tokens) == 0 {
			continue
		}
		done[g.Line] = true
		var names []string
		for _, other := range needing {
			if o := f.groups[other]; o.Line == g.Line && o.Reason != engine.Exact && len(f.crawlers[other].Crawler.Tokens) > 0 {
				if name := f.crawlers[other].Crawler.Tokens[0]; !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		list = append(list, f.newGroup(names, c)...)
		if g.Line == 0 {
			list = append(list, f.newGroup([]string{"*"}, c)...)
		}
	}
	return list
}

// newGroup writes a group for some names with the rules that a crawler obeys. It is tried at the
// end of the file and before the first group, because the last lines of a file may belong to a
// group that follows.
func (f *finder) newGroup(names []string, c int) (list []*place) {
	ends := []int{len(f.file.lines)}
	var repeated []string
	own := map[int]bool{}
	for _, r := range f.groups[c].Rules {
		own[r.Line] = true
	}
	run := -1
	first := 0
	for l := range f.base[c].Lines() {
		if l.Kind == "user-agent" && first == 0 {
			first = l.Number
			ends = append(ends, first-1)
		}
		if own[l.Number] {
			run = l.Group
			repeated = append(repeated, l.Text)
		} else if l.Kind == "crawl-delay" && l.Group >= 0 && l.Group == run {
			repeated = append(repeated, l.Text)
		}
	}
	if len(repeated) > maxRepeated {
		f.repeats = true
		return nil
	}
	for _, after := range ends {
		p := &place{after: after}
		add := func(to *[]Edit, text string) { *to = append(*to, Edit{Op: Insert, Line: after, Text: text}) }
		if after > 0 && after == len(f.file.lines) && f.file.text(after) != "" {
			add(&p.opening, "")
		}
		for _, name := range names {
			add(&p.opening, "User-agent: "+name)
		}
		for _, text := range repeated {
			add(&p.closing, text)
		}
		if after < len(f.file.lines) {
			add(&p.closing, "")
		}
		list = append(list, p)
	}
	return list
}
