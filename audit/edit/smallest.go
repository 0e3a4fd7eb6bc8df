package edit

import (
	"cmp"
	"context"
	"maps"
	"slices"
)

// Bounds of what is judged as whole files.
const (
	maxChanges = 512 // single edits
	maxOptions = 24  // changes that would do
)

// search is what was found for a request.
type search struct {
	*finder
	places  []*place
	fresh   int // the first place that is a new group
	sieve   *sieve
	changes []*change // single edits but for inserted rules
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

// find is Smallest; idle says whether lines are looked for that only stand in the way.
func find(ctx context.Context, req Request, idle bool) (*Result, error) {
	f := newFinder(ctx, &req)
	res := &Result{Want: req.Want, Body: req.File.Body}
	if f.findCells(res); len(f.cells) == 0 {
		return res, nil
	}
	s := &search{finder: f}
	s.places, s.fresh = f.places()
	patterns := f.patterns()
	f.tried = len(patterns) * len(s.places)
	s.sieve = f.newSieve(s.places, patterns)
	s.sieve.run()
	s.changes = f.candidates()
	s.setGoal(res)
	ways := []func() []*change{s.singles, s.narrowed, s.several, s.flipping}
	if idle {
		ways = slices.Insert(ways, 3, s.withoutIdle)
	}
	for _, way := range ways {
		if s.prove(way(), res) || ctx.Err() != nil {
			break
		}
	}
	res.Tried, res.Bounded = f.tried, f.bounded
	return res, ctx.Err()
}

// setGoal finds the cells that anything covers, and tells of the others.
func (s *search) setGoal(res *Result) {
	s.goal = newBitset(len(s.cells))
	for _, list := range s.sieve.found {
		for _, x := range list {
			if x != nil {
				s.goal.or(x.covers)
			}
		}
	}
	for _, c := range s.changes {
		s.goal.or(c.covers)
	}
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
	if len(list) > 0 { // others need a look only where they are smaller
		s.changes = slices.DeleteFunc(s.changes, func(c *change) bool { return !s.goal.within(c.covers) || c.compare(list[0]) > 0 })
	}
	s.judge()
	list = append(list, s.clean(s.changes)...)
	slices.SortStableFunc(list, (*change).compare)
	return list[:min(len(list), maxOptions)]
}

// narrowed are the single edits that do by what only the known URLs tell.
func (s *search) narrowed() []*change {
	narrow := s.narrowings()
	s.effects(narrow)
	s.changes = append(s.changes, narrow...)
	return s.clean(narrow)
}

// judge finds what the single edits flip, those that cover most first.
func (s *search) judge() {
	slices.SortStableFunc(s.changes, func(a, b *change) int {
		return cmp.Or(cmp.Compare(b.covers.count(), a.covers.count()), a.compare(b))
	})
	if len(s.changes) > maxChanges {
		s.changes = s.changes[:maxChanges]
		s.bound("too many lines concern the set to judge each")
	}
	s.effects(s.changes)
}

// clean are the single edits that do and flip nothing else.
func (s *search) clean(changes []*change) (list []*change) {
	for _, c := range changes {
		if c.clean && s.goal.within(c.covers) {
			list = append(list, c)
		}
	}
	return list
}

// several are changes of more than one line that flip nothing else, the smallest first.
func (s *search) several() (list []*change) {
	for _, m := range modes(s.places, s.fresh) {
		if parts := cover(s.elements(m, false), s.goal, true); parts != nil {
			list = append(list, s.join(m, parts))
		}
	}
	slices.SortStableFunc(list, (*change).compare)
	return list[:min(len(list), maxOptions)]
}

// maxIdle bounds the lines without which a change is looked for.
const maxIdle = 8

// withoutIdle are changes of the file without one of the lines that decide the set, where
// the line's deletion alone changes no verdict: it only stands in the way of others, as
// "Allow: /" does of "Disallow: /$" for readers to whom both are of one octet.
func (s *search) withoutIdle() (list []*change) {
	var idle []*change
	for _, number := range slices.Sorted(maps.Keys(s.deciding())) {
		c := newChange(Edit{Op: Delete, Line: number, Was: s.file.text(number)})
		if s.coveredBy(s.groupsOf(s.read(s.file.apply(c.edits)))).count() == 0 && len(idle) < maxIdle {
			idle = append(idle, c)
		}
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
		list = append(list, newChange(edits...))
	}
	slices.SortStableFunc(list, (*change).compare)
	return list
}

// flipping are changes that flip something else.
func (s *search) flipping() (list []*change) {
	s.sieve.recount()
	for _, m := range modes(s.places, s.fresh) {
		all := s.elements(m, true)
		if parts := cover(all, s.goal, false); parts != nil {
			list = append(list, s.join(m, parts))
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
	return list[:min(len(list), 2*maxOptions)]
}

// prove judges whole files on all known URLs, and takes the first that flips nothing, else
// the one that flips least, of these and of those before. It reports whether it found one
// that flips nothing.
func (s *search) prove(options []*change, res *Result) bool {
	for len(options) > 0 {
		t := s.newTrial()
		var tried []*change
		for len(options) > 0 && (tried == nil || !t.full()) {
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
			if e := &effects[i]; !res.Proved || e.pairs < res.Flips || e.pairs == res.Flips && tried[i].compare(newChange(res.Edits...)) < 0 {
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
