package site

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Bounds of the templates that are counted each for itself.
const (
	maxTemplates    = 4096
	maxNames        = 16  // names at one place of an address that are told apart at the end
	maxNamesAtRoot  = 256 // likewise of directories at the top, while URLs come
	longestTemplate = 300 // bytes of a pattern
	maxLinesOf      = 64  // lines of one template
)

// anyName stands in a template for names that are not told apart.
const anyName = "{…}"

// Templates counts pages by the template that probably made their addresses: by the
// pattern of the address (AppendPattern), in which names are not told apart where one
// place of the address has many of them. "/blog/{…}" are all pages of /blog/ whose
// own name is a word, and "/post{n}.html" those with a number.
type Templates struct {
	crawlers                     int
	pages                        int64
	ranked                       []*Template // after so many pages as rankedAt
	rankedAt                     int64
	byName                       map[string]*Template
	pagesAlike, directoriesAlike alike
	full                         bool      // there is no room for further ones
	other                        *Template // of patterns that are too long, or for which there is no room
	last                         *Template
	pattern                      []byte // of the page at hand
	lastKey                      []byte // the pattern whose template is last
}

// Template is a template with its pages.
type Template struct {
	Name string // "/post{n}.html"; "" = pages that are not counted by template
	Tally
	Lines         []LineCount
	Example       string // the first of its blocked pages, or of all where none is
	exampleBlocks bool
}

// LineCount is the number of pages that a line of robots.txt blocks for at least one crawler.
type LineCount struct {
	Origin, Line int
	URLs, Clicks int64
}

// count counts a page, and returns its template.
func (t *Templates) count(u *URL) *Template {
	t.pattern = AppendPattern(t.pattern[:0], u.Loc)
	at := t.last
	if at == nil || string(t.pattern) != string(t.lastKey) {
		at = t.find()
		t.last, t.lastKey = at, append(t.lastKey[:0], t.pattern...)
	}
	t.pages++
	at.count(u)
	if at.Example == "" || u.Blocked && !at.exampleBlocks {
		at.Example, at.exampleBlocks = strings.Clone(u.Loc), u.Blocked
	}
	return at
}

// addLine counts a page that a line blocks; of many lines the first are counted.
func (t *Template) addLine(origin, line int, urls, clicks int64) {
	i := slices.IndexFunc(t.Lines, func(l LineCount) bool { return l.Origin == origin && l.Line == line })
	if i < 0 {
		if len(t.Lines) == maxLinesOf {
			return
		}
		i = len(t.Lines)
		t.Lines = append(t.Lines, LineCount{Origin: origin, Line: line})
	}
	t.Lines[i].URLs += urls
	t.Lines[i].Clicks += clicks
}

// find returns the template of t.pattern, which it makes if there is none.
func (t *Templates) find() *Template {
	if at := t.byName[string(t.pattern)]; at != nil {
		return at
	}
	if len(t.pattern) > longestTemplate {
		return t.others()
	}
	name := t.generalise(string(t.pattern))
	if at := t.byName[name]; at != nil {
		return at
	}
	if len(t.byName) >= maxTemplates && !t.full {
		for names := 4 * maxNames; len(t.byName) > maxTemplates/2 && names > 1; names /= 2 {
			t.roll(names, max(names, maxNamesAtRoot))
		}
		t.full = len(t.byName) > maxTemplates*3/4
		name = t.generalise(name)
		if at := t.byName[name]; at != nil {
			return at
		}
	}
	if t.full {
		return t.others()
	}
	if t.byName == nil {
		t.byName = map[string]*Template{}
	}
	at := t.new(name)
	t.byName[name] = at
	return at
}

// others is the template of what is not counted by template.
func (t *Templates) others() *Template {
	if t.other == nil {
		t.other = t.new("")
	}
	return t.other
}

func (t *Templates) new(name string) *Template {
	return &Template{Name: name, Tally: Tally{Blocked: make([]int64, t.crawlers)}}
}

// Ranked returns the templates, those with most clicks on blocked pages first, then
// those with most blocked pages. It is for the site's end.
func (t *Templates) Ranked() []*Template {
	if t.ranked != nil && t.rankedAt == t.pages {
		return t.ranked
	}
	t.roll(maxNames, maxNamesAtRoot)
	list := slices.Collect(maps.Values(t.byName))
	if t.other != nil {
		list = append(list, t.other)
	}
	slices.SortFunc(list, func(a, b *Template) int {
		return cmp.Or(cmp.Compare(b.BlockedClicks, a.BlockedClicks), cmp.Compare(b.BlockedAny, a.BlockedAny), cmp.Compare(b.URLs, a.URLs), strings.Compare(a.Name, b.Name))
	})
	for _, of := range list {
		slices.SortStableFunc(of.Lines, func(a, b LineCount) int {
			return cmp.Or(cmp.Compare(b.Clicks, a.Clicks), cmp.Compare(b.URLs, a.URLs))
		})
	}
	t.ranked, t.rankedAt = list, t.pages
	return list
}

// place is a part of a pattern between slashes.
type place struct {
	begin, end int
	last       bool // the name of a page, and of no directory
}

// places yields the parts of a pattern's path.
func places(pattern string, yield func(place) bool) {
	path := len(pattern)
	if i := strings.IndexByte(pattern, '?'); i >= 0 {
		path = i
	}
	for begin := min(1, path); begin < path; {
		end := path
		if i := strings.IndexByte(pattern[begin:path], '/'); i >= 0 {
			end = begin + i + 1
		}
		if !yield(place{begin, end, end == path}) {
			return
		}
		begin = end
	}
}

// isName reports whether a part of a pattern is a name, and not all made alike by the pattern.
func isName(part string) bool {
	part = strings.TrimSuffix(part, "/")
	return !(strings.HasPrefix(part, "{") && strings.IndexByte(part, '}') == len(part)-1)
}

// alike says where names are not told apart.
type alike struct {
	after map[string]bool // after these beginnings of addresses
	kept  map[string]bool // but for these, the beginning with the name
}

// of are the rules for the names of pages, or those for directories.
func (t *Templates) of(p place) *alike {
	if p.last {
		return &t.pagesAlike
	}
	return &t.directoriesAlike
}

// generalise writes a pattern without the names that are not told apart.
func (t *Templates) generalise(pattern string) string {
	if len(t.pagesAlike.after)+len(t.directoriesAlike.after) == 0 {
		return pattern
	}
	out, from := "", 0 // out = "" while nothing has changed
	places(pattern, func(p place) bool {
		before, part := out+pattern[from:p.begin], pattern[p.begin:p.end]
		if rules := t.of(p); isName(part) && rules.after[before] && !rules.kept[before+part] {
			out, from = before+anyName, p.begin+len(strings.TrimSuffix(part, "/"))
		}
		return true
	})
	return out + pattern[from:]
}

// roll makes names alike wherever more than some of them stand at one place, but for
// those with most pages.
func (t *Templates) roll(names, atRoot int) {
	for range 8 { // an address that has become another may have further names to make alike
		if !t.findAlike(names, atRoot) {
			return
		}
		t.merge()
	}
}

// findAlike finds the places with too many names, or with one for each page; false = there is none.
func (t *Templates) findAlike(names, atRoot int) (found bool) {
	type where struct {
		before string
		last   bool
	}
	at := map[where]map[string]int64{} // name → pages
	for pattern, of := range t.byName {
		places(pattern, func(p place) bool {
			if part := pattern[p.begin:p.end]; isName(part) {
				key := where{pattern[:p.begin], p.last}
				if at[key] == nil {
					at[key] = map[string]int64{}
				}
				at[key][part] += of.URLs
			}
			return true
		})
	}
	for key, parts := range at {
		rules := t.of(place{last: key.last})
		few := len(parts) <= names && !(key.before != "/" && eachItsOwn(parts))
		if few || !key.last && key.before == "/" && len(parts) <= atRoot || rules.after[key.before] {
			continue
		}
		if rules.after == nil {
			rules.after, rules.kept = map[string]bool{}, map[string]bool{}
		}
		rules.after[key.before] = true
		list := slices.SortedFunc(maps.Keys(parts), func(a, b string) int {
			return cmp.Or(cmp.Compare(parts[b], parts[a]), strings.Compare(a, b))
		})
		for _, part := range list[:min(len(list), names/2)] {
			if 100*parts[part] >= t.pages && parts[part] >= 20 {
				rules.kept[key.before+part] = true
			}
		}
		found = true
	}
	return found
}

// eachItsOwn reports whether names at one place are those of single pages and not of
// kinds of pages: more than a few, with few pages each.
func eachItsOwn(names map[string]int64) bool {
	pages := int64(0)
	for _, n := range names {
		pages += n
	}
	return len(names) > 3 && pages < 5*int64(len(names))
}

// merge puts templates together whose names have become one.
func (t *Templates) merge() {
	merged := make(map[string]*Template, len(t.byName))
	for _, name := range slices.Sorted(maps.Keys(t.byName)) {
		of := t.byName[name]
		of.Name = t.generalise(name)
		into := merged[of.Name]
		if into == nil {
			merged[of.Name] = of
			continue
		}
		into.add(&of.Tally)
		for _, l := range of.Lines {
			into.addLine(l.Origin, l.Line, l.URLs, l.Clicks)
		}
		if !into.exampleBlocks && of.exampleBlocks {
			into.Example, into.exampleBlocks = of.Example, true
		}
	}
	t.byName, t.last, t.lastKey = merged, nil, t.lastKey[:0]
}
