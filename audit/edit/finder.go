package edit

import (
	"context"
	"iter"
	"slices"
	"strings"

	"robots-audit/engine"
)

// finder searches the change for one request.
type finder struct {
	*request
	ctx      context.Context
	crawlers []Crawler // the chosen ones first
	chosen   int       // their number
	file     *file
	base     []*engine.Robots // the file as each crawler reads it
	groups   []*engine.Group
	set      []member
	inSet    map[string]bool // paths of the set
	cells    []cell
	cellAt   [][]int // for each URL of the set, by crawler; -1 = no cell
	reader
	lines   map[int]*lineURLs // the lines that keep cells from the wanted verdict
	tried   int
	work    int  // of the search for the fewest lines so far
	repeats bool // a new group would repeat too many lines
	unsplit bool // a group was not split because crawlers would lose rules, even if those decide nothing
	bounded string
}

// lineURLs has the URLs of a line that decides cells.
type lineURLs struct {
	cells bitset   // cells that it decides
	known []string // some other URLs that it decides, for any crawler
}

// allLines means each of finder.lines.
const allLines = -1

// maxWitnesses bounds lineURLs.known.
const maxWitnesses = 4

// member is a URL of the set.
type member struct {
	url  string
	path string            // and query, as written
	was  []engine.Decision // for each crawler
}

// cell is a URL of the set and a chosen crawler without the wanted verdict.
type cell struct{ member, crawler int }

func newFinder(ctx context.Context, req *request) *finder {
	f := &finder{request: req, ctx: ctx, chosen: len(req.Crawlers), inSet: map[string]bool{}}
	f.crawlers = append(slices.Clone(req.Crawlers), req.Others...)
	f.file = split(req.File.Body)
	f.base = f.read(req.File.Body)
	f.groups = f.groupsOf(f.base)
	for _, url := range req.Set {
		path := rawPath(url)
		if f.inSet[path] {
			continue
		}
		f.inSet[path] = true
		m := member{url: url, path: path}
		for _, g := range f.groups {
			m.was = append(m.was, g.Verdict(url))
		}
		f.set = append(f.set, m)
	}
	return f
}

// read reads a body as each crawler does. Equal readings are shared.
func (f *finder) read(body []byte) []*engine.Robots {
	type reading struct {
		*engine.Profile
		blocked bool
	}
	once := map[reading]*engine.Robots{}
	list := make([]*engine.Robots, len(f.crawlers))
	for i, c := range f.crawlers {
		key := reading{c.Profile, c.HopBlocked}
		if once[key] == nil {
			answer := f.File
			answer.Body, answer.HopBlocked = body, c.HopBlocked
			once[key] = c.Profile.Read(answer)
		}
		list[i] = once[key]
	}
	return list
}

func (f *finder) groupsOf(robots []*engine.Robots) []*engine.Group {
	list := make([]*engine.Group, len(robots))
	for i, r := range robots {
		list[i] = r.Group(f.crawlers[i].Crawler)
	}
	return list
}

// profiles returns the profiles of some crawlers, without duplicates.
func profiles(crawlers []Crawler) (list []*engine.Profile) {
	for _, c := range crawlers {
		if !slices.Contains(list, c.Profile) {
			list = append(list, c.Profile)
		}
	}
	return list
}

// urls yields all URLs to judge: those of the set, with their index, and the other known ones, with
// -1.
func (f *finder) urls() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for i := range f.set {
			if !yield(f.set[i].url, i) {
				return
			}
		}
		if f.Known == nil {
			return
		}
		n := 0
		for url := range f.Known() {
			if n++; n%4096 == 0 && f.ctx.Err() != nil {
				return
			}
			if !f.inSet[rawPath(url)] && !yield(url, -1) {
				return
			}
		}
	}
}

// harm reports whether a changed verdict is not wanted by the user.
func (f *finder) harm(member, crawler int, was, is engine.Verdict) bool {
	switch {
	case was == is:
		return false
	case member >= 0 && is == f.Want:
		return crawler >= f.chosen
	}
	return true
}

// findCells finds the cells, and notes the crawlers for which no line decides.
func (f *finder) findCells(res *Result) {
	f.cellAt = make([][]int, len(f.set))
	for m := range f.cellAt {
		f.cellAt[m] = slices.Repeat([]int{-1}, f.chosen)
	}
	for c := range f.chosen {
		lacking := false
		for m := range f.set {
			switch {
			case f.set[m].was[c].Verdict == f.Want:
				res.Had++
			case f.base[c].Access == engine.Parsed:
				f.cellAt[m][c] = len(f.cells)
				f.cells = append(f.cells, cell{m, c})
				lacking = true
			default:
				lacking = true
			}
		}
		if lacking && f.base[c].Access != engine.Parsed {
			res.NoLine = append(res.NoLine, Reason{f.crawlers[c].Label, f.base[c].Why})
		}
	}
	res.Needed = len(f.cells)
}

// coveredBy returns the cells that have the wanted verdict by the groups of each crawler.
func (f *finder) coveredBy(groups []*engine.Group) bitset {
	b := newBitset(len(f.cells))
	for i, c := range f.cells {
		if groups[c.crawler].Verdict(f.set[c.member].url).Verdict == f.Want {
			b.add(i)
		}
	}
	return b
}

// isCut reports whether some crawler does not read the file to the end. Then any edit moves that
// limit.
func (f *finder) isCut() bool {
	return slices.ContainsFunc(f.base, func(r *engine.Robots) bool { return r.Unread > 0 })
}

// deciding finds the lines that keep cells from the wanted verdict.
func (f *finder) deciding() {
	f.lines = map[int]*lineURLs{}
	for i, c := range f.cells {
		line := f.set[c.member].was[c.crawler].Line()
		if line == 0 {
			continue
		}
		if f.lines[line] == nil {
			f.lines[line] = &lineURLs{cells: newBitset(len(f.cells))}
		}
		f.lines[line].cells.add(i)
	}
}

// witness remembers a known URL for the lines that decide it.
func (f *finder) witness(url string, was []engine.Decision) {
	for c := range was {
		of := f.lines[was[c].Line()]
		if of == nil || len(of.known) == maxWitnesses || len(of.known) > 0 && of.known[len(of.known)-1] == url {
			continue
		}
		of.known = append(of.known, strings.Clone(url))
	}
}

// spoils reports whether a file changes another verdict of some URLs of the set, or of a known URL
// that a line decides.
func (f *finder) spoils(groups []*engine.Group, set []int, line int) bool {
	for _, i := range set {
		m := &f.set[i]
		for c, g := range groups {
			if g != f.groups[c] && (c >= f.chosen || m.was[c].Verdict == f.Want) && f.harm(i, c, m.was[c].Verdict, g.Verdict(m.url).Verdict) {
				return true
			}
		}
	}
	for number, of := range f.lines {
		if line != allLines && line != number {
			continue
		}
		for _, url := range of.known {
			for c, g := range groups {
				if f.groups[c].Verdict(url).Verdict != g.Verdict(url).Verdict {
					return true
				}
			}
		}
	}
	return false
}

// rule writes a rule line that gives the wanted verdict.
func (f *finder) rule(pattern string) string {
	if f.Want == engine.Allow {
		return "Allow: " + pattern
	}
	return "Disallow: " + pattern
}

// ruleLine writes a rule as a line.
func ruleLine(r *engine.Rule) string {
	s := r.String()
	return strings.ToUpper(s[:1]) + s[1:]
}

// bound notes that not every candidate was tried.
func (f *finder) bound(why string) {
	if f.bounded == "" {
		f.bounded = why
	}
}
