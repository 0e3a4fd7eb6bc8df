package edit

import (
	"maps"
	"slices"
)

// singles returns the single edits that work, smallest first; nil = none.
func (s *search) singles() (list []*change) {
	for _, e := range s.elements(mode{}, false) {
		if e.insertion != nil && s.goal.within(e.covers) {
			list = append(list, s.join(mode{}, []element{e}))
		}
	}
	slices.SortStableFunc(list, (*change).compare)
	if len(list) > 0 && !s.isCut() { // others matter only if they are smaller
		s.rest = slices.DeleteFunc(s.rest, func(c *change) bool { return !s.goal.within(c.covers) || c.compare(list[0]) > 0 })
	}
	list = append(list, s.judge()...)
	slices.SortStableFunc(list, (*change).compare)
	return list
}

// joining returns the deletions that work because they merge two groups.
func (s *search) joining() []*change {
	s.rest = append(s.rest, s.further(0)...)
	return s.judge()
}

// regrouping returns changes with a line that is no rule, so that groups or their crawlers change.
func (s *search) regrouping() []*change {
	s.rest = append(s.rest, s.further(structural)...)
	if list := s.judge(); len(list) > 0 {
		return list
	}
	return s.several()
}

// narrowed returns the single edits that are found only with the known URLs.
func (s *search) narrowed() []*change {
	s.rest = append(s.rest, s.narrowings()...)
	return s.judge()
}

// several returns changes of more than one line that flip nothing else, smallest first.
func (s *search) several() (list []*change) {
	for _, m := range modes(s.places, s.fresh) {
		list = append(list, s.joined(m, s.elements(m, false), true)...)
	}
	slices.SortStableFunc(list, (*change).compare)
	return list
}

// joined returns changes of the fewest elements that reach the goal, each judged alone. Together
// they may conflict: "Allow: /*.jpg" rewritten as "Allow: /*.jpg$" beats a "Disallow: /a.jpg$" that
// would have won before. The proof detects this. So there are also changes from elements with less
// or no risk of conflict.
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

// uncovered returns the cells that nothing covers without other flips.
func (s *search) uncovered() bitset {
	left := s.goal
	for _, m := range modes(s.places, s.fresh) {
		for _, e := range s.elements(m, false) {
			left = left.without(e.covers)
		}
	}
	return left
}

// maxIdle bounds the lines whose deletion is tried in addition to a change.
const maxIdle = 3

// withoutIdle returns changes of the file without one of the lines that decide the set, if deleting
// that line alone changes no verdict. Such a line only gets in the way, as "Allow: /" does for
// "Disallow: /$" with readers that count both as one octet. Each is a search of its own, so there
// is none if a bound has stopped this one.
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

// flipping returns changes that flip something else.
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
