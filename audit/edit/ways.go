package edit

import (
	"maps"
	"slices"
)

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

// several are changes of more than one line that flip nothing else, the smallest first.
func (s *search) several() (list []*change) {
	for _, m := range modes(s.places, s.fresh) {
		list = append(list, s.joined(m, s.elements(m, false), true)...)
	}
	slices.SortStableFunc(list, (*change).compare)
	return list
}

// joined are changes of the fewest elements that reach the goal, each seen alone. Together
// they may get into each other's way: "Allow: /*.jpg" written as "Allow: /*.jpg$" holds
// against a "Disallow: /a.jpg$" that would beat it as it was. Which the proof shows; so
// there are also changes of those elements that do less of that, or nothing.
func (s *search) joined(m mode, all []element, exact bool) (list []*change) {
	for i, some := range [...][]element{slices.Clone(all), s.combinable(all), insertions(all)} {
		parts := s.cover(some, exact && i == 0)
		if parts == nil {
			continue
		}
		c := s.join(m, parts)
		if !slices.ContainsFunc(list, func(o *change) bool { return slices.Equal(o.edits, c.edits) }) {
			list = append(list, c)
		}
	}
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
// "Allow: /" does of "Disallow: /$" for readers to whom both are of one octet. Each is a search
// of its own: where a bound has cut this one there is none.
func (s *search) withoutIdle() (list []*change) {
	if s.bounded != "" {
		return nil
	}
	var idle []*change
	left := s.uncovered()
	t := s.newTries(maxFurther)
	for _, number := range slices.Sorted(maps.Keys(s.lines)) {
		if !left.within(s.lines[number].cells) {
			continue
		}
		if !t.spend(len(s.set)) {
			break
		}
		c := s.newChange(Edit{Op: Delete, Line: number, Was: s.file.text(number)})
		if s.coveredBy(s.groupsOf(s.read(s.file.apply(c.edits)))).count() > 0 {
			continue
		}
		if len(idle) == maxIdle {
			s.bound("too many lines may be in the way")
			break
		}
		idle = append(idle, c)
	}
	s.effects(idle)
	for _, c := range idle {
		if !c.clean {
			continue
		}
		less := *s.request
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
		list = append(list, s.joined(m, all, false)...)
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
