package edit

import (
	"maps"
	"slices"
	"strings"

	"robots-audit/engine"
)

// Bounds of the work of finding single edits. The unit is the work of reading one octet of a file,
// some 10 ns.
const (
	maxReread  = 256 << 20 // for edits of rules that decide cells
	maxFurther = 128 << 20 // for others
)

// tries tests files with single edits.
type tries struct {
	*finder
	left    int          // remaining work
	idle    map[int]bool // see idleLines; nil = not computed yet
	matched map[int][]int
	every   []int // all URLs of the set
	list    []*change
}

func (f *finder) newTries(most int) *tries {
	t := &tries{finder: f, left: most, matched: map[int][]int{}}
	for i := range f.set {
		t.every = append(t.every, i)
	}
	return t
}

// Group.Verdict compares this many URLs with all rules one by one before it compiles the rules.
// Afterwards a verdict costs about as much as compiled.
const (
	uncompiled = 100
	compiled   = 100
	compiling  = 150 // cost of compiling a rule for many files at once
)

// spend reports whether one more file may be read to judge some URLs.
func (t *tries) spend(urls int) bool {
	if t.left < 0 {
		t.bound("the file has too many lines to try all")
		return false
	}
	if t.ctx.Err() != nil {
		return false
	}
	verdicts := urls * len(t.crawlers)
	t.left -= len(profiles(t.crawlers))*(t.file.size+200) + min(verdicts, uncompiled)*t.file.rules + verdicts*compiled
	return true
}

// try keeps an edit that brings the verdict to some cells. line is the line that it rewrites;
// allLines = it may affect every URL.
func (t *tries) try(e Edit, line int) {
	set := t.concerned(e, line)
	if !t.spend(len(set)) {
		return
	}
	t.tried++
	c := t.newChange(e)
	groups := t.groupsOf(t.read(t.file.apply(c.edits)))
	c.covers = newBitset(len(t.cells))
	for _, m := range set {
		for crawler, at := range t.cellAt[m] {
			if at >= 0 && groups[crawler].Verdict(t.set[m].url).Verdict == t.Want {
				c.covers.add(at)
			}
		}
	}
	if c.covers.count() > 0 {
		c.dirty = t.spoils(groups, set, line)
		t.list = append(t.list, c)
	}
}

// concerned returns the URLs of the set whose verdict an edit may change. For one rule these are
// the URLs that it matches, because its replacement matches no more.
func (t *tries) concerned(e Edit, line int) []int {
	if line == allLines || t.isCut() {
		return t.every
	}
	if t.idle == nil {
		t.idle = t.idleLines()
	}
	_, value := ruleOf(e.Was)
	if value == "" || e.Op == Delete && !t.idle[line] {
		return t.every
	}
	list, known := t.matched[line]
	if known {
		return list
	}
	for _, m := range t.every {
		if t.decides(line, m) {
			list = append(list, m)
		}
	}
	for _, p := range profiles(t.crawlers) {
		whole := *p
		whole.Limit = -1
		alone := whole.Parse([]byte("User-agent: *\nAllow: " + value + "\n")).Groups()[0]
		for _, m := range t.every {
			if !slices.Contains(list, m) && alone.Verdict(t.set[m].url).Rule != nil {
				list = append(list, m)
			}
		}
	}
	t.matched[line] = list
	return list
}

// decides reports whether a line decides a URL of the set for any crawler.
func (f *finder) decides(line, member int) bool {
	return slices.ContainsFunc(f.set[member].was, func(d engine.Decision) bool { return d.Line() == line })
}

// ruleEdits returns the edits of the rules that decide cells. A rule that decides only some cells is
// skipped if an inserted rule that reads well covers these.
func (s *search) ruleEdits() []*change {
	plain := newBitsets(len(s.cells))
	for _, x := range s.sieve.found {
		if strings.Contains(x.pattern, "*") || x.ragged > wordCut {
			continue
		}
		for _, p := range s.places[:s.fresh] {
			if x.flipped&p.mask == 0 {
				plain.and(x.covers, p.cells)
			}
		}
	}
	isPlain := func(cells bitset) bool {
		for _, covers := range plain.by {
			if cells.within(covers) {
				return true
			}
		}
		return false
	}
	t := s.newTries(maxReread)
	var numbers []int
	for _, number := range slices.Sorted(maps.Keys(s.lines)) {
		if cells := s.lines[number].cells; cells.count() == len(s.cells) || !isPlain(cells) {
			numbers = append(numbers, number)
			t.try(Edit{Op: Delete, Line: number, Was: s.file.text(number)}, number)
		}
	}
	for _, number := range numbers {
		text := s.file.text(number)
		for _, as := range s.rewritings(text) {
			t.try(Edit{Op: Replace, Line: number, Text: as, Was: text}, number)
		}
	}
	return t.list
}

// further returns single edits of lines that decide no cell. These are deletions of the only rule
// of a group, which join it with the next group. If reach is structural, they are also deletions of
// lines that are no rules, and names added to groups.
func (f *finder) further(reach int) []*change {
	t := f.newTries(maxFurther)
	idle := f.idleLines()
	for number := 1; number <= len(f.file.lines); number++ {
		e := Edit{Op: Delete, Line: number, Was: f.file.text(number)}
		if !idle[number] && f.lines[number] == nil && e.reach() == reach {
			t.try(e, allLines)
		}
	}
	if reach == structural {
		for _, e := range f.namings() {
			t.try(e, allLines)
		}
	}
	return t.list
}

// rewritings returns other forms of a rule that may match less, or give the other verdict.
func (f *finder) rewritings(text string) (list []string) {
	field, value := ruleOf(text)
	list = append(list, f.rule(value), f.rule(strings.TrimRight(value, "*$")+"$"), field+":")
	if !strings.HasSuffix(value, "$") {
		list = append(list, field+": "+value+"$")
	}
	if short := strings.TrimSuffix(value, "*"); short != value {
		list = append(list, field+": "+short+"$")
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == text })
}

// idleLines returns the lines whose deletion affects nothing else. It also returns the lines of
// files too long to be read to the end, where each deletion moves the end.
func (f *finder) idleLines() map[int]bool {
	idle := map[int]bool{}
	var readings []*engine.Robots
	for c := range f.chosen {
		r := f.base[c]
		if r.Access != engine.Parsed || slices.Contains(readings, r) {
			continue
		}
		readings = append(readings, r)
		rules := map[int]int{} // count for each group
		for l := range r.Lines() {
			if l.Kind == "allow" || l.Kind == "disallow" {
				rules[l.Group]++
			}
		}
		for l := range r.Lines() {
			if !f.isIdle(r, l, rules) {
				idle[l.Number] = false
			} else if _, known := idle[l.Number]; !known {
				idle[l.Number] = true
			}
		}
	}
	return idle
}

func (f *finder) isIdle(r *engine.Robots, l engine.RawLine, rules map[int]int) bool {
	p := r.Profile
	switch l.Kind {
	case "user-agent":
		return false
	case "allow", "disallow":
		return !p.WildcardConflict && (l.Group < 0 || rules[l.Group] > 1)
	case "blank", "comment":
		return p.BlankLine == engine.BlankIgnored
	}
	return !p.OtherFieldSplit
}

// maxNamings bounds the groups to which a crawler's name is added.
const maxNamings = 100

// namings returns edits that add the name of a chosen crawler to each group.
func (f *finder) namings() (list []Edit) {
	for c := range f.chosen {
		if tokens := f.crawlers[c].Crawler.Tokens; len(tokens) > 0 && f.base[c].Access == engine.Parsed {
			last := 0
			for l := range f.base[c].Lines() {
				if l.Kind == "user-agent" {
					last = l.Number
				} else if last > 0 && (l.Kind == "allow" || l.Kind == "disallow") {
					e := Edit{Op: Insert, Line: last, Text: "User-agent: " + tokens[0]}
					last = 0
					switch {
					case slices.Contains(list, e):
					case len(list) == maxNamings:
						f.bound("the file has too many groups to try all")
						return list
					default:
						list = append(list, e)
					}
				}
			}
		}
	}
	return list
}

// narrowings returns longer versions of the rules that decide cells. They add the common prefix of
// all other URLs that the rule decides, which takes a pass over all known URLs.
func (f *finder) narrowings() []*change {
	t := f.newTries(maxFurther)
	matrix, out := engine.NewMatrix(f.groups...), make([]engine.Decision, len(f.groups))
	common := map[int]string{} // by line
	for url, member := range f.urls() {
		matrix.Verdicts(url, out)
		last := 0
		for c := range out {
			line := out[c].Line()
			if line == last || f.lines[line] == nil || member >= 0 {
				continue
			}
			last = line
			path := string(engine.AppendPath(nil, url))
			if before, known := common[line]; known {
				path = path[:commonPrefix(path, before)]
			}
			common[line] = path
		}
	}
	for number := range f.file.lines {
		path, known := common[number+1]
		if !known {
			continue
		}
		text := f.file.text(number + 1)
		field, value := ruleOf(text)
		value = bare(value)
		if len(path) <= len(value) || !strings.HasPrefix(path, value) {
			continue
		}
		best, worst := "", brokenCut+1
		for n := len(value) + 1; n <= len(path); n++ {
			pattern := path[:n]
			if cut := cutAt(path, n); cut < worst && isWritable(pattern) && !slices.ContainsFunc(f.set, func(m member) bool { return strings.HasPrefix(m.path, pattern) }) {
				best, worst = pattern, cut
			}
		}
		if best != "" {
			t.try(Edit{Op: Replace, Line: number + 1, Text: field + ": " + best, Was: text}, number+1)
		}
	}
	return t.list
}
