package edit

import (
	"cmp"
	"slices"
	"strings"
)

// element is one insertion or one other single edit, as a part of a change.
type element struct {
	*insertion         // nil = the edits of change
	place      int     // of the insertion
	change     *change // nil = the insertion
	covers     bitset
	count      int // of covers
	reach      int
	ragged     int
	octets     int
	flips      int64
}

// mode is a choice of new groups. Their crawlers leave the groups that they obeyed.
type mode struct {
	fresh []int // indices of places
	left  uint64
}

// modes returns the combinations of new groups to try: none, each alone, and as many as do not
// share a crawler.
func modes(places []*place, fresh int) []mode {
	list := []mode{{}}
	var all, reversed mode
	for i := fresh; i < len(places); i++ {
		list = append(list, mode{[]int{i}, places[i].mask})
		all.add(places, i)
		reversed.add(places, len(places)-1-i+fresh)
	}
	for _, m := range [...]mode{all, reversed} {
		if len(m.fresh) > 1 {
			list = append(list, m)
		}
	}
	return list
}

func (m *mode) add(places []*place, i int) {
	if m.left&places[i].mask == 0 {
		m.fresh = append(m.fresh, i)
		m.left |= places[i].mask
	}
}

// cellsOf returns the cells of some crawlers.
func (f *finder) cellsOf(crawlers uint64) bitset {
	of := newBitset(len(f.cells))
	for i, c := range f.cells {
		if crawlers>>c.crawler&1 != 0 {
			of.add(i)
		}
	}
	return of
}

// staying returns the cells of crawlers that keep their group.
func (s *search) staying(m mode) bitset { return s.cellsOf(^m.left) }

// elements returns the possible parts of a change in a mode: only those that change no other
// verdict, or all if dirty. Elements that cover the same cells share the bitset.
func (s *search) elements(m mode, dirty bool) (list []element) {
	stay := s.staying(m)
	covers := newBitsets(len(s.cells))
	for i, p := range s.places {
		within, obeyed := p.cells.and(s.goal), p.mask
		if i < s.fresh {
			within, obeyed = within.and(stay), obeyed&^m.left
		} else if !slices.Contains(m.fresh, i) {
			continue
		}
		for _, x := range s.sieve.found {
			if x.flipped&obeyed != 0 && !dirty {
				continue
			}
			n := x.covers.countOf(within)
			if n == 0 {
				continue
			}
			list = append(list, element{insertion: x, place: i, covers: covers.and(x.covers, within), count: n, reach: x.reach, ragged: x.ragged, octets: x.octets, flips: x.flipsOf(obeyed)})
		}
	}
	stay = stay.and(s.goal)
	for _, c := range s.changes {
		if n := c.covers.countOf(stay); n > 0 && (c.clean || dirty) && (m.left == 0 || c.reach < structural) {
			list = append(list, element{change: c, covers: covers.and(c.covers, stay), count: n, reach: c.reach, ragged: c.ragged, octets: c.octets, flips: c.flips})
		}
	}
	return list
}

// insertions returns the elements that only insert rules.
func insertions(all []element) []element {
	return slices.DeleteFunc(slices.Clone(all), func(e element) bool { return e.insertion == nil })
}

// combinable returns the elements that leave no rule which could take a URL from another element:
// insertions, deleted rules, and rules changed to the wanted verdict.
func (s *search) combinable(all []element) []element {
	return slices.DeleteFunc(slices.Clone(all), func(e element) bool {
		if e.insertion != nil {
			return false
		}
		_, value := ruleOf(e.text())
		return e.reach >= structural || value != "" && !strings.HasPrefix(e.text(), s.rule(""))
	})
}

// compare orders elements with the same cover.
func (e *element) compare(other *element) int {
	return cmp.Or(cmp.Compare(e.flips, other.flips), cmp.Compare(e.reach, other.reach), cmp.Compare(e.ragged, other.ragged), cmp.Compare(e.octets, other.octets), strings.Compare(e.text(), other.text()))
}

func (e *element) text() string {
	if e.insertion != nil {
		return e.pattern
	}
	return e.change.edits[0].Text
}

// join makes the change of some elements. If two edit the same line, it takes the one that covers
// more.
func (s *search) join(m mode, list []element) *change {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b element) int { return cmp.Compare(b.covers.count(), a.covers.count()) })
	rules := make([][]string, len(s.places))
	edited := map[int]bool{}
	var edits []Edit
	for i := range list {
		e := &list[i]
		if e.insertion != nil {
			rules[e.place] = append(rules[e.place], s.rule(e.pattern))
			continue
		}
		for _, edit := range e.change.edits {
			if edit.Op != Insert {
				if edited[edit.Line] {
					continue
				}
				edited[edit.Line] = true
			}
			edits = append(edits, edit)
		}
	}
	for i, p := range s.places {
		if rules[i] != nil || slices.Contains(m.fresh, i) {
			slices.Sort(rules[i])
			edits = append(edits, p.edits(rules[i])...)
		}
	}
	return s.newChange(edits...)
}

// maxWork bounds the search for the fewest elements. The unit is one check of an element for one
// cell.
const maxWork = 50_000_000

// coverer finds the fewest elements that cover a goal.
type coverer struct {
	all  []element // the cheapest of each cover
	list []element // without elements whose cover is a proper part of another's
	best []int     // indices into list
	work *int
}

// maxCoverers bounds coverer.list.
const maxCoverers = 4000

// cover returns the fewest elements that together cover the goal; nil = they do not.
func (s *search) cover(all []element, exact bool) []element {
	goal := s.goal
	c := &coverer{work: &s.work}
	slices.SortStableFunc(all, func(a, b element) int {
		return cmp.Or(cmp.Compare(b.count, a.count), a.compare(&b))
	})
	seen := map[*uint64]bool{} // to remove equal covers
	for _, e := range all {
		if seen[&e.covers[0]] {
			continue
		}
		seen[&e.covers[0]] = true
		c.all = append(c.all, e)
		if len(c.list) < maxCoverers && !slices.ContainsFunc(c.list, func(o element) bool { return o.flips <= e.flips && e.covers.within(o.covers) }) {
			c.list = append(c.list, e)
		}
	}
	if !c.greedy(goal) {
		return nil
	}
	if exact {
		c.search(goal, nil)
		if s.work > maxWork || len(c.list) == maxCoverers {
			s.bound("there are too many combinations to try all")
		}
	}
	return c.cheapest(goal)
}

// greedy takes the element that covers most of the rest; among equals, the one that changes fewer
// other verdicts.
func (c *coverer) greedy(goal bitset) bool {
	left := goal
	for left.count() > 0 {
		best, most, flips := -1, 0, int64(0)
		for i := range c.list {
			e := &c.list[i]
			n := e.covers.countOf(left)
			if n == 0 {
				continue
			}
			if best < 0 || e.flips*int64(most) < flips*int64(n) || e.flips*int64(most) == flips*int64(n) && n > most {
				best, most, flips = i, n, e.flips
			}
		}
		if best < 0 {
			return false
		}
		c.best = append(c.best, best)
		left = left.without(c.list[best].covers)
	}
	return true
}

// search tries every smaller cover. It branches on the cell with the fewest elements.
func (c *coverer) search(left bitset, taken []int) {
	n := left.count()
	if n == 0 {
		if len(taken) < len(c.best) {
			c.best = slices.Clone(taken)
		}
		return
	}
	if *c.work > maxWork || len(taken)+1 >= len(c.best) {
		return
	}
	*c.work += (n + 1) * len(c.list)
	most, cell, fewest := 0, -1, len(c.list)+1
	for i := range len(left) * 64 {
		if !left.has(i) {
			continue
		}
		covering := 0
		for k := range c.list {
			if c.list[k].covers.has(i) {
				covering++
			}
		}
		if covering < fewest {
			cell, fewest = i, covering
		}
		if cell >= 0 && fewest <= 1 {
			break
		}
	}
	for k := range c.list {
		most = max(most, c.list[k].covers.countOf(left))
	}
	if most == 0 || len(taken)+(n+most-1)/most >= len(c.best) {
		return
	}
	for k := range c.list {
		if c.list[k].covers.has(cell) {
			c.search(left.without(c.list[k].covers), append(taken, k))
		}
	}
}

// cheapest replaces each element by the cheapest one that covers the cells which only this element
// covers.
func (c *coverer) cheapest(goal bitset) []element {
	list := make([]element, len(c.best))
	for i, k := range c.best {
		list[i] = c.list[k]
	}
	for i := range list {
		left := goal
		for k := range list {
			if k != i {
				left = left.without(list[k].covers)
			}
		}
		for k := range c.all {
			if e := &c.all[k]; e.flips <= list[i].flips && left.within(e.covers) && e.compare(&list[i]) < 0 {
				list[i] = *e
			}
		}
	}
	return list
}
