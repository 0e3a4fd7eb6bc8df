package compare

import (
	"encoding/binary"
	"slices"

	"robots-audit/engine"
)

// maxVariantRules bounds the rules of the variants in memory.
const maxVariantRules = 200_000

// variants are readings of the new file with some of its changes undone.
type variants struct {
	c       *comparison
	new     *governed
	oldBody []byte
	changes []Line

	kept    map[string]*variant
	singles []*variant // those of kept with one undone change, by that change; nil = not kept
	rules   int        // number of rules in the kept ones
	bytes   int64      // read so far
	key     []byte
}

// variant is the new file with some changes undone, as the crawlers read it.
type variant struct {
	of       *variants
	body     []byte
	readings []variantReading
	groups   []*engine.Group // for each crawler; nil = not needed yet
	at       []int           // for each crawler, index of its reading, plus 1
}

// variantReading is a reading with everything that it depends on.
type variantReading struct {
	profile    *engine.Profile
	hopBlocked bool
	robots     *engine.Robots
}

// read returns the file with some changes undone. It does not keep the result.
func (v *variants) read(which []int) *variant {
	n := len(v.c.new.readers)
	return &variant{of: v, body: putBack(v.new.record.File.Body, v.oldBody, v.changes, which), groups: make([]*engine.Group, n), at: make([]int, n)}
}

// single returns the file with one change undone.
func (v *variants) single(change int) *variant {
	if change < len(v.singles) && v.singles[change] != nil {
		return v.singles[change]
	}
	kept := v.with(change)
	if v.singles == nil {
		v.singles = make([]*variant, len(v.changes))
	}
	v.singles[change] = kept
	return kept
}

// with returns the file with some changes undone, kept for further URLs.
func (v *variants) with(which ...int) *variant {
	v.key = v.key[:0]
	for _, change := range which {
		v.key = binary.AppendUvarint(v.key, uint64(change))
	}
	kept := v.kept[string(v.key)]
	if kept == nil {
		if v.rules > maxVariantRules || v.kept == nil {
			v.kept, v.rules = map[string]*variant{}, 0
			clear(v.singles)
		}
		kept = v.read(which)
		v.kept[string(v.key)] = kept
	}
	return kept
}

// reading returns the file as crawler i reads it.
func (v *variant) reading(i int) *engine.Robots {
	if v.at[i] == 0 {
		r := v.of.c.new.readers[i]
		file := v.of.c.new.answers.File(v.of.new.record.Index, r.profile, r.robot)
		at := slices.IndexFunc(v.readings, func(known variantReading) bool {
			return known.profile == r.profile && known.hopBlocked == file.HopBlocked
		})
		if at < 0 {
			at = len(v.readings)
			file.Body = v.body
			robots := r.profile.Read(file)
			v.readings = append(v.readings, variantReading{r.profile, file.HopBlocked, robots})
			v.of.rules += len(robots.Rules()) + 16
			v.of.bytes += int64(len(v.body))
		}
		v.at[i] = at + 1
	}
	return v.readings[v.at[i]-1].robots
}

// group returns the group that crawler i obeys in the file.
func (v *variant) group(i int) *engine.Group {
	if v.groups[i] == nil {
		v.groups[i] = v.reading(i).Group(v.of.c.new.readers[i].robot)
	}
	return v.groups[i]
}

// watch finds out which of the rules that changes add or remove match a URL, for one profile.
type watch struct {
	profile *engine.Profile
	numbers map[engine.Rule]int // without their lines
	rules   []engine.Rule
	matrix  *engine.Matrix
	first   int // line of the first rule
	out     []engine.Decision
	matched []int // by the current URL
}

// number returns the number of a rule; a new rule gets the next one.
func (w *watch) number(rule engine.Rule) int {
	n, known := w.numbers[rule]
	if !known {
		n = len(w.rules)
		w.numbers[rule] = n
		w.rules = append(w.rules, rule)
	}
	return n
}

// compile makes a file of the rules.
func (w *watch) compile() {
	if len(w.rules) == 0 {
		return
	}
	body := []byte("user-agent: *\n")
	for _, rule := range w.rules {
		body = append(append(body, rule.String()...), '\n')
	}
	all := *w.profile
	all.Limit, all.OverLimit, all.LineLimit, all.TextOnly = -1, engine.AccessUnknown, 0, false
	group := all.Parse(body).Group(engine.Crawler{Name: "*", Tokens: []string{"none"}})
	w.matrix, w.first, w.out = engine.NewMatrix(group), 2, make([]engine.Decision, 1)
	for i := range group.Rules {
		w.matrix.Watch(0, i)
	}
}

// match finds the rules that match a URL.
func (w *watch) match(loc string) {
	w.matched = w.matched[:0]
	if w.matrix == nil {
		return
	}
	w.matrix.Verdicts(loc, w.out)
	for line := range w.matrix.Watched {
		w.matched = append(w.matched, line-w.first)
	}
}
