package edit

import (
	"slices"
	"strings"

	"robots-audit/engine"
)

// insertion is a rule in a place, as a candidate.
type insertion struct {
	place   int
	pattern string
	covers  bitset
	flipped uint64 // crawlers for whom something else flips
	flips   int64  // how much, where that is counted
}

// sieve tells insertions apart by what they do on all known URLs, without a file for
// each: a rule on top of a group has an effect where it matches, and where the rule that
// decided before does not hold against it. That is asked of a file of the two rules.
type sieve struct {
	*finder
	places   []*place
	patterns []string
	found    [][]*insertion // by pattern: in each place; nil = it covers nothing there
	count    bool           // flips are counted to the end
	contests map[contest]bool
	own      *engine.Matrix
	was      []engine.Decision
	carriers []*carrier
}

// carrier finds the patterns that match a URL, as some profiles read them.
type carrier struct {
	matrix   *engine.Matrix
	group    *engine.Group
	crawlers []int
	out      [1]engine.Decision
}

// contest is a rule of the file against a pattern on top of it.
type contest struct {
	pattern int
	line    int // 0 = no rule decided
	profile *engine.Profile
}

// maxContests bounds the contests that are remembered.
const maxContests = 1 << 20

func (f *finder) newSieve(places []*place, patterns []string) *sieve {
	s := &sieve{finder: f, places: places, patterns: patterns, contests: map[contest]bool{},
		own: engine.NewMatrix(f.groups...), was: make([]engine.Decision, len(f.crawlers))}
	s.found = make([][]*insertion, len(patterns))
	s.carry()
	return s
}

// carry makes the carriers of the patterns.
func (s *sieve) carry() {
	var text strings.Builder
	text.WriteString("User-agent: *\n")
	for _, pattern := range s.patterns {
		text.WriteString(s.rule(pattern) + "\n")
	}
	body := []byte(text.String())
	var groups []*engine.Group
	byProfile := profiles(s.crawlers)
	for _, p := range byProfile {
		whole := *p
		whole.Limit = -1
		groups = append(groups, whole.Parse(body).Groups()[0])
	}
	s.carriers = nil
	same := engine.NewMatrix(groups...)
	for i, g := range groups {
		if first := same.Same(i); first < i {
			groups[i] = groups[first]
			continue
		}
		c := &carrier{matrix: engine.NewMatrix(g), group: g}
		for rule := range g.Rules {
			c.matrix.Watch(0, rule)
		}
		s.carriers = append(s.carriers, c)
	}
	for c := range s.crawlers {
		g := groups[slices.Index(byProfile, s.crawlers[c].Profile)]
		i := slices.IndexFunc(s.carriers, func(of *carrier) bool { return of.group == g })
		s.carriers[i].crawlers = append(s.carriers[i].crawlers, c)
	}
}

// keepCovering leaves out the patterns that cover nothing, once the set was judged.
func (s *sieve) keepCovering() {
	var patterns []string
	var found [][]*insertion
	for i, list := range s.found {
		if list != nil {
			patterns, found = append(patterns, s.patterns[i]), append(found, list)
		}
	}
	s.patterns, s.found = patterns, found
	s.contests = map[contest]bool{}
	s.carry()
}

// run judges the set, and then all known URLs, of which it returns the number.
func (s *sieve) run() (known int64) {
	for i := range s.set {
		s.judge(s.set[i].url, i)
	}
	s.keepCovering()
	for i := range s.set {
		s.judge(s.set[i].url, i)
	}
	for url, member := range s.urls() {
		if member < 0 {
			known++
			s.judge(url, -1)
		}
	}
	return known
}

// recount judges all again, to count what flips.
func (s *sieve) recount() {
	s.count = true
	for _, list := range s.found {
		for _, x := range list {
			if x != nil {
				x.flips = 0
			}
		}
	}
	for url, member := range s.urls() {
		s.judge(url, member)
	}
}

// judge takes note of what each insertion does to a URL, of the set where member is no
// less than 0.
func (s *sieve) judge(url string, member int) {
	s.own.Verdicts(url, s.was)
	if member < 0 {
		s.witness(url, s.was)
	}
	for _, of := range s.carriers {
		if !slices.ContainsFunc(of.crawlers, func(c int) bool { return s.was[c].Verdict != s.Want }) {
			continue
		}
		of.matrix.Verdicts(url, of.out[:])
		for line := range of.matrix.Watched {
			for _, c := range of.crawlers {
				if s.was[c].Verdict != s.Want {
					s.match(url, member, c, line-2)
				}
			}
		}
	}
}

// match takes note of a pattern that matches a URL which lacks the verdict for a crawler.
func (s *sieve) match(url string, member, c, pattern int) {
	if member < 0 && !s.matters(pattern, c) {
		return
	}
	if !s.wins(url, c, pattern) {
		return
	}
	for i, p := range s.places {
		if p.mask>>c&1 == 0 {
			continue
		}
		list := s.found[pattern]
		if member >= 0 && c < s.chosen {
			if list == nil {
				list = make([]*insertion, len(s.places))
				s.found[pattern] = list
			}
			if list[i] == nil {
				list[i] = &insertion{place: i, pattern: s.patterns[pattern], covers: newBitset(len(s.cells))}
			}
			if at := s.cellOf(member, c); at >= 0 {
				list[i].covers.add(at)
			}
		} else if list != nil && list[i] != nil && s.harm(member, c, s.was[c].Verdict, s.Want) {
			list[i].flipped |= 1 << c
			list[i].flips++
		}
	}
}

// matters reports whether a flip for a crawler would tell anything new of a pattern.
func (s *sieve) matters(pattern, c int) bool {
	return slices.ContainsFunc(s.found[pattern], func(x *insertion) bool {
		return x != nil && s.places[x.place].mask>>c&1 != 0 && (s.count || x.flipped>>c&1 == 0)
	})
}

// wins reports whether a pattern gives a URL the wanted verdict that a crawler has
// otherwise.
func (s *sieve) wins(url string, c, pattern int) bool {
	was, p := &s.was[c], s.crawlers[c].Profile
	key := contest{pattern, was.Line(), p}
	alone := p.IndexTwin && strings.Contains(s.patterns[pattern], "/index.htm") || strings.HasSuffix(url, "/robots.txt")
	if won, known := s.contests[key]; known && !alone {
		return won
	}
	body := "User-agent: *\n" + s.rule(s.patterns[pattern]) + "\n"
	if was.Rule != nil {
		body += ruleLine(was.Rule) + "\n"
	}
	whole := *p
	whole.Limit = -1
	won := whole.Parse([]byte(body)).Groups()[0].Verdict(url).Verdict == s.Want
	if !alone {
		if len(s.contests) == maxContests {
			clear(s.contests)
		}
		s.contests[key] = won
	}
	return won
}

// cellOf returns the index of a cell, -1 = the URL has the verdict.
func (s *sieve) cellOf(member, c int) int {
	return slices.Index(s.cells, cell{member, c})
}
