package edit

import (
	"cmp"
	"slices"
)

// Bounds of the judgement of whole files.
const (
	maxChanges = 512       // single edits
	maxJudged  = 128 << 20 // the work of reading and compiling them, in the unit of tries
	maxAsked   = 30 << 20  // verdicts on known URLs
	maxDirty   = 24        // edits whose flips are counted
	maxOptions = 24        // changes that would work
	maxCutting = 120       // likewise, for a file that is not read to the end, where every edit moves the limit
)

// judge tests the remaining candidates that are not known to change other verdicts. It returns
// those that change none, smallest first.
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

// most returns as many changes as may be judged as whole files, those that cover most first.
func (s *search) most(list []*change, most int) []*change {
	slices.SortStableFunc(list, func(a, b *change) int {
		return cmp.Or(cmp.Compare(b.covers.count(), a.covers.count()), a.compare(b))
	})
	n := min(maxJudged/(len(profiles(s.crawlers))*(s.file.size+200+s.file.rules*compiling)), maxAsked/(len(s.crawlers)*max(1, s.known)))
	if n = min(most, max(8, n)); len(list) > n {
		s.bound("too many lines match the URLs to judge all")
		return list[:n]
	}
	return list
}

// dirty returns the remaining changes whose flips are counted: those that cover most, and those
// that are necessary for the goal.
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

// prove judges whole files on all known URLs. It takes the first that changes no other verdict,
// otherwise the one that changes fewest, of these and of earlier ones. It reports whether it found
// one that changes none.
func (s *search) prove(options []*change, res *Result) bool {
	most := 0 // usually the first one is clean
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

// take sets a change as the best so far.
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
