package hreflang

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"robots-audit/crawl"
)

// Limits of a graph.
const (
	maxEntries = 4 << 20  // entries with alternates
	maxMembers = 8 << 20  // URLs of all sets
	maxText    = 32 << 20 // bytes of texts for examples
	maxPairs   = 64 << 20 // links that are searched, of sets that are not complete
	maxTargets = 1 << 20  // targets that are counted only once
)

// graph has what each URL lists.
type graph struct {
	locs    []uint64 // of the entries
	setOf   []int32  // their sets
	sets    []set
	byKey   map[uint64]int32 // sets by key, without those that were complete before another came
	last    int32            // the set of the last entry
	newest  entry            // the first entry of the newest set
	members []uint64         // of all sets
	own     []uint64         // a bit for each of members: see URL.Own
	texts   texts
	sources []source
	left    int64 // entries beyond the limits
}

// Values instead of an index.
const (
	noSet      = -1 // the entry lists nothing
	unknownSet = -2 // what the entry lists is not known completely
	noText     = -1
)

// set is a set of URLs that an entry lists.
type set struct {
	key  uint64 // sum of the hashes as listed
	left uint64 // sum of its URLs without those that have an entry with this set; 0 = complete
	from int32  // its URLs are members[from:from+n], sorted
	n    int32
	text int32 // position in texts
	by   int32 // the first entry, whose loc is in texts
}

// source is a source of entries, up to the entry end.
type source struct {
	Source
	end int
}

func newGraph() graph { return graph{byKey: map[uint64]int32{}} }

// end ends a source.
func (g *graph) end(s Source) {
	if n := len(g.sources); len(g.locs) > 0 && (n == 0 || g.sources[n-1].end < len(g.locs)) {
		g.sources = append(g.sources, source{s, len(g.locs)})
	}
}

// add adds an entry. If its set is new, it takes over the buffers of the entry.
func (g *graph) add(e *entry) {
	if len(g.locs) == maxEntries {
		g.left++
		return
	}
	loc, k := e.loc, int32(noSet)
	if e.partial {
		k = unknownSet
	} else if len(e.alternates) > 0 {
		key := uint64(0)
		for i := range e.alternates {
			key += e.alternates[i].hash
		}
		if k = g.find(key); k == noSet {
			if k = g.addSet(key, e); k == noSet {
				g.left++
				return
			}
		}
		g.sets[k].left -= loc
		g.last = k
	}
	g.locs, g.setOf = push(g.locs, loc), push(g.setOf, k)
}

// push is append for long lists: it doubles them.
func push[T any](list []T, one T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, len(list)+1)
	}
	return append(list, one)
}

// find returns a set by its key; noSet = there is none. It tries the last set first: an entry often has
// the set of the entry before, or lists of different languages have the same order.
func (g *graph) find(key uint64) int32 {
	for k := g.last; k < g.last+2 && int(k) < len(g.sets); k++ {
		if g.sets[k].key == key {
			return k
		}
	}
	if k, ok := g.byKey[key]; ok {
		return k
	}
	return noSet
}

// addSet adds a set that is new; noSet = there is no room for it.
func (g *graph) addSet(key uint64, e *entry) int32 {
	slices.SortFunc(e.alternates, func(a, b alternate) int { return cmp.Compare(a.hash, b.hash) })
	list := slices.CompactFunc(e.alternates, func(a, b alternate) bool { return a.hash == b.hash })
	if len(g.members)+len(list) > maxMembers {
		return noSet
	}
	g.keepNewest()
	s := set{key: key, by: int32(len(g.locs)), from: int32(len(g.members)), n: int32(len(list)), text: noText}
	for _, a := range list {
		at := len(g.members)
		if at/64 == len(g.own) {
			g.own = append(g.own, 0)
		}
		if a.own {
			g.own[at/64] |= 1 << (at % 64)
		}
		g.members = push(g.members, a.hash)
		s.left += a.hash
	}
	g.sets = push(g.sets, s)
	e.alternates = list
	g.newest, *e = *e, g.newest
	return int32(len(g.sets) - 1)
}

// keepNewest keeps what is needed to find the newest set, and to show it, unless it is complete already.
func (g *graph) keepNewest() {
	if k := len(g.sets) - 1; k >= 0 && g.sets[k].left != 0 {
		g.byKey[g.sets[k].key] = int32(k)
		g.sets[k].text = g.texts.add(&g.newest)
	}
}

// urls returns the URLs of a set.
func (g *graph) urls(k int32) []uint64 {
	if k < 0 {
		return nil
	}
	s := &g.sets[k]
	return g.members[s.from : s.from+s.n]
}

func (g *graph) has(k int32, url uint64) bool {
	_, ok := slices.BinarySearch(g.urls(k), url)
	return ok
}

// Links yields the notes on links without return links, by the source that has the link. listed
// reports whether a sitemap has a URL; nil = not all sitemaps were read, so only faults that are certain
// are noted. The checker cannot be used afterwards.
func (c *Checker) Links(listed func(hash uint64) bool) iter.Seq2[Source, []crawl.Note] {
	return func(yield func(Source, []crawl.Note) bool) {
		g := &c.graph
		g.keepNewest()
		if !slices.ContainsFunc(g.sets, func(s set) bool { return s.left != 0 }) {
			return
		}
		s := search{graph: g, listed: listed, targets: map[uint64]bool{}}
		if g.left > 0 {
			s.listed = nil
		}
		s.index()
		i := 0
		for _, from := range g.sources {
			var notes []crawl.Note
			for ; i < from.end; i++ {
				if k := g.setOf[i]; k >= 0 && g.sets[k].left != 0 {
					s.check(i, from.Page, &notes)
				}
			}
			if notes != nil && !yield(from.Source, notes) {
				return
			}
		}
	}
}

// Unchecked returns the number of entries whose links were not checked because of a limit, and the
// number of those that were.
func (c *Checker) Unchecked() (left, checked int64) {
	return c.graph.left, int64(len(c.graph.locs)) - c.graph.left
}

// search searches for return links.
type search struct {
	*graph
	listed  func(uint64) bool
	slots   []int32 // entries by loc, plus 1: open addressing, 0 = free
	next    []int32 // for each entry, the next one of its loc, plus 1
	pairs   int
	faults  []linkFault     // of the current entry
	targets map[uint64]bool // targets in no sitemap
}

// linkFault is a fault of the link to the URL at a position of a set, by the code of its note.
type linkFault struct {
	at   int
	code string
}

// index indexes the entries by loc.
func (s *search) index() {
	s.slots = make([]int32, 2*len(s.locs)+1)
	s.next = make([]int32, len(s.locs))
	for i := len(s.locs) - 1; i >= 0; i-- { // backwards, so that the first entry of a loc is the first of its list
		at := s.slot(s.locs[i])
		s.next[i] = s.slots[at]
		s.slots[at] = int32(i) + 1
	}
}

// slot returns the slot of a loc.
func (s *search) slot(loc uint64) uint64 {
	n := uint64(len(s.slots))
	for i := (loc & 0xFFFFFFFF) * n >> 32; ; {
		if e := s.slots[i]; e == 0 || s.locs[e-1] == loc {
			return i
		}
		if i++; i == n {
			i = 0
		}
	}
}

// check checks the links of the i-th entry, and notes their faults in the order of the URLs: that of the
// set is another in each run.
func (s *search) check(i int, page bool, notes *[]crawl.Note) {
	s.findFaults(i, page)
	if len(s.faults) > 1 && slices.ContainsFunc(s.faults, func(f linkFault) bool { return !enough(*notes, f.code) }) {
		k := s.setOf[i]
		if _, urls := s.texts.read(s.sets[k].text, int(s.sets[k].n)); urls != nil {
			slices.SortFunc(s.faults, func(a, b linkFault) int { return bytes.Compare(urls[a.at], urls[b.at]) })
		}
	}
	for _, f := range s.faults {
		note(notes, f.code, s.example(i, f.at, *notes, f.code))
	}
}

// findFaults finds the faults of the links of the i-th entry.
func (s *search) findFaults(i int, page bool) {
	s.faults = s.faults[:0]
	loc, k := s.locs[i], s.setOf[i]
	first := s.slots[s.slot(loc)]
	for at, target := range s.urls(k) {
		if target == loc {
			continue
		}
		if s.pairs++; s.pairs > maxPairs {
			s.left++
			return
		}
		if s.before(first, i, target) {
			continue
		}
		e := s.slots[s.slot(target)]
		switch {
		case e != 0:
			if !s.returns(e, loc) {
				s.faults = append(s.faults, linkFault{at, NoteNoReturn})
			}
		case s.listed == nil || page:
		case s.listed(target):
			s.faults = append(s.faults, linkFault{at, NoteUnannotated})
		case s.isOwn(k, at) && !s.targets[target]:
			if len(s.targets) < maxTargets {
				s.targets[target] = true
			}
			s.faults = append(s.faults, linkFault{at, NoteUnlisted})
		}
	}
}

// isOwn reports whether the URL at a position of a set is one of the site's own.
func (g *graph) isOwn(k int32, at int) bool {
	i := int(g.sets[k].from) + at
	return g.own[i/64]>>(i%64)&1 != 0
}

// enough reports whether the note of a code has all its examples.
func enough(notes []crawl.Note, code string) bool {
	n := slices.IndexFunc(notes, func(n crawl.Note) bool { return n.Code == code })
	return n >= 0 && len(notes[n].More) == maxExamples-1
}

// before reports whether an earlier entry of the same loc lists the target.
func (s *search) before(e int32, i int, target uint64) bool {
	for ; e != 0 && int(e-1) < i; e = s.next[e-1] {
		s.pairs++
		if s.has(s.setOf[e-1], target) {
			return true
		}
	}
	return false
}

// returns reports whether one of the entries of a loc, from e on, lists a URL, or may do so.
func (s *search) returns(e int32, url uint64) bool {
	for ; e != 0; e = s.next[e-1] {
		if s.pairs++; s.pairs > maxPairs {
			return true // not known
		}
		if k := s.setOf[e-1]; k == unknownSet || s.has(k, url) {
			return true
		}
	}
	return false
}

// example describes the link from the i-th entry to the URL at a position of its set, "" if enough are
// described, or the texts were not kept.
func (s *search) example(i, at int, notes []crawl.Note, code string) string {
	if enough(notes, code) {
		return ""
	}
	k := s.setOf[i]
	loc, members := s.texts.read(s.sets[k].text, int(s.sets[k].n))
	if members == nil {
		return ""
	}
	if own, ok := slices.BinarySearch(s.urls(k), s.locs[i]); ok {
		loc = members[own]
	} else if int(s.sets[k].by) != i {
		return "" // the text of another entry of the set was kept
	}
	if code == NoteUnlisted {
		return shown(members[at]) + ", of " + shown(loc)
	}
	return shown(loc) + " to " + shown(members[at])
}
