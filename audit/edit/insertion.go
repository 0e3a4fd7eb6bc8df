package edit

import (
	"math/bits"
	"slices"
	"strings"

	"robots-audit/engine"
)

// insertion is a candidate rule for the top of any place. Its effect on a crawler is the same in
// each place that the crawler obeys.
type insertion struct {
	pattern string
	reach   int
	ragged  int
	octets  int
	covers  bitset  // of all crawlers
	flipped uint64  // crawlers for which other verdicts change
	flips   []int64 // number of other changes for each crawler; nil = not counted
}

func (f *finder) newInsertion(pattern string) *insertion {
	as := Edit{Op: Insert, Text: f.rule(pattern)}
	return &insertion{pattern: pattern, reach: as.reach(), ragged: f.ragged(pattern), octets: as.octets(), covers: newBitset(len(f.cells))}
}

// flipsOf returns the number of other changes for some crawlers, a lower bound if they were not
// counted.
func (x *insertion) flipsOf(crawlers uint64) (n int64) {
	if x.flips == nil {
		return int64(bits.OnesCount64(x.flipped & crawlers))
	}
	for c, flips := range x.flips {
		if crawlers>>c&1 != 0 {
			n += flips
		}
	}
	return n
}

// sieve finds the effect of insertions on all known URLs without a file for each. A rule at the top
// of a group has an effect if it matches and the previously deciding rule does not win. A file with
// only these two rules decides that.
type sieve struct {
	*finder
	placed   uint64 // crawlers that obey one of the places
	patterns []string
	found    []*insertion // by pattern; nil = it covers nothing
	count    bool         // count all changes
	contests map[contest]bool
	own      *engine.Matrix
	was      []engine.Decision
	carriers []*carrier
}

// carrier finds the patterns that match a URL for some profiles.
type carrier struct {
	matrix   *engine.Matrix
	group    *engine.Group
	crawlers []int
	out      [1]engine.Decision
}

// contest is a rule of the file compared with a pattern above it.
type contest struct {
	pattern int
	line    int // 0 = no rule decided
	profile *engine.Profile
}

// maxContests bounds the contests that are cached.
const maxContests = 1 << 18

func (f *finder) newSieve(places []*place, patterns []string) *sieve {
	s := &sieve{finder: f, patterns: patterns, found: make([]*insertion, len(patterns)), contests: map[contest]bool{},
		own: engine.NewMatrix(f.groups...), was: make([]engine.Decision, len(f.crawlers))}
	for _, p := range places {
		s.placed |= p.mask
	}
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

// keepCovering removes the patterns that cover nothing, after the set was judged.
func (s *sieve) keepCovering() {
	var patterns []string
	var found []*insertion
	for i, x := range s.found {
		if x != nil {
			patterns, found = append(patterns, s.patterns[i]), append(found, x)
		}
	}
	s.patterns, s.found = patterns, found
	s.contests = map[contest]bool{}
	s.carry()
}

// run judges the set, then all known URLs, and returns their number.
func (s *sieve) run() (known int) {
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

// recount judges all URLs again to count the changes.
func (s *sieve) recount() {
	s.count = true
	for _, x := range s.found {
		x.flips = make([]int64, len(s.crawlers))
	}
	for url, member := range s.urls() {
		s.judge(url, member)
	}
}

// judge notes the effect of each insertion on a URL. member is its index in the set; -1 = not in
// the set.
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

// match notes that a pattern matches a URL without the wanted verdict for a crawler.
func (s *sieve) match(url string, member, c, pattern int) {
	x := s.found[pattern]
	switch isWanted := member >= 0 && c < s.chosen; {
	case s.placed>>c&1 == 0 || x == nil && !isWanted:
	case isWanted:
		if at := s.cellAt[member][c]; at >= 0 && (x == nil || !x.covers.has(at)) && s.wins(url, c, pattern) {
			if x == nil {
				x = s.newInsertion(s.patterns[pattern])
				s.found[pattern] = x
			}
			x.covers.add(at)
		}
	case s.count || x.flipped>>c&1 == 0: // otherwise there is nothing new
		if s.harm(member, c, s.was[c].Verdict, s.Want) && s.wins(url, c, pattern) {
			x.flipped |= 1 << c
			if s.count {
				x.flips[c]++
			}
		}
	}
}

// wins reports whether a pattern gives a URL the wanted verdict for a crawler that has another one.
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
