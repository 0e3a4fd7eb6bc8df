package audit

import "slices"

// alike groups the crawlers that all pages so far treat alike. For each crawler it has the first
// crawler of its class.
type alike []int

func newAlike(crawlers int) alike { return make(alike, crawlers) } // one class: all equal to the first crawler

// split separates crawlers that a page treats differently.
func (a alike) split(same func(i, j int) bool) {
	var left []int // the first crawler of each new class
	var from []int // the old class of each crawler in left
	for i, first := range a {
		if i == first || same(i, first) {
			continue
		}
		a[i] = i
		for k, other := range left {
			if from[k] == first && same(i, other) {
				a[i] = other
				break
			}
		}
		if a[i] == i {
			left, from = append(left, i), append(from, first)
		}
	}
}

// with returns all crawlers of the i-th crawler's class, the i-th included.
func (a alike) with(i int) (list []int) {
	for j := range a {
		if a[j] == a[i] {
			list = append(list, j)
		}
	}
	return list
}

// all reports whether all the crawlers of a list are treated alike.
func (a alike) all(list []int) bool {
	return !slices.ContainsFunc(list, func(i int) bool { return a[i] != a[list[0]] })
}
