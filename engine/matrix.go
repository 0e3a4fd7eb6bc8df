package engine

import (
	"slices"

	"robots-audit/engine/internal/match"
)

// Matrix judges one URL for several groups at once: several crawlers, several
// profiles. It merges the patterns of all groups, so that each URL is searched
// once, however many groups there are. Groups with the same effective rules are
// judged once. A Matrix also counts what each rule does.
//
// Only one goroutine may use a Matrix at a time.
type Matrix struct {
	groups    []*matrixGroup // for each group; groups tested together share one
	runs      []groupRun     // the same, with equal neighbours joined
	same      []int          // for each group, the first group that is tested together with it
	distinct  []*matrixGroup // groups with rules, and groups that would be added to them if a line were deleted
	encodings []Encoding

	rules   *match.Set  // the patterns of all groups; nil until they are compiled
	uses    []groupRank // the groups and ranks of each pattern, in the order of patterns
	first   []int32     // where the uses of each pattern begin, and where the last ones end
	nothing []Decision  // for each group, the decision on a URL that none of its patterns matches
	written bool        // out already has all decisions on the current URL: no pattern of any group matches it
	scratch match.Scratch
	paths   [][]byte // for each encoding, the path rewritten
	urls    int64    // judged so far

	patterns int // patterns of all groups
	tried    int // patterns tried one by one, before compilation

	matched []int32 // ranks that try found for the previous group
}

// groupRun is a run of neighbouring groups that are tested together.
type groupRun struct {
	group *matrixGroup
	to    int // index of the first group after them
}

// groupRank is the rank of a pattern in one group's order of precedence.
type groupRank struct {
	group *matrixGroup
	rank  int32
}

// NewMatrix makes a Matrix for groups. They may come from several readings of
// one origin's file.
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
			m.nothing = append(m.nothing, m.nothing[same])
			continue
		}
		own := newMatrixGroup(g)
		m.groups = append(m.groups, own)
		m.nothing = append(m.nothing, own.decision)
		if len(g.ranked)+len(g.joins) > 0 {
			m.add(own)
			m.nothing[i] = Decision{Verdict: Allow}
		}
	}
	for _, own := range m.distinct {
		m.addJoins(own)
	}
	for i, g := range m.groups {
		if i == 0 || m.groups[i-1] != g {
			m.runs = append(m.runs, groupRun{group: g})
		}
		m.runs[len(m.runs)-1].to = i + 1
	}
	return m
}

// add adds a group to those that are tested.
func (m *Matrix) add(g *matrixGroup) {
	m.distinct = append(m.distinct, g)
	m.encode(g)
}

// maxJoins limits how many joins of a group are counted. Each may add one more
// group to test.
const maxJoins = 32

// addJoins tests the rules that would also apply to a group if a line were
// deleted. Usually the Matrix already tests them for another group.
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

// Same returns the index of the first group that is tested together with the
// i-th.
func (m *Matrix) Same(i int) int { return m.same[i] }

// AppendCounts appends what the rules of the i-th group did since the start, in the
// order of Group.Rules. Groups tested together share their counts.
func (m *Matrix) AppendCounts(list []RuleCount, i int) []RuleCount {
	return m.groups[i].appendCounts(list)
}

// Matched returns how many URLs the rule-th rule of the i-th group, an index into Group.Rules, has
// matched since the start: RuleCount.Matched.
func (m *Matrix) Matched(i, rule int) int64 {
	if tallies := m.groups[i].tallies; tallies != nil {
		return tallies[rule].matched
	}
	return 0
}

// Watch makes Watched report the rule-th rule of the i-th group, an index into
// Group.Rules. Call it before the first URL.
func (m *Matrix) Watch(i, rule int) {
	g := m.groups[i]
	if g.watched == nil {
		g.watched = make([]bool, len(g.group.Rules))
	}
	g.watched[rule] = true
}

// Watched yields the lines of the watched rules that match the last URL, even
// if another rule decided it. A line is yielded once for each group in which it
// matches.
func (m *Matrix) Watched(yield func(line int) bool) {
	if m.written {
		return
	}
	for _, g := range m.distinct {
		for _, rule := range g.hits {
			if !yield(g.group.Rules[rule].Line) {
				return
			}
		}
	}
}

// Verdicts judges url for every group, into out (one Decision for each group), and
// counts what each rule did. It allocates only at the first URL and when it compiles
// the patterns. It compiles them once trying them one by one has cost about as much.
func (m *Matrix) Verdicts(url string, out []Decision) {
	if m.urls == 0 {
		for _, g := range m.distinct {
			g.prepare()
			m.patterns += len(g.group.ranked)
		}
	}
	if m.urls++; m.rules == nil && m.tried >= freeTries+mergeCost*m.patterns+match.CompileCost(m.patterns) {
		m.compile()
	}
	if path := plainPath(url); path != "" {
		m.written = m.test(path, 1<<len(m.encodings)-1, out)
	} else if path, slash := pathOf(url); !slash && EncodingRFC.plain(path) {
		m.written = m.test(path, 1<<len(m.encodings)-1, out)
	} else {
		m.written = m.testRewritten(url, out)
	}
	if m.written {
		return
	}
	from := 0
	for i := range m.runs {
		to := m.runs[i].to
		fill(out[from:to], m.runs[i].group.decision)
		from = to
	}
}

// fill sets all of list to d, four at a time. With pointers in the list, stores in
// groups cost half as much as single ones.
func fill(list []Decision, d Decision) {
	for ; len(list) >= 4; list = list[4:] {
		list[0], list[1], list[2], list[3] = d, d, d, d
	}
	for i := range list {
		list[i] = d
	}
}

// testRewritten tests a URL that the profiles may write differently, once for each
// distinct form. Like test, it reports whether all Decisions are in out.
func (m *Matrix) testRewritten(url string, out []Decision) bool {
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
		if m.test(paths[i], set, out) {
			return true
		}
	}
	return false
}

// test judges a path for the groups whose encoding is in set. It returns true if set has
// all encodings and no pattern matches: all Decisions are then in out. Otherwise it sets
// the decision of each group with rules.
func (m *Matrix) test(path string, set uint, out []Decision) bool {
	var found []int32
	if m.rules != nil {
		found = m.rules.All(path, &m.scratch)
		if len(found) == 0 && set+1 == 1<<len(m.encodings) { // the usual case
			copy(out, m.nothing)
			return true
		}
	}
	for _, g := range m.distinct {
		if g.encoding&set != 0 {
			g.begin()
		}
	}
	if m.rules == nil {
		m.try(path, set)
	}
	for _, pattern := range found {
		for _, u := range m.uses[m.first[pattern]:m.first[pattern+1]] {
			if u.group.encoding&set != 0 {
				u.group.match(u.rank, m.urls)
			}
		}
	}
	for _, g := range m.distinct {
		if g.encoding&set != 0 && !g.hidden {
			g.conclude(path)
		}
	}
	return false
}

// mergeCost is the cost per pattern of merging all groups, in pattern tests. It
// is additional to match.CompileCost.
const mergeCost = 28

// freeTries is how many patterns are always tried before any are compiled. It takes a
// tenth of a millisecond. Small sites, of which thousands may be in progress, save some
// 200 bytes a pattern this way.
const freeTries = 1 << 15

// try tries every pattern of the groups whose encoding is in set.
func (m *Matrix) try(path string, set uint) {
	var tried []ranked // patterns of the previous group
	m.matched = m.matched[:0]
	for _, g := range m.distinct {
		if g.encoding&set == 0 {
			continue
		}
		if list := g.group.ranked; len(list) != len(tried) || len(list) > 0 && &list[0] != &tried[0] { // else the groups share them, and the last result is still valid
			tried, m.matched = list, m.matched[:0]
			m.tried += len(list)
			for rank := range list {
				if list[rank].Match(path) {
					m.matched = append(m.matched, int32(rank))
				}
			}
		}
		for _, rank := range m.matched {
			g.match(rank, m.urls)
		}
	}
}

// compile compiles the patterns of all groups together.
func (m *Matrix) compile() {
	n := 0
	for _, g := range m.distinct {
		n += len(g.group.ranked)
	}
	index, patterns := make(map[match.Pattern]int32, n), make([]match.Pattern, 0, n)
	ids := make([]int32, 0, n)   // the pattern of each rank of each group
	m.first = make([]int32, n+1) // at first, the number of uses of each pattern
	for _, g := range m.distinct {
		for rank := range g.group.ranked {
			p := g.group.ranked[rank].Pattern
			id, ok := index[p]
			if !ok {
				id = int32(len(patterns))
				index[p], patterns = id, append(patterns, p)
			}
			ids = append(ids, id)
			m.first[id+1]++
		}
	}
	m.rules = match.Compile(patterns, nil)
	m.first = m.first[:len(patterns)+1]
	for i := range patterns {
		m.first[i+1] += m.first[i]
	}
	m.uses = make([]groupRank, n)
	next := slices.Clone(m.first)
	for _, g := range m.distinct {
		for rank := range g.group.ranked {
			m.uses[next[ids[0]]] = groupRank{g, int32(rank)}
			next[ids[0]]++
			ids = ids[1:]
		}
	}
}
