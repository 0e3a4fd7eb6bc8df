package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine"
)

// maxFindings bounds the findings of one id for one robots.txt that URLs show;
// those with the most URLs are kept. Lint keeps as many of its own.
const maxFindings = 100

// finder puts the findings of one robots.txt together.
type finder struct {
	*evidence
	profiles []*engine.Profile
	matched  map[int]int64 // by line: known URLs that the rule matches
	unplaced []int         // indices into list of what is still to be placed
	list     []Finding
}

// findings returns what is to be said about o's robots.txt once all URLs are
// judged.
func (s *site) findings(o *origin) []Finding {
	f := &finder{evidence: o.evidence, matched: map[int]int64{}, list: []Finding{}}
	for _, c := range s.auditor.Crawlers {
		if !slices.Contains(f.profiles, c.profile) {
			f.profiles = append(f.profiles, c.profile)
		}
	}
	for i, g := range o.groups {
		if o.matrix.Same(i) == i {
			for _, c := range o.matrix.Counts(i)[:len(g.Rules)] {
				f.matched[c.Rule.Line] = max(f.matched[c.Rule.Line], c.Matched)
			}
		}
	}
	f.addLint(o, s.saidBefore(o))
	f.addRules()
	f.addHits()
	f.place()
	f.bound()
	for i := range f.list {
		f.list[i].text()
	}
	return f.list
}

// take takes over a count.
func (f *Finding) take(t *touched) {
	f.Counted = true
	if t != nil {
		f.URLs, f.Samples = t.n, t.samples
	}
}

// urls says how many URLs: "1 known URL is", "3 known URLs are".
func urls(n int64, is, are string) string {
	if n == 1 {
		return "1 known URL " + is
	}
	return fmt.Sprintf("%d known URLs %s", n, are)
}

// add adds a finding that URLs show, unless it concerns none of the profiles.
func (f *finder) add(id string, line int32, t *touched, severity engine.Severity, what string) *Finding {
	kind, _ := engine.FindingKindByID(id)
	add := Finding{Finding: kind.Finding()}
	for _, p := range f.profiles {
		if kind.Concerns(p) {
			add.Profiles = append(add.Profiles, p.Name)
		}
	}
	if add.Profiles == nil {
		return nil
	}
	add.Severity, add.What = severity, what
	add.take(t)
	add.Line = int(line)
	if line > 0 {
		f.unplaced = append(f.unplaced, len(f.list))
	}
	f.list = append(f.list, add)
	return &f.list[len(f.list)-1]
}

// place says where in the file the findings are that were added by line: in one
// walk, since a file may have half a million lines. What the first crawler does
// not read is no line to it.
func (f *finder) place() {
	if len(f.unplaced) == 0 {
		return
	}
	slices.SortFunc(f.unplaced, func(a, b int) int { return cmp.Compare(f.list[a].Line, f.list[b].Line) })
	for line := range f.reading.Lines() {
		for len(f.unplaced) > 0 && f.list[f.unplaced[0]].Line == line.Number {
			f.list[f.unplaced[0]].point(&line)
			f.unplaced = f.unplaced[1:]
		}
		if len(f.unplaced) == 0 {
			return
		}
	}
	for _, i := range f.unplaced {
		f.list[i].Line = 0
	}
}

// point has a finding point at the value of its line.
func (f *Finding) point(l *engine.RawLine) {
	f.Text = l.Text[:min(len(l.Text), 1024)]
	f.Column, f.EndColumn = 1, len(l.Text)+1
	field := strings.Index(l.Text, l.Field) + len(l.Field)
	if at := strings.Index(l.Text[field:], l.Value); at >= 0 && l.Value != "" {
		f.Column = field + at + 1
		f.EndColumn = f.Column + len(l.Value)
	}
}

// hitKeys are the keys of hits in a set order.
func (e *evidence) hitKeys() []hit {
	keys := make([]hit, 0, len(e.hits))
	for key := range e.hits {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.line, b.line), cmp.Compare(a.about, b.about))
	})
	return keys
}

// bound keeps the findings of each id that URLs show within maxFindings, and
// puts all in order.
func (f *finder) bound() {
	byLine := func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Column, b.Column), cmp.Compare(a.ID, b.ID))
	}
	slices.SortStableFunc(f.list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(b.URLs, a.URLs), byLine(a, b))
	})
	kept := f.list[:0]
	for _, found := range f.list {
		n := len(kept)
		if n < maxFindings || kept[n-maxFindings].ID != found.ID || found.Severity == engine.Critical {
			kept = append(kept, found)
			continue
		}
		kept[n-1].More += 1 + found.More
	}
	f.list = kept
	slices.SortStableFunc(f.list, byLine)
}
