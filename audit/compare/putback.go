package compare

import (
	"cmp"
	"slices"

	"robots-audit/engine"
)

// The rule that decides a URL does not show which changed line flips it. A rule that decides now
// may have been in the file before, when another one was stronger; a user-agent line decides
// nothing but changes everything. So each change is undone alone in the new file. The engine reads
// the result as its crawlers do, and judges the URL again. If no single change brings back the old
// verdict, several are undone together, see search.
//
// Files are large and flips many, so three things are prepared before the first URL is judged.
// First, crawlers that read every such file alike are judged as one. Second, a change that leaves a
// crawler's rules as they are has no effect on it. Third, a change that adds or removes rules of a
// crawler matters only to the URLs that these rules match, which one Matrix over all of them finds.

// reverter undoes the changed lines of one origin's robots.txt.
type reverter struct {
	c        *comparison
	at       int // index into Site.Origins
	new      *governed
	changes  []Line // as Origin.Diff, without its counts
	readers  []*revertReader
	of       []int // for each crawler, the first one judged together with it
	variants variants
	watch    []*watch // one for each profile
	searches searches

	candidates []int       // changes that may flip the current URL for a crawler
	found      [][]int     // for each crawler, the changes that do
	touched    []int       // changes marked for the current page
	marks      []changeBit // for each change, why the current page marks it
}

// revertReader is the effect of changes on one crawler.
type revertReader struct {
	watch  *watch
	always []int         // changes that may matter to any URL
	by     map[int][]int // changes that add or remove a rule, by its number in watch
}

// changeBit is a reason why a page marks a change.
type changeBit uint8

const (
	namedBlocked changeBit = 1 << iota
	namedAllowed
	namedOther
	namedTogether
)

// maxRevertedBytes bounds the bytes that are read to undo each change of a file alone: a second or
// two. If a file needs more, none of its changes is counted.
const maxRevertedBytes = 256 << 20

// reverter returns the reverter of an origin; nil = its changes cannot be undone.
func (c *comparison) reverter(at int) *reverter {
	if r, known := c.reverters[at]; known {
		return r
	}
	o := &c.site.Origins[at]
	var r *reverter
	if new := c.new.originNamed(o.Name); len(o.Diff) > 0 && new != nil {
		r = c.newReverter(at, c.new.judge(new.record.Index, c.new.readers))
	}
	if c.reverters == nil {
		c.reverters = map[int]*reverter{}
	}
	c.reverters[at] = r
	return r
}

func (c *comparison) newReverter(at int, new *governed) *reverter {
	o := &c.site.Origins[at]
	r := &reverter{c: c, at: at, new: new, changes: slices.Clone(o.Diff), marks: make([]changeBit, len(o.Diff)), found: make([][]int, len(c.new.readers))}
	r.variants = variants{c: c, new: new, oldBody: o.Old.Body, changes: r.changes}
	for i, reader := range c.new.readers {
		at := slices.IndexFunc(r.watch, func(w *watch) bool { return w.profile == reader.profile })
		if at < 0 {
			at = len(r.watch)
			r.watch = append(r.watch, &watch{profile: reader.profile, numbers: map[engine.Rule]int{}})
		}
		r.readers = append(r.readers, &revertReader{watch: r.watch[at], by: map[int][]int{}})
		r.of = append(r.of, i)
	}
	if int64(len(r.changes))*int64(len(new.record.File.Body)+len(o.Old.Body))*int64(1+len(r.watch)) > maxRevertedBytes {
		for i := range o.Diff {
			o.Diff[i].NotCounted = true
		}
		return nil
	}
	r.readAll()
	for _, w := range r.watch {
		w.compile()
	}
	return r
}

// readAll undoes each change alone, and finds its effect on the rules of each crawler.
func (r *reverter) readAll() {
	n := len(r.readers)
	alike := make([]bool, n*n) // whether a crawler and an earlier one read all files alike so far
	for i := range n {
		for k := range i {
			alike[i*n+k] = r.readers[i].watch == r.readers[k].watch && sameRules(r.new.groups[i], r.new.groups[k])
		}
	}
	for change := range r.changes {
		v := r.variants.read([]int{change})
		for i := range n {
			for k := range i {
				alike[i*n+k] = alike[i*n+k] && sameRules(v.group(i), v.group(k)) && v.reading(i).Access == v.reading(k).Access
			}
			r.readers[i].note(change, r.new, v, i)
		}
	}
	for i := range n {
		if k := slices.Index(alike[i*n:i*n+i], true); k >= 0 {
			r.of[i] = r.of[k]
		}
	}
}

// sameRules reports whether two groups of one file have the same lines.
func sameRules(a, b *engine.Group) bool {
	return len(a.Rules) == len(b.Rules) && (len(a.Rules) == 0 || &a.Rules[0] == &b.Rules[0])
}

// note notes the effect of undoing a change on crawler i.
func (r *revertReader) note(change int, new *governed, v *variant, i int) {
	rules, any := rulesChanged(new.groups[i].Rules, v.group(i).Rules, r.watch.profile.FirstMatch)
	if any || new.readings[i].Access != v.reading(i).Access {
		r.always = append(r.always, change)
		return
	}
	for _, rule := range rules {
		n := r.watch.number(rule)
		if list := r.by[n]; len(list) == 0 || list[len(list)-1] != change {
			r.by[n] = append(list, change)
		}
	}
}

// rulesChanged returns the rules, without lines, that only one of two groups has. any = the verdict
// on any URL may differ.
func rulesChanged(a, b []engine.Rule, ordered bool) (rules []engine.Rule, any bool) {
	same := func(a, b engine.Rule) bool { return a.Allow == b.Allow && a.Value == b.Value }
	for len(a) > 0 && len(b) > 0 && same(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && same(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if ordered && len(a) > 0 && len(b) > 0 && len(a)+len(b) > 2 {
		return nil, true
	}
	counts := map[engine.Rule]int{}
	for _, rule := range a {
		rule.Line = 0
		counts[rule]++
	}
	for _, rule := range b {
		rule.Line = 0
		counts[rule]--
	}
	for rule, n := range counts {
		if n != 0 && rule.Value == "" {
			return nil, true
		}
		if n != 0 {
			rules = append(rules, rule)
		}
	}
	slices.SortFunc(rules, func(a, b engine.Rule) int {
		return cmp.Compare(a.String(), b.String())
	})
	return rules, false
}

// putBack finds the changed lines that flip a URL, and counts the URL for them.
func (c *comparison) putBack(f *Flip, page bool) {
	var r *reverter
	for i := range f.Verdicts {
		v := &f.Verdicts[i]
		if v.Class == Same || v.Cause != Rule && v.Cause != Group {
			continue
		}
		if r == nil {
			if r = c.reverter(f.Origin); r == nil {
				return
			}
			r.begin(f.Loc)
		}
		v.Lines, v.Together = r.lines(i, f)
		if page {
			r.mark(v)
		}
	}
	if r != nil && page {
		r.count(Clicks(f.Weight))
	}
}

// begin finds the rules that match a URL among those that changes add or remove.
func (r *reverter) begin(loc string) {
	for _, w := range r.watch {
		w.match(loc)
	}
}

// lines returns the changes that each bring back the old verdict of crawler i if undone alone. If
// none does, it returns the smallest set that was found, and together is true.
func (r *reverter) lines(i int, f *Flip) (lines []int, together bool) {
	was := f.Verdicts[i].Was
	for k := range i {
		v := &f.Verdicts[k]
		if r.of[k] == r.of[i] && v.Class != Same && v.Was == was && (v.Cause == Rule || v.Cause == Group) {
			return v.Lines, v.Together
		}
	}
	reader := r.readers[i]
	candidates := append(r.candidates[:0], reader.always...)
	for _, rule := range reader.watch.matched {
		candidates = append(candidates, reader.by[rule]...)
	}
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	r.candidates = candidates
	lines = r.found[i][:0]
	for _, change := range candidates {
		if r.variants.single(change).group(i).Verdict(f.Loc).Verdict == was {
			lines = append(lines, change)
		}
	}
	r.found[i] = lines
	if len(lines) == 0 {
		lines = r.search(i, f, candidates)
		return lines, lines != nil
	}
	return lines, false
}

// mark marks the lines of a crawler's flip.
func (r *reverter) mark(v *Verdicts) {
	bit := namedOther
	switch {
	case v.Together:
		bit = namedTogether
	case v.Class == NewlyBlocked:
		bit = namedBlocked
	case v.Class == NewlyAllowed:
		bit = namedAllowed
	}
	for _, change := range v.Lines {
		if r.marks[change] == 0 {
			r.touched = append(r.touched, change)
		}
		r.marks[change] |= bit
	}
}

// count counts a page for the lines that it has marked.
func (r *reverter) count(weight int64) {
	diff := r.c.site.Origins[r.at].Diff
	for _, change := range r.touched {
		line, bits := &diff[change], r.marks[change]
		if bits != namedTogether {
			line.Weight += weight
		}
		line.NewlyBlocked += int64(bits & namedBlocked)
		line.NewlyAllowed += int64(bits & namedAllowed / namedAllowed)
		line.OtherFlips += int64(bits & namedOther / namedOther)
		line.Together += int64(bits & namedTogether / namedTogether)
		r.marks[change] = 0
	}
	r.touched = r.touched[:0]
}
