package edit

import (
	"maps"
	"slices"
	"strings"

	"robots-audit/engine"
)

// maxReread bounds the bytes of files that are read to find single edits, all readers
// together.
const maxReread = 192 << 20

// candidates are the single edits but for inserted rules that bring the verdict to some
// cells.
func (f *finder) candidates() (list []*change) {
	budget := maxReread
	read := len(profiles(f.crawlers[:f.chosen])) * (f.file.size + 200)
	try := func(e Edit) {
		if budget -= read; budget < 0 {
			f.bound("the file has too many lines to try each")
			return
		}
		f.tried++
		c := newChange(e)
		if c.covers = f.coveredBy(f.groupsOf(f.read(f.file.apply(c.edits)))); c.covers.count() > 0 {
			list = append(list, c)
		}
	}
	deciding := f.deciding()
	for _, number := range slices.Sorted(maps.Keys(deciding)) {
		for _, text := range f.rewritings(f.file.text(number)) {
			try(Edit{Op: Replace, Line: number, Text: text, Was: f.file.text(number)})
		}
	}
	idle := f.idleLines(deciding)
	for number := 1; number <= len(f.file.lines); number++ {
		if !idle[number] {
			try(Edit{Op: Delete, Line: number, Was: f.file.text(number)})
		}
	}
	for _, e := range f.namings() {
		try(e)
	}
	return list
}

// rewritings are other ways to write a rule that may match less, or give the other
// verdict.
func (f *finder) rewritings(text string) (list []string) {
	field, value, _ := strings.Cut(text, ":")
	if i := strings.IndexByte(value, '#'); i >= 0 {
		value = value[:i]
	}
	value = strings.TrimSpace(value)
	field = strings.TrimSpace(field)
	list = append(list, f.rule(value), field+": "+value+"$", field+":")
	if short := strings.TrimSuffix(value, "*"); short != value {
		list = append(list, field+": "+short+"$")
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == text })
}

// idleLines are those whose deletion is known to take away nothing but themselves, and
// which decide no cell.
func (f *finder) idleLines(deciding map[int]bool) map[int]bool {
	idle := map[int]bool{}
	var readings []*engine.Robots
	for c := range f.chosen {
		r := f.base[c]
		if r.Access != engine.Parsed || slices.Contains(readings, r) {
			continue
		}
		readings = append(readings, r)
		rules := map[int]int{} // of each group
		for l := range r.Lines() {
			if l.Kind == "allow" || l.Kind == "disallow" {
				rules[l.Group]++
			}
		}
		for l := range r.Lines() {
			if !f.isIdle(r, l, rules) || deciding[l.Number] {
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
		return r.Unread == 0 && !p.WildcardConflict && (l.Group < 0 || rules[l.Group] > 1)
	case "blank", "comment":
		return r.Unread == 0 && p.BlankLine == engine.BlankIgnored
	}
	return r.Unread == 0 && !p.OtherFieldSplit
}

// maxNamings bounds the groups to which a crawler's name is added.
const maxNamings = 100

// namings add the name of a chosen crawler to each group.
func (f *finder) namings() (list []Edit) {
	for c := range f.chosen {
		if tokens := f.crawlers[c].Crawler.Tokens; len(tokens) > 0 && f.base[c].Access == engine.Parsed {
			last := 0
			for l := range f.base[c].Lines() {
				if l.Kind == "user-agent" {
					last = l.Number
				} else if last > 0 && (l.Kind == "allow" || l.Kind == "disallow") {
					e := Edit{Op: Insert, Line: last, Text: "User-agent: " + tokens[0]}
					if last = 0; len(list) < maxNamings && !slices.Contains(list, e) {
						list = append(list, e)
					}
				}
			}
		}
	}
	return list
}

// narrowings are rules that decide cells, longer by what all other URLs have in common
// that they decide: which takes a pass over all known URLs to know.
func (f *finder) narrowings() (list []*change) {
	matrix, out := engine.NewMatrix(f.groups...), make([]engine.Decision, len(f.groups))
	deciding := f.deciding()
	common := map[int]string{} // by line
	for url, member := range f.urls() {
		matrix.Verdicts(url, out)
		last := 0
		for c := range out {
			line := out[c].Line()
			if line == last || line == 0 || !deciding[line] || member >= 0 {
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
		field, value, _ := strings.Cut(text, ":")
		value, _, _ = strings.Cut(value, "#")
		value = strings.TrimSuffix(strings.TrimSpace(value), "*")
		if len(path) <= len(value) || !strings.HasPrefix(path, value) {
			continue
		}
		for n := len(value) + 1; n <= len(path); n++ {
			if pattern := path[:n]; isWritable(pattern) && !slices.ContainsFunc(f.set, func(m member) bool { return strings.HasPrefix(m.path, pattern) }) {
				c := newChange(Edit{Op: Replace, Line: number + 1, Text: strings.TrimSpace(field) + ": " + pattern, Was: text})
				f.tried++
				if c.covers = f.coveredBy(f.groupsOf(f.read(f.file.apply(c.edits)))); c.covers.count() > 0 {
					list = append(list, c)
				}
				break
			}
		}
	}
	return list
}
