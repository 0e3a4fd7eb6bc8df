package edit

import (
	"maps"
	"slices"

	"robots-audit/engine"
)

// place is where rules are inserted: at the top of a group, before all of its rules,
// so that they come first to readers for whom the order decides.
type place struct {
	after    int    // the line before
	opening  []Edit // of a group of its own: what comes before the rules
	closing  []Edit // and after them: the rules of the group that its crawlers leave
	crawlers []int  // those who obey them
	mask     uint64 // the same as bits
}

// edits returns what is inserted to have rules there.
func (p *place) edits(rules []string) []Edit {
	list := slices.Clone(p.opening)
	for _, rule := range rules {
		list = append(list, Edit{Op: Insert, Line: p.after, Text: rule})
	}
	return append(list, p.closing...)
}

// A new group repeats at most so many lines.
const maxRepeated = 1000

// places finds the groups of the crawlers that have cells, and the new ones that they may be
// given: fresh of them begin with the first that is new.
func (f *finder) places() (list []*place, fresh int) {
	var needing []int // crawlers with cells
	for _, c := range f.cells {
		if !slices.Contains(needing, c.crawler) {
			needing = append(needing, c.crawler)
		}
	}
	for _, c := range needing {
		for _, after := range f.runs(c) {
			if !slices.ContainsFunc(list, func(p *place) bool { return p.after == after }) {
				list = append(list, &place{after: after})
			}
		}
	}
	list = f.obeyed(list)
	fresh = len(list)
	list = append(list, f.obeyed(f.newGroups(needing))...)
	return list, fresh
}

// runs are the last user-agent lines of the groups, as they are written, that may make up
// what a crawler obeys: those of its names alone.
func (f *finder) runs(c int) (list []int) {
	last, others := map[int]int{}, map[int]bool{} // by group of the file
	for l := range f.base[c].Lines() {
		if l.Kind == "user-agent" && l.Group >= 0 {
			last[l.Group] = l.Number
			others[l.Group] = others[l.Group] || !slices.Contains(f.groups[c].Tokens, l.Value)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(last)) {
		if !others[group] {
			list = append(list, last[group])
		}
	}
	return list
}

// obeyed finds who obeys a rule in each place: by the file with one. Places that nobody
// obeys are left out, and those that have any crawler obey other rules than before.
func (f *finder) obeyed(places []*place) (list []*place) {
	const pattern = "/6f0c1d5e-obeyed"
	isMarker := func(r engine.Rule) bool { return r.Value == pattern }
	for _, p := range places {
		body := f.file.apply(p.edits([]string{"Disallow: " + pattern}))
		kept := true
		robots := f.read(body)
		for c, g := range f.groupsOf(robots) {
			rules := slices.DeleteFunc(slices.Clone(g.Rules), isMarker)
			was := f.groups[c].Rules
			if robots[c].Unread > 0 { // what is read ends elsewhere, maybe within a line; the proof tells what that does
				n := max(0, min(len(was), len(rules))-1)
				was, rules = was[:n], rules[:n]
			}
			kept = kept && slices.EqualFunc(rules, was, func(a, b engine.Rule) bool { return a.Allow == b.Allow && a.Value == b.Value })
			if slices.ContainsFunc(g.Rules, isMarker) {
				p.crawlers = append(p.crawlers, c)
				p.mask |= 1 << c
			}
		}
		if p.crawlers != nil && kept {
			list = append(list, p)
		}
	}
	return list
}

// newGroups are groups that could be written for crawlers which have none of their own,
// one for all that obey the same.
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

// newGroup writes a group for some names with the rules that a crawler obeys: at the end
// of the file, and before its first group, since lines that end a file may belong to
// whatever follows.
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
