package edit

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"robots-audit/engine"
)

// Bounds of one pass over the known URLs.
const (
	maxGroups = 256
	maxRules  = 200_000
)

// effect is the side effect of a file.
type effect struct {
	pairs   int64 // flips, a URL once for each crawler
	urls    int64
	known   int64
	by      []int64 // flips of each crawler
	samples []Flip
}

// trial judges several files together with the current one. Crawlers with the same rules in two
// files are judged once.
type trial struct {
	*finder
	groups []*engine.Group
	index  map[[sha256.Size]byte]int
	base   []int   // for each crawler, index into groups
	files  [][]int // for each file, likewise
	rules  int
	out    []engine.Decision
}

func (f *finder) newTrial() *trial {
	t := &trial{finder: f, index: map[[sha256.Size]byte]int{}}
	t.base = t.add(f.base, f.groups)
	return t
}

// add returns for each crawler the index of its group.
func (t *trial) add(robots []*engine.Robots, groups []*engine.Group) []int {
	list := make([]int, len(groups))
	for c, g := range groups {
		var text strings.Builder
		fmt.Fprintln(&text, t.crawlers[c].Profile.Name, robots[c].Access)
		for i := range g.Rules {
			fmt.Fprintln(&text, g.Rules[i].Allow, g.Rules[i].Value)
		}
		key := sha256.Sum256([]byte(text.String()))
		i, known := t.index[key]
		if !known {
			i = len(t.groups)
			t.index[key] = i
			t.groups = append(t.groups, g)
			t.rules += len(g.Rules)
		}
		list[c] = i
	}
	return list
}

// addBody adds a file to judge.
func (t *trial) addBody(body []byte) {
	robots := t.read(body)
	t.files = append(t.files, t.add(robots, t.finder.groupsOf(robots)))
}

// full reports whether no further file should be judged in this pass.
func (t *trial) full() bool { return len(t.groups) >= maxGroups || t.rules >= maxRules }

// run judges every URL, and returns the effect of each file.
func (t *trial) run() []effect {
	effects := make([]effect, len(t.files))
	for i := range effects {
		effects[i].by = make([]int64, len(t.crawlers))
	}
	matrix := engine.NewMatrix(t.groups...)
	t.out = make([]engine.Decision, len(t.groups))
	for url, member := range t.urls() {
		matrix.Verdicts(url, t.out)
		for i, file := range t.files {
			t.compare(&effects[i], file, url, member)
		}
	}
	return effects
}

// compare notes the effect of one file on a URL.
func (t *trial) compare(e *effect, file []int, url string, member int) {
	if member < 0 {
		e.known++
	}
	flipped := false
	for c, g := range file {
		if g == t.base[c] {
			continue
		}
		was, is := t.out[t.base[c]].Verdict, t.out[g].Verdict
		if !t.harm(member, c, was, is) {
			continue
		}
		flipped = true
		e.pairs++
		e.by[c]++
		if len(e.samples) < maxSamples {
			e.samples = append(e.samples, Flip{strings.Clone(url), t.crawlers[c].Label, was, is})
		}
	}
	if flipped {
		e.urls++
	}
}

// effects judges the files of some changes on every known URL, in as few passes as possible, and
// sets their flips.
func (f *finder) effects(list []*change) {
	for len(list) > 0 && f.ctx.Err() == nil {
		t := f.newTrial()
		n := 0
		for n < len(list) && (n == 0 || !t.full()) {
			t.addBody(f.file.apply(list[n].edits))
			n++
		}
		for i, e := range t.run() {
			list[i].flips, list[i].clean = e.pairs, e.pairs == 0
		}
		list = list[n:]
	}
}
