package site

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Bounds of the templates that are counted separately.
const (
	maxTemplates    = 4096
	maxNames        = 16  // different names at one position of an address, at the end
	maxNamesAtRoot  = 256 // the same for top directories, while URLs arrive
	longestTemplate = 300 // bytes of a pattern
	maxLinesOf      = 64  // lines of one template
)

// anyName in a template replaces different names.
const anyName = "{…}"

// Templates counts pages by the template that probably made their addresses: by the pattern of the
// address (AppendPattern). Names are replaced if one position of the address has many of them.
// "/blog/{…}" are all pages of /blog/ whose own name is a word, and "/post{n}.html" those with a
// number.
type Templates struct {
	crawlers                     int
	pages                        int64
	ranked                       []*Template // result of Ranked after rankedAt pages
	rankedAt                     int64
	byName                       map[string]*Template
	pagesAlike, directoriesAlike alike
	full                         bool      // there is no space for more
	other                        *Template // for patterns that are too long, or for which there is no space
	last                         *Template
	pattern                      []byte // of the current page
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

// addLine counts a page that a line blocks; if there are many lines, only the first are counted.
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

// find returns the template of t.pattern, and makes it if it is missing.
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

// others is the template of all pages that are not counted by template.
func (t *Templates) others() *Template {
	if t.other == nil {
		t.other = t.new("")
	}
	return t.other
}

func (t *Templates) new(name string) *Template {
	return &Template{Name: name, Tally: Tally{Blocked: make([]int64, t.crawlers)}}
}

// Ranked returns the templates, those with most clicks on blocked pages first, then those with most
// blocked pages. It is for the site's end.
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
	last       bool // the name of a page, not of a directory
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

// isName reports whether a part of a pattern contains a name, not only placeholders.
func isName(part string) bool {
	part = strings.TrimSuffix(part, "/")
	return !(strings.HasPrefix(part, "{") && strings.IndexByte(part, '}') == len(part)-1)
}

// alike says where names are replaced.
type alike struct {
	after map[string]bool // after these beginnings of addresses
	kept  map[string]bool // except these: beginning plus name
}

// of returns the rules for the names of pages, or those for directories.
func (t *Templates) of(p place) *alike {
	if p.last {
		return &t.pagesAlike
	}
	return &t.directoriesAlike
}

// generalise returns a pattern with its names replaced.
func (t *Templates) generalise(pattern string) string {
	if len(t.pagesAlike.after)+len(t.directoriesAlike.after) == 0 {
		return pattern
	}
	out, from := "", 0 // out = "" as long as nothing has changed
	places(pattern, func(p place) bool {
		before, part := out+pattern[from:p.begin], pattern[p.begin:p.end]
		if rules := t.of(p); isName(part) && rules.after[before] && !rules.kept[before+part] {
			out, from = before+anyName, p.begin+len(strings.TrimSuffix(part, "/"))
		}
		return true
	})
	return out + pattern[from:]
}

// roll replaces names wherever one position has more than a given number of them, except those with
// most pages.
func (t *Templates) roll(names, atRoot int) {
	for range 8 { // a changed address may have further names to replace
		if !t.findAlike(names, atRoot) {
			return
		}
		t.merge()
	}
}

// findAlike finds the positions with too many names, or with one name for each page; false = none.
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

// eachItsOwn reports whether names at one position belong to single pages and not to kinds of
// pages: more than a few, with few pages each.
func eachItsOwn(names map[string]int64) bool {
	pages := int64(0)
	for _, n := range names {
		pages += n
	}
	return len(names) > 3 && pages < 5*int64(len(names))
}

// merge joins templates whose names have become equal.
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
