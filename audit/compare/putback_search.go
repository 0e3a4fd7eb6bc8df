package compare

import "slices"

const (
	// maxPairedChanges bounds the number of changes for which all pairs are tried.
	maxPairedChanges = 12
	// maxSearched bounds the bytes that are read to search for sets of changes, for all URLs of one
	// origin. A result beyond it stays unknown.
	maxSearched = 512 << 20
	// maxSets bounds the sets that are tried for further URLs.
	maxSets = 16
)

// searches are the sets of changes that were found to flip URLs together, by crawler.
type searches struct{ found map[int][][]int }

// search finds a minimal set of changes that brings back the old verdict of crawler i when undone.
// First it tries sets that were found for other URLs, then pairs of candidates. At last it starts
// with all changes, and removes one after the other. nil = none is known.
func (r *reverter) search(i int, f *Flip, candidates []int) []int {
	was := f.Verdicts[i].Was
	restores := func(set []int) bool {
		return len(set) > 0 && r.variants.with(set...).group(i).Verdict(f.Loc).Verdict == was
	}
	key := r.of[i]
	for _, set := range r.searches.found[key] {
		// Sets of two are always minimal: search is only called if no single change is enough.
		if restores(set) && (len(set) <= 2 || minimal(set, restores)) {
			return set
		}
	}
	if r.variants.bytes > maxSearched {
		return nil
	}
	set := pairOf(candidates[:min(len(candidates), maxPairedChanges)], restores)
	if set == nil {
		if set = candidates; !restores(set) {
			set = make([]int, len(r.changes))
			for change := range set {
				set[change] = change
			}
		}
		if !restores(set) {
			return nil
		}
		set = r.shrink(slices.Clone(set), func(set []int) bool {
			return len(set) > 0 && r.variants.read(set).group(i).Verdict(f.Loc).Verdict == was
		})
	}
	if r.searches.found == nil {
		r.searches.found = map[int][][]int{}
	}
	if known := r.searches.found[key]; len(known) < maxSets {
		r.searches.found[key] = append(known, set)
	}
	return set
}

// minimal reports whether every element of a set is necessary.
func minimal(set []int, restores func([]int) bool) bool {
	for i := range set {
		if restores(slices.Delete(slices.Clone(set), i, i+1)) {
			return false
		}
	}
	return true
}

// pairOf returns the first pair that works; nil = none.
func pairOf(list []int, restores func([]int) bool) []int {
	for i := range list {
		for k := range i {
			if pair := []int{list[k], list[i]}; restores(pair) {
				return pair
			}
		}
	}
	return nil
}

// shrink removes unnecessary changes from a set, large parts first.
func (r *reverter) shrink(set []int, restores func([]int) bool) []int {
	for size := (len(set) + 1) / 2; ; size = (size + 1) / 2 {
		for again := true; again; {
			again = false
			for at := 0; at < len(set) && r.variants.bytes <= maxSearched; {
				less := slices.Delete(slices.Clone(set), at, min(at+size, len(set)))
				if restores(less) {
					set, again = less, size == 1
				} else {
					at += size
				}
			}
		}
		if size == 1 {
			return set
		}
	}
}
