package edit

import (
	"cmp"
	"context"
	"maps"
	"slices"
)

// Bounds of what is judged as whole files.
const (
	maxChanges = 512      // single edits
	maxJudged  = 24 << 20 // their bytes, all readers together
	maxDirty   = 24       // of them, where it counts how much they flip
	maxOptions = 24       // changes that would do
	maxCutting = 120      // likewise of a file that is not read to its end, which each moves
)

// search is what was found for a request.
type search struct {
	*finder
	places  []*place
	fresh   int // the first place that is a new group
	sieve   *sieve
	changes []*change // single edits but for inserted rules
	rest    []*change // those of them that are not judged yet
	goal    bitset    // cells that something covers
}

// Smallest finds the smallest change that gives every URL of the set the wanted verdict for
// every crawler that is asked for, and flips nothing else; where nothing that is tried
// does, the one of those that do which flips least. It reads all known URLs at least
// twice. The error says that the request cannot be answered, or is that of the context.
func Smallest(ctx context.Context, req Request) (*Result, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	return find(ctx, req, true)
}

// find is Smallest; whole says whether it also looks for lines that only stand in the way,
// and for what flips least.
func find(ctx context.Context, req Request, whole bool) (*Result, error) {
	f := newFinder(ctx, &req)
	res := &Result{Want: req.Want, Body: req.File.Body}
	if f.findCells(res); len(f.cells) == 0 {
		return res, nil
	}
	f.deciding()
	f.reader = f.newReader()
	s := &search{finder: f}
	s.places, s.fresh = f.places()
	patterns := f.patterns()
	f.tried = len(patterns) * len(s.places)
	s.sieve = f.newSieve(s.places, patterns)
	s.sieve.run()
	s.rest = s.ruleEdits()
	if s.setGoal(); whole && s.goal.count() < len(s.cells) {
		s.rest = append(s.rest, append(s.further(0), s.further(structural)...)...)
		s.setGoal()
	}
	s.setUnmet(res)
	ways := []func() []*change{s.singles, s.several}
	if whole {
		ways = []func() []*change{s.singles, s.narrowed, s.joining, s.several, s.withoutIdle, s.regrouping, s.flipping}
	}
	for _, way := range ways {
		list, most := way(), maxOptions
		if s.isCut() {
			most = maxCutting
		}
		if s.prove(list[:min(len(list), most)], res) || ctx.Err() != nil {
			break
		}
		if len(list) > most {
			f.bound("too many changes would do to judge each")
		}
	}
	if f.repeats && (res.Flips > 0 || len(res.Unmet) > 0) {
		f.bound("a group of its own would have to repeat too many rules")
	}
	res.Tried, res.Bounded = f.tried, f.bounded
	return res, ctx.Err()
}

// setGoal finds the cells that something covers: as many as one mode covers, since a crawler
// that leaves a group does not obey what is written there.
func (s *search) setGoal() {
	every, goal := newBitset(len(s.cells)), newBitset(len(s.cells))
	for i := range s.cells {
		every.add(i)
	}
	for _, m := range modes(s.places, s.fresh) {
		s.goal = every
		covered := newBitset(len(s.cells))
		for _, e := range s.elements(m, true) {
			covered.or(e.covers)
		}
		for stay, i := s.staying(m), 0; i < len(s.rest); i++ {
			covered.or(s.rest[i].covers.and(stay))
		}
		if covered.count() > goal.count() {
			goal = covered
		}
	}
	s.goal = goal
}

// setUnmet tells of the cells that nothing covers.
func (s *search) setUnmet(res *Result) {
	for i, c := range s.cells {
		if m := &s.set[c.member]; !s.goal.has(i) {
			was := m.was[c.crawler].Verdict
			res.Unmet = append(res.Unmet, Flip{m.url, s.crawlers[c.crawler].Label, was, was})
		}
	}
}

// singles are the single edits that do, the smallest first; nil = there are none.
func (s *search) singles() (list []*change) {
	for _, e := range s.elements(mode{}, false) {
		if e.insertion != nil && s.goal.within(e.covers) {
			list = append(list, s.join(mode{}, []element{e}))
		}
	}
	slices.SortStableFunc(list, (*change).compare)
	if len(list) > 0 && !s.isCut() { // others need a look only where they are smaller
		s.rest = slices.DeleteFunc(s.rest, func(c *change) bool { return !s.goal.within(c.covers) || c.compare(list[0]) > 0 })
	}
	list = append(list, s.judge()...)
	slices.SortStableFunc(list, (*change).compare)
	return list
}

// joining are the deletions that do by joining groups.
func (s *search) joining() []*change {
	s.rest = append(s.rest, s.further(0)...)
	return s.judge()
}

// regrouping are changes with a line that is no rule: of groups or whom they are for.
func (s *search) regrouping() []*change {
	s.rest = append(s.rest, s.further(structural)...)
	if list := s.judge(); len(list) > 0 {
		return list
	}
	return s.several()
}

// narrowed are the single edits that do by what only the known URLs tell.
func (s *search) narrowed() []*change {
	s.rest = append(s.rest, s.narrowings()...)
	return s.judge()
}

// judge finds what those of the rest flip that are not known to flip anything, and returns
// the clean ones that do, the smallest first.
func (s *search) judge() (list []*change) {
	var judged []*change
	for _, c := range s.rest {
		if !c.dirty {
			judged = append(judged, c)
		}
	}
	judged = s.most(judged, maxChanges)
	s.effects(judged)
	s.changes = append(s.changes, judged...)
	s.rest = slices.DeleteFunc(s.rest, func(c *change) bool { return slices.Contains(judged, c) })
	for _, c := range judged {
		if c.clean && s.goal.within(c.covers) {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, (*change).compare)
	return list
}

// most are as many changes as are judged as whole files, those that cover most first.
func (s *search) most(list []*change, most int) []*change {
	slices.SortStableFunc(list, func(a, b *change) int {
		return cmp.Or(cmp.Compare(b.covers.count(), a.covers.count()), a.compare(b))
	})
	if n := min(most, max(8, maxJudged/(len(profiles(s.crawlers))*(s.file.size+200)))); len(list) > n {
		s.bound("too many lines concern the set to judge each")
		return list[:n]
	}
	return list
}

// several are changes of more than one line that flip nothing else, the smallest first.
func (s *search) several() (list []*change) {
	for _, m := range modes(s.places, s.fresh) {
		all := s.elements(m, false)
		if parts := s.cover(all, true); parts != nil {
			list = append(list, s.join(m, parts))
		}
		if parts := s.cover(insertions(all), false); parts != nil { // edits of rules may get into each other's way
			list = append(list, s.join(m, parts))
		}
	}
	slices.SortStableFunc(list, (*change).compare)
	return list
}

// uncovered are the cells that nothing covers without other flips.
func (s *search) uncovered() bitset {
	left := s.goal
	for _, m := range modes(s.places, s.fresh) {
		for _, e := range s.elements(m, false) {
			left = left.without(e.covers)
		}
	}
	return left
}

// maxIdle bounds the lines without which a change is looked for.
const maxIdle = 3

// withoutIdle are changes of the file without one of the lines that decide the set, where
// the line's deletion alone changes no verdict: it only stands in the way of others, as
// "Allow: /" does of "Disallow: /$" for readers to whom both are of one octet.
func (s *search) withoutIdle() (list []*change) {
	var idle []*change
	left := s.uncovered()
	for _, number := range slices.Sorted(maps.Keys(s.lines)) {
		if !left.within(s.lines[number].cells) {
			continue
		}
		c := s.newChange(Edit{Op: Delete, Line: number, Was: s.file.text(number)})
		if s.coveredBy(s.groupsOf(s.read(s.file.apply(c.edits)))).count() > 0 {
			continue
		}
		if len(idle) == maxIdle {
			s.bound("too many lines may only stand in the way")
			break
		}
		idle = append(idle, c)
	}
	s.effects(idle)
	for _, c := range idle {
		if !c.clean {
			continue
		}
		less := *s.Request
		less.File.Body = s.file.apply(c.edits)
		res, err := find(s.ctx, less, false)
		if err != nil {
			return nil
		}
		s.tried += res.Tried
		if !res.Proved || res.Flips > 0 {
			continue
		}
		edits := slices.Clone(c.edits)
		for _, e := range res.Edits {
			if e.Line >= c.edits[0].Line {
				e.Line++
			}
			edits = append(edits, e)
		}
		list = append(list, s.newChange(edits...))
	}
	slices.SortStableFunc(list, (*change).compare)
	return list
}

// flipping are changes that flip something else.
func (s *search) flipping() (list []*change) {
	s.sieve.recount()
	dirty := s.dirty()
	s.rest = nil
	s.effects(dirty)
	s.changes = append(s.changes, dirty...)
	for _, m := range modes(s.places, s.fresh) {
		all := s.elements(m, true)
		for _, some := range [...][]element{slices.Clone(all), insertions(all)} {
			if parts := s.cover(some, false); parts != nil {
				list = append(list, s.join(m, parts))
			}
		}
		slices.SortStableFunc(all, func(a, b element) int { return a.compare(&b) })
		n := 0
		for _, e := range all {
			if s.goal.within(e.covers) && n < 8 {
				n++
				list = append(list, s.join(m, []element{e}))
			}
		}
	}
	return list
}

// dirty are the changes of the rest of which it counts how much they flip: those that
// cover most, and without which the goal is not reached.
func (s *search) dirty() []*change {
	needed := s.goal
	for _, m := range modes(s.places, s.fresh) {
		left := s.goal
		for _, e := range s.elements(m, true) {
			left = left.without(e.covers)
		}
		hard := left
		for stay, i := s.staying(m), 0; i < len(s.rest); i++ {
			hard = hard.without(s.rest[i].covers.and(stay))
		}
		if hard.count() == 0 && left.count() < needed.count() {
			needed = left
		}
	}
	list := s.most(slices.Clone(s.rest), maxDirty)
	for _, c := range list {
		needed = needed.without(c.covers)
	}
	for _, c := range s.rest {
		if c.covers.countOf(needed) > 0 {
			needed = needed.without(c.covers)
			list = append(list, c)
		}
	}
	return list
}

// prove judges whole files on all known URLs, and takes the first that flips nothing, else
// the one that flips least, of these and of those before. It reports whether it found one
// that flips nothing.
func (s *search) prove(options []*change, res *Result) bool {
	most := 0 // mostly the first one is clean
	for len(options) > 0 {
		t := s.newTrial()
		var tried []*change
		most = 4*most + 1
		for len(options) > 0 && len(tried) < most && (tried == nil || !t.full()) {
			c := options[0]
			options = options[1:]
			body := s.file.apply(c.edits)
			if s.goal.within(s.coveredBy(s.groupsOf(s.read(body)))) {
				t.addBody(body)
				tried = append(tried, c)
			}
		}
		effects := t.run()
		if s.ctx.Err() != nil {
			return false
		}
		for i := range effects {
			if e := &effects[i]; !res.Proved || e.pairs < res.Flips || e.pairs == res.Flips && tried[i].compare(s.newChange(res.Edits...)) < 0 {
				s.take(tried[i], e, res)
			}
		}
		if res.Proved && res.Flips == 0 {
			return true
		}
	}
	return false
}

// take has a change as the best so far.
func (s *search) take(c *change, e *effect, res *Result) {
	res.Edits, res.Body, res.Proved = c.edits, s.file.apply(c.edits), true
	res.Flips, res.URLs, res.Known, res.Samples, res.ByLabel = e.pairs, e.urls, e.known, e.samples, nil
	for i, n := range e.by {
		if n > 0 {
			if res.ByLabel == nil {
				res.ByLabel = map[string]int64{}
			}
			res.ByLabel[s.crawlers[i].Label] += n
		}
	}
}
