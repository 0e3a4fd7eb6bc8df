package engine

import (
	"slices"

	"robots-audit/engine/internal/match"
)

// Matrix judges one URL for several groups at once: several crawlers, several
// profiles. The patterns of all groups are put together, each once, so that a
// URL is searched once however many groups there are; groups that come to the
// same rules are judged once. A Matrix also counts what each rule does.
//
// One goroutine uses a Matrix at a time.
type Matrix struct {
	groups    []*matrixGroup // of each group; the same one for groups that are tested as one
	same      []int          // of each group, the first group that is tested as one with it
	distinct  []*matrixGroup // those that have rules, and those that would join them if a line were deleted
	encodings []Encoding

	rules   *match.Set  // the patterns of all groups; nil for the first URLs
	uses    []groupRank // where each pattern stands in the groups, in the order of patterns
	first   []int32     // where the uses of each pattern begin, and where the last ones end
	scratch match.Scratch
	paths   [][]byte // a rewritten path for each encoding
	urls    int64    // judged so far
}

// groupRank is the rank of a pattern in one group's order of precedence.
type groupRank struct {
	group *matrixGroup
	rank  int32
}

// NewMatrix makes a Matrix over groups; they may belong to different files'
// readings of one origin.
func NewMatrix(groups ...*Group) *Matrix {
	m := &Matrix{}
	for i, g := range groups {
		g.rank()
		same := 0
		for same < i && (m.same[same] != same || !g.sameAs(groups[same])) {
			same++
		}
		m.same = append(m.same, same)
		if same < i {
			m.groups = append(m.groups, m.groups[same])
			continue
		}
		own := newMatrixGroup(g)
		m.groups = append(m.groups, own)
		if len(g.ranked)+len(g.joins) > 0 {
			m.add(own)
		}
	}
	for _, own := range m.distinct {
		m.addJoins(own)
	}
	return m
}

// add has a group tested from now on.
func (m *Matrix) add(g *matrixGroup) {
	m.distinct = append(m.distinct, g)
	m.encode(g)
}

// maxJoins bounds the joins of a group whose effect is counted: each may be one
// more group to test.
const maxJoins = 32

// addJoins has the rules tested that would count for a group beside its own if
// a line were deleted. Mostly another group of the Matrix tests them anyway.
func (m *Matrix) addJoins(g *matrixGroup) {
	for i := range g.group.joins[:min(len(g.group.joins), maxJoins)] {
		next := g.group.joined(i)
		if len(next.ranked) == 0 {
			continue // none of its rules can match
		}
		at := slices.IndexFunc(m.distinct, func(other *matrixGroup) bool { return next.weighedAs(other.group) })
		if at < 0 {
			at = len(m.distinct)
			m.add(&matrixGroup{group: next, hidden: true})
		}
		g.joins = append(g.joins, matrixJoin{g.group.joins[i].rule, m.distinct[at]})
	}
}

// encode gives a group its bit in sets of encodings.
func (m *Matrix) encode(g *matrixGroup) {
	encoding := g.group.profile.Encoding
	for i, e := range m.encodings {
		if e == encoding {
			g.encoding = 1 << i
			return
		}
	}
	g.encoding = 1 << len(m.encodings)
	m.encodings = append(m.encodings, encoding)
	m.paths = append(m.paths, nil)
}

// Same returns the index of the first group that is tested as one with the i-th.
func (m *Matrix) Same(i int) int { return m.same[i] }

// Counts returns what the rules of the i-th group did since the start, in the
// order of Group.Rules. Groups tested as one share their counts.
func (m *Matrix) Counts(i int) []RuleCount { return m.groups[i].count() }

// Watch has Watched tell of the rule-th rule of the i-th group, an index into
// Group.Rules. It is for before the first URL.
func (m *Matrix) Watch(i, rule int) {
	g := m.groups[i]
	if g.watched == nil {
		g.watched = make([]bool, len(g.group.Rules))
	}
	g.watched[rule] = true
}

// Watched yields the lines of the watched rules that match the URL judged last,
// whichever rule decided it: a line once for each group in which it does.
func (m *Matrix) Watched(yield func(line int) bool) {
	for _, g := range m.distinct {
		for _, rule := range g.hits {
			if !yield(g.group.Rules[rule].Line) {
				return
			}
		}
	}
}

// compileAfterURLs is the number of URLs after which the patterns of all groups are
// compiled together: that takes as long as judging a hundred or two without, and
// memory that a site of few URLs is better off without.
const compileAfterURLs = 128

// Verdicts judges url for every group, into out (one Decision for each group),
// and counts what each rule did. It does not allocate but at the first URL,
// and once more to compile the patterns if many follow.
func (m *Matrix) Verdicts(url string, out []Decision) {
	switch m.urls {
	case 0:
		for _, g := range m.distinct {
			g.prepare()
		}
	case compileAfterURLs:
		m.compile()
	}
	m.urls++
	if path, slash := pathOf(url); !slash && EncodingRFC.plain(path) {
		m.test(path, 1<<len(m.encodings)-1)
	} else {
		m.testRewritten(url)
	}
	for i, g := range m.groups {
		out[i] = g.decision
	}
}

// testRewritten tests a URL that the profiles may write differently, once for
// each way in which they do.
func (m *Matrix) testRewritten(url string) {
	var paths [EncodingNone + 1]string
	for i, e := range m.encodings {
		paths[i], m.paths[i] = e.path(url, m.paths[i])
	}
	done := uint(0)
	for i := range m.encodings {
		if done>>i&1 != 0 {
			continue
		}
		set := uint(0)
		for k := i; k < len(m.encodings); k++ {
			if paths[k] == paths[i] {
				set |= 1 << k
			}
		}
		done |= set
		m.test(paths[i], set)
	}
}

// test judges a path for the groups whose encoding is in set.
func (m *Matrix) test(path string, set uint) {
	for _, g := range m.distinct {
		if g.encoding&set != 0 {
			g.begin()
		}
	}
	if m.rules == nil {
		m.try(path, set)
	} else {
		for _, pattern := range m.rules.All(path, &m.scratch) {
			for _, u := range m.uses[m.first[pattern]:m.first[pattern+1]] {
				if u.group.encoding&set != 0 {
					u.group.match(u.rank, m.urls)
				}
			}
		}
	}
	for _, g := range m.distinct {
		if g.encoding&set != 0 && !g.hidden {
			g.conclude(path)
		}
	}
}

// try tries every pattern of the groups whose encoding is in set.
func (m *Matrix) try(path string, set uint) {
	for _, g := range m.distinct {
		if g.encoding&set == 0 {
			continue
		}
		for rank := range g.group.ranked {
			if g.group.ranked[rank].Match(path) {
				g.match(int32(rank), m.urls)
			}
		}
	}
}

// compile compiles the patterns of all groups together.
func (m *Matrix) compile() {
	var patterns []match.Pattern
	var uses [][]groupRank
	index := map[match.Pattern]int32{}
	for _, g := range m.distinct {
		for rank := range g.group.ranked {
			p := g.group.ranked[rank].Pattern
			i, ok := index[p]
			if !ok {
				i = int32(len(patterns))
				index[p] = i
				patterns, uses = append(patterns, p), append(uses, nil)
			}
			uses[i] = append(uses[i], groupRank{g, int32(rank)})
		}
	}
	m.rules = match.Compile(patterns, nil)
	for _, list := range uses {
		m.first = append(m.first, int32(len(m.uses)))
		m.uses = append(m.uses, list...)
	}
	m.first = append(m.first, int32(len(m.uses)))
}
