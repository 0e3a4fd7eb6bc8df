package pattern

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Bounds of the groups.
const (
	maxGroups      = 4096
	maxNames       = 16  // different names at one position of an address, at the end
	maxNamesAtRoot = 256 // the same for top directories, while URLs arrive
	longestGroup   = 300 // bytes of a pattern
)

// anyName in a pattern replaces different names.
const anyName = "{…}"

// Groups groups URLs by the template that probably made their addresses: by the pattern of the
// address (Append). Names are replaced if one position of the address has many of them.
// "/blog/{…}" are all pages of /blog/ whose own name is a word, and "/post{n}.html" those with a
// number. V counts the URLs of a group; it is a pointer.
type Groups[V any] struct {
	New   func() V
	Merge func(into, from V)
	Size  func(V) int64 // number of URLs

	added                        int64
	byName                       map[string]V
	pagesAlike, directoriesAlike alike
	full                         bool // there is no space for more
	other                        V    // for patterns that are too long, or for which there is no space
	hasOther                     bool
	last                         V
	hasLast                      bool
	pattern                      []byte // of the current URL
	lastKey                      []byte // the pattern whose group is last
}

// Of returns the group of a URL, and counts the URL as one more.
func (g *Groups[V]) Of(loc string) V {
	g.pattern = Append(g.pattern[:0], loc)
	g.added++
	if g.hasLast && string(g.pattern) == string(g.lastKey) {
		return g.last
	}
	at := g.find()
	g.last, g.hasLast, g.lastKey = at, true, append(g.lastKey[:0], g.pattern...)
	return at
}

// Find returns the group of a URL without adding it, and false if there is none. Call All before, since
// groups may be joined until then.
func (g *Groups[V]) Find(loc string) (of V, ok bool) {
	g.pattern = Append(g.pattern[:0], loc)
	if of, ok = g.byName[string(g.pattern)]; ok || len(g.pattern) > longestGroup {
		return of, ok
	}
	of, ok = g.byName[g.generalise(string(g.pattern))]
	return of, ok
}

// Added is the number of calls of Of.
func (g *Groups[V]) Added() int64 { return g.added }

// find returns the group of g.pattern, and makes it if it is missing.
func (g *Groups[V]) find() V {
	if at, ok := g.byName[string(g.pattern)]; ok {
		return at
	}
	if len(g.pattern) > longestGroup {
		return g.others()
	}
	name := g.generalise(string(g.pattern))
	if at, ok := g.byName[name]; ok {
		return at
	}
	if len(g.byName) >= maxGroups && !g.full {
		for names := 4 * maxNames; len(g.byName) > maxGroups/2 && names > 1; names /= 2 {
			g.roll(names, max(names, maxNamesAtRoot))
		}
		g.full = len(g.byName) > maxGroups*3/4
		name = g.generalise(name)
		if at, ok := g.byName[name]; ok {
			return at
		}
	}
	if g.full {
		return g.others()
	}
	if g.byName == nil {
		g.byName = map[string]V{}
	}
	at := g.New()
	g.byName[name] = at
	return at
}

// others is the group of all URLs that are not grouped.
func (g *Groups[V]) others() V {
	if !g.hasOther {
		g.other, g.hasOther = g.New(), true
	}
	return g.other
}

// All yields the groups by name, after the last URL; "" = URLs that are not grouped.
func (g *Groups[V]) All() iter.Seq2[string, V] {
	g.roll(maxNames, maxNamesAtRoot)
	return func(yield func(string, V) bool) {
		for _, name := range slices.Sorted(maps.Keys(g.byName)) {
			if !yield(name, g.byName[name]) {
				return
			}
		}
		if g.hasOther {
			yield("", g.other)
		}
	}
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
func (g *Groups[V]) of(p place) *alike {
	if p.last {
		return &g.pagesAlike
	}
	return &g.directoriesAlike
}

// generalise returns a pattern with its names replaced.
func (g *Groups[V]) generalise(pattern string) string {
	if len(g.pagesAlike.after)+len(g.directoriesAlike.after) == 0 {
		return pattern
	}
	out, from := "", 0 // out = "" as long as nothing has changed
	places(pattern, func(p place) bool {
		before, part := out+pattern[from:p.begin], pattern[p.begin:p.end]
		if rules := g.of(p); isName(part) && rules.after[before] && !rules.kept[before+part] {
			out, from = before+anyName, p.begin+len(strings.TrimSuffix(part, "/"))
		}
		return true
	})
	return out + pattern[from:]
}

// roll replaces names wherever one position has more than a given number of them, except those with
// most pages.
func (g *Groups[V]) roll(names, atRoot int) {
	for range 8 { // a changed address may have further names to replace
		if !g.findAlike(names, atRoot) {
			return
		}
		g.merge()
	}
}

// findAlike finds the positions with too many names, or with one name for each page; false = none.
func (g *Groups[V]) findAlike(names, atRoot int) (found bool) {
	type where struct {
		before string
		last   bool
	}
	at := map[where]map[string]int64{} // name → pages
	for pattern, of := range g.byName {
		places(pattern, func(p place) bool {
			if part := pattern[p.begin:p.end]; isName(part) {
				key := where{pattern[:p.begin], p.last}
				if at[key] == nil {
					at[key] = map[string]int64{}
				}
				at[key][part] += g.Size(of)
			}
			return true
		})
	}
	for key, parts := range at {
		rules := g.of(place{last: key.last})
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
			if 100*parts[part] >= g.added && parts[part] >= 20 {
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

// merge joins groups whose names have become equal.
func (g *Groups[V]) merge() {
	merged := make(map[string]V, len(g.byName))
	for _, name := range slices.Sorted(maps.Keys(g.byName)) {
		of, general := g.byName[name], g.generalise(name)
		if into, ok := merged[general]; ok {
			g.Merge(into, of)
		} else {
			merged[general] = of
		}
	}
	g.byName, g.hasLast, g.lastKey = merged, false, g.lastKey[:0]
}
