package edit

import "context"

// search is the state of a search for one request.
type search struct {
	*finder
	known   int // URLs
	places  []*place
	fresh   int // the first place that is a new group
	sieve   *sieve
	changes []*change // single edits, except insertions of rules
	rest    []*change // changes not judged yet
	goal    bitset    // cells that something covers
}

// smallestChange finds the smallest change that gives every URL of the set the wanted verdict for
// every requested crawler, and flips nothing else. If no candidate does, it returns the one that
// flips least. It reads all known URLs at least twice. The error says why the request cannot be
// answered, or is that of the context.
func smallestChange(ctx context.Context, req request) (*Result, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	return find(ctx, req, true)
}

// find is smallestChange. If whole, it also tries to remove lines that only get in the way, and
// candidates with other flips.
func find(ctx context.Context, req request, whole bool) (*Result, error) {
	f := newFinder(ctx, &req)
	res := &Result{Want: req.Want, Body: req.File.Body}
	if f.findCells(res); len(f.cells) == 0 {
		return res, nil
	}
	f.deciding()
	f.reader = f.newReader()
	s := &search{finder: f}
	s.places, s.fresh = f.places()
	patterns := f.patterns(len(s.places))
	f.tried = len(patterns) * len(s.places)
	s.sieve = f.newSieve(s.places, patterns)
	s.known = s.sieve.run()
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
			f.bound("too many changes would work to judge all")
		}
	}
	if res.Flips > 0 || len(res.Unmet) > 0 {
		if f.repeats {
			f.bound("a new group would have to repeat too many rules")
		}
		if f.unsplit {
			f.bound("groups were not split where crawlers would lose rules")
		}
	}
	res.Tried, res.Bounded = f.tried, f.bounded
	return res, ctx.Err()
}

// setGoal sets the cells that can be covered: the most that one mode covers, because a crawler that
// leaves a group no longer obeys its rules.
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

// setUnmet notes the cells that nothing covers.
func (s *search) setUnmet(res *Result) {
	for i, c := range s.cells {
		if m := &s.set[c.member]; !s.goal.has(i) {
			was := m.was[c.crawler].Verdict
			res.Unmet = append(res.Unmet, Flip{m.url, s.crawlers[c.crawler].Label, was, was})
		}
	}
}
