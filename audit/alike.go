package audit

import "slices"

// alike says which crawlers the pages so far treat alike: to each it gives the first
// of those that are treated as it is.
type alike []int

func newAlike(crawlers int) alike { return make(alike, crawlers) } // one class, that of the first

// split takes the crawlers apart that a page does not treat alike.
func (a alike) split(same func(i, j int) bool) {
	var left []int // the first of those that leave a class together
	var from []int // the class that each of left was in
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

// with returns the crawlers that are treated as the i-th is, itself among them.
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
