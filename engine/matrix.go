package engine

import "robots-audit/engine/internal/match"

// Matrix judges one URL for several groups at once: several crawlers, several
// profiles. The patterns of all groups are put together, each once, so that a
// URL is searched once however many groups there are; groups that come to the
// same rules are judged once. A Matrix also counts what each rule does.
//
// One goroutine uses a Matrix at a time.
type Matrix struct {
	judges    []*judge // of each group; the same one for groups that are tested as one
	same      []int    // of each group, the first group that is tested as one with it
	distinct  []*judge // those that have rules to be looked at
	encodings []Encoding

	rules   *match.Set // the patterns of all judges; nil for the first URLs
	uses    []use      // what each pattern is to the judges, in the order of patterns
	first   []int32    // where the uses of each pattern begin, and where the last ones end
	scratch match.Scratch
	paths   [][]byte // a rewritten path for each encoding
	urls    int64    // judged so far
}

// use is a pattern's place in one judge's order of precedence.
type use struct {
	judge *judge
	rank  int32
}

// NewMatrix makes a Matrix over groups; they may belong to different files'
// readings of one origin.
func NewMatrix(groups ...*Group) *Matrix {
	m := &Matrix{}
	for i, g := range groups {
		same := 0
		for same < i && (m.same[same] != same || !g.sameAs(groups[same])) {
			same++
		}
		m.same = append(m.same, same)
		if same < i {
			m.judges = append(m.judges, m.judges[same])
			continue
		}
		j := newJudge(g)
		m.judges = append(m.judges, j)
		if len(g.ranked) > 0 {
			m.distinct = append(m.distinct, j)
			m.encode(j)
		}
	}
	return m
}

// encode gives a judge its bit in sets of encodings.
func (m *Matrix) encode(j *judge) {
	key := j.group.profile.Encoding.key()
	for i, e := range m.encodings {
		if e == key {
			j.encoding = 1 << i
			return
		}
	}
	j.encoding = 1 << len(m.encodings)
	m.encodings = append(m.encodings, key)
	m.paths = append(m.paths, nil)
}

// Same returns the index of the first group that is tested as one with the i-th.
func (m *Matrix) Same(i int) int { return m.same[i] }

// Counts returns what the rules of the i-th group did since the start, in the
// order of Group.Rules. Groups tested as one share their counts.
func (m *Matrix) Counts(i int) []RuleCount { return m.judges[i].count() }

// prepareAfter is the number of URLs after which the patterns are put together:
// that takes as long as judging a hundred or two without, and room of which a
// site of few URLs has no use.
const prepareAfter = 128

// Verdicts judges url for every group, into out (one Decision for each group),
// and counts what each rule did. It does not allocate but to prepare itself: at
// the first URL, and once more if many follow.
func (m *Matrix) Verdicts(url string, out []Decision) {
	switch m.urls {
	case 0:
		for _, j := range m.distinct {
			j.prepare()
		}
	case prepareAfter:
		m.prepare()
	}
	m.urls++
	if path, slash := pathOf(url); !slash && plain(path) {
		m.test(path, 1<<len(m.encodings)-1)
	} else {
		m.testRewritten(url)
	}
	for i, j := range m.judges {
		out[i] = j.decision
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

// test has a path judged by those judges whose encoding is in set.
func (m *Matrix) test(path string, set uint) {
	for _, j := range m.distinct {
		if j.encoding&set != 0 {
			j.begin()
		}
	}
	if m.rules == nil {
		m.try(path, set)
	} else {
		for _, pattern := range m.rules.All(path, &m.scratch) {
			for _, u := range m.uses[m.first[pattern]:m.first[pattern+1]] {
				if u.judge.encoding&set != 0 {
					u.judge.match(u.rank, m.urls)
				}
			}
		}
	}
	for _, j := range m.distinct {
		if j.encoding&set != 0 {
			j.conclude(path)
		}
	}
}

// try tries every pattern of the judges whose encoding is in set.
func (m *Matrix) try(path string, set uint) {
	for _, j := range m.distinct {
		if j.encoding&set == 0 {
			continue
		}
		for rank := range j.group.ranked {
			if j.group.ranked[rank].Match(path) {
				j.match(int32(rank), m.urls)
			}
		}
	}
}

// prepare puts the patterns of all judges together.
func (m *Matrix) prepare() {
	var patterns []match.Pattern
	var uses [][]use
	index := map[match.Pattern]int32{}
	for _, j := range m.distinct {
		for rank := range j.group.ranked {
			p := j.group.ranked[rank].Pattern
			i, ok := index[p]
			if !ok {
				i = int32(len(patterns))
				index[p] = i
				patterns, uses = append(patterns, p), append(uses, nil)
			}
			uses[i] = append(uses[i], use{j, int32(rank)})
		}
	}
	m.rules = match.Compile(patterns, nil)
	for _, list := range uses {
		m.first = append(m.first, int32(len(m.uses)))
		m.uses = append(m.uses, list...)
	}
	m.first = append(m.first, int32(len(m.uses)))
}
