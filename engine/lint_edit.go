package engine

import (
	"slices"
	"sort"
	"strings"

	"robots-audit/engine/internal/match"
)

// This file proves that an edit of one line changes no verdict. The file is not read
// again for each finding, which would cost its square: what an edit can change is
// which lines belong together, and what the rules of a group decide. The first is
// told by the builder itself, run over the lines from the edit on, once with the edit
// and once without, until both are in the same state (keepsGroups). The second is
// told by comparing patterns, in every group that a crawler may obey (proveIdle,
// rewrites). TestHarmless holds both to files that are really edited.

// reader is a file as one profile reads it, with what it takes to prove edits.
type reader struct {
	*Robots
	marks    []uint8           // of each line: its kind, and the state of the builder before it
	steps    int               // lines that keepsGroups may still look at, so that it takes no more than some times the file
	byRun    map[int][]*prover // those of the groups that a run belongs to
	crawlers []Crawler         // that read by the profile; nil = of any name may
	obeyed   []bool            // by run, for these crawlers; nil = they are any
	again    int               // what reading edited files again may still cost, in bytes
	idle     map[int]proof     // rules without which every verdict is the same, by their lines
	work     int               // what further comparisons may cost; less than 0 = nothing more is proved
	added    int               // what those of rules that are added cost so far, of maxAddedWork
}

// The state of a builder in a mark, above the kind.
const (
	markKind = 1<<(iota+4) - 1
	markOpen = 1 << (iota + 3)
	markHasRule
	markSeparated
)

// state is what decides to which run a further line belongs.
func (b *builder) state() (mark uint8) {
	if b.open {
		mark |= markOpen
	}
	if b.hasRule {
		mark |= markHasRule
	}
	if b.separated {
		mark |= markSeparated
	}
	return mark
}

// newState is a builder in the state of a mark.
func newState(p *Profile, mark uint8) builder {
	return builder{
		Robots: &Robots{Profile: p, runs: make([]run, 1, 4)}, open: mark&markOpen != 0,
		hasRule: mark&markHasRule != 0, separated: mark&markSeparated != 0,
	}
}

// step adds a line of a kind. taken: the line belongs to a run; begins: that run
// begins with it.
func (b *builder) step(k kind) (taken, begins bool) {
	runs := len(b.runs)
	b.addLine(&lineReader{kind: k})
	taken, begins = len(b.agents)+len(b.rules)+len(b.delays) > 0, len(b.runs) > runs
	b.reset()
	return taken, begins
}

// reader is the file as a profile reads it, with what it takes to prove edits.
func (l *linter) reader(p *Profile) *reader {
	if r := l.readers[p]; r != nil {
		return r
	}
	r := &reader{Robots: l.reading(p), work: maxProofWork}
	l.readers[p] = r
	if r.Access == Parsed {
		runs := [][]int(nil)
		if o := l.obedienceTo(p); o != nil && !o.any {
			r.crawlers, r.obeyed, r.again, runs = l.crawlersOf(p), o.obeyed, maxAgain, o.all
		} else {
			runs = r.obeyedRuns(l.listed.all)
		}
		r.prove(runs, &l.proofs)
	}
	return r
}

// stepsPerLine is how often a line is looked at, on an average, to prove that edits of
// lines before it keep the groups: mostly the next line is enough.
const stepsPerLine = 20

// markLines sets marks and steps.
func (r *reader) markLines() {
	if r.marks != nil {
		return
	}
	b := newState(r.Profile, 0)
	r.marks = make([]uint8, 0, strings.Count(r.text, "\n")+1)
	for read := newLineReader(r.Profile, r.text); read.next(); {
		r.marks = append(r.marks, uint8(read.kind)|b.state())
		b.step(read.kind)
	}
	r.steps = 100_000 + stepsPerLine*len(r.marks)
}

// edit is a line that is deleted, or has another text.
type edit struct {
	*lintLine
	deleted bool
	text    string
}

// flips are the profiles (see profilesAt) by which an edit may change a verdict: by all others
// it is proved to change none. Those whose crawlers do not read the line are named only
// where there are no others.
func (l *linter) flips(e edit) []*Profile {
	list := slices.DeleteFunc(slices.Clone(l.profilesAt(e.lintLine)), func(p *Profile) bool { return l.isHarmless(p, e) })
	if !e.inGroup() {
		return list
	}
	if readers := slices.DeleteFunc(slices.Clone(list), func(p *Profile) bool { return !l.reads(p, e.lintLine) }); len(readers) > 0 {
		return readers
	}
	return list
}

// isHarmless reports whether an edit is proved to change no verdict by a profile.
func (l *linter) isHarmless(p *Profile, e edit) bool {
	r := l.reader(p)
	switch {
	case r.source == fromAnswer && r.Access != Parsed:
		return true // the answer decides, and no line
	case r.Access != Parsed || !l.fits(p, e):
		return false
	}
	r.markLines()
	var after lineReader // the line as it will be read
	var k *kind
	if !e.deleted {
		after = *newLineReader(p, e.text)
		after.next()
		k = &after.kind
	}
	keeps := r.keepsGroups([]int{e.number}, k)
	if keeps && r.keepsVerdicts(e, &after) {
		return true
	}
	agent := k != nil && *k == lineAgent || e.number <= len(r.marks) && kind(r.marks[e.number-1]&markKind) == lineAgent
	return (!keeps || agent) && r.keepsRules(e)
}

// maxAgain bounds what reading edited files again may cost by one profile.
const maxAgain = 8 << 20

// keepsRules reports whether each crawler of an operator has the same rules with an edit that moves lines
// from group to group: it may move those that only others obey.
func (r *reader) keepsRules(e edit) bool {
	if r.again -= len(r.text) + 40*len(r.crawlers)*(1+len(r.agents)); r.crawlers == nil || r.again < 0 {
		return false
	}
	var text *string
	if !e.deleted {
		text = &e.text
	}
	after := r.edit(e.number, text)
	if after == nil || after.Access != Parsed {
		return false
	}
	return !slices.ContainsFunc(r.crawlers, func(c Crawler) bool {
		_, was, _ := r.choose(&c)
		_, is, _ := after.choose(&c)
		return !slices.EqualFunc(r.groupOf(was).Rules, after.groupOf(is).Rules, func(a, b Rule) bool { return a.Allow == b.Allow && a.Value == b.Value })
	})
}

// fits reports whether the file is read whole with and without an edit, and whether
// what is not of the line stays as it is.
func (l *linter) fits(p *Profile, e edit) bool {
	begin, end := e.start, e.start+len(e.lintLine.text)
	if e.deleted {
		end = len(l.text) - len(strings.TrimPrefix(strings.TrimPrefix(l.text[end:], "\r"), "\n"))
	}
	rest := l.text[end:]
	size := begin + len(e.text) + len(rest)
	switch {
	case p.ByteLimit() >= 0 && max(size, len(l.text)) > p.ByteLimit(), l.File != nil && (l.File.Truncated || l.File.Error == errorBodyTooLarge):
		return false // lines beyond the limit would come within it, or go beyond it
	case e.number == 1 && l.text[0] == 0xEF, begin == 0 && strings.HasPrefix(e.text+rest, "\xEF"), strings.HasPrefix(e.text, "\xEF"):
		return false // a byte order mark, or a part of one
	case e.deleted && begin > 0 && l.text[begin-1] == '\r' && strings.HasPrefix(rest, "\n"):
		return false // CR and LF would become one line end
	case p.TextOnly && begin < 1024:
		contentType := ""
		if l.File != nil {
			contentType = l.File.ContentType
		}
		return isText(contentType, []byte(l.text[:begin]+e.text+rest[:min(len(rest), 1024)]))
	}
	return true
}

// keepsGroups reports whether every other line belongs to the same run when some
// lines, in order, are deleted, or the only one is of kind k: nil = deleted.
func (r *reader) keepsGroups(edited []int, k *kind) bool {
	if edited[0] > len(r.marks) {
		return true
	}
	mark := r.marks[edited[0]-1]
	was, is := newState(r.Profile, mark), newState(r.Profile, mark)
	same := true // the open runs of both are the same one
	for i := edited[0]; i <= len(r.marks); i++ {
		before := kind(r.marks[i-1] & markKind)
		after := before
		if len(edited) > 0 && edited[0] == i {
			edited = edited[1:]
			if k == nil {
				_, begins := was.step(before)
				same = same && !begins
				continue
			}
			after = *k
		} else if len(edited) == 0 && same && was.state() == is.state() {
			return true
		}
		if r.steps--; r.steps < 0 {
			return false
		}
		taken, begins := was.step(before)
		takenNow, beginsNow := is.step(after)
		if before == after && taken != takenNow || begins != beginsNow {
			return false
		}
		if same = same || begins; taken && !same {
			return false
		}
	}
	return true
}

// keepsVerdicts reports whether the rules of every group decide the same with an
// edit that leaves all other lines in their groups. after is the line as it will be
// read.
func (r *reader) keepsVerdicts(e edit, after *lineReader) bool {
	if e.number > len(r.marks) {
		return true
	}
	mark := r.marks[e.number-1]
	counts := kind(mark&markKind).isRule() && mark&markOpen != 0
	willCount := !e.deleted && after.kind.isRule() && mark&markOpen != 0
	switch {
	case kind(mark&markKind) == lineAgent:
		return e.deleted && r.namedTwice(e.number)
	case !e.deleted && after.kind == lineAgent:
		return false
	case (counts || willCount) && r.isObeyedByNone(r.runOpenAt(e.number)):
		return true
	case counts && willCount:
		i, _ := r.ruleAt(e.number)
		return r.rewrites(r.rules[i], Rule{Allow: after.kind == lineAllow, Value: after.value, Line: e.number})
	case counts:
		return r.isIdle(e.number)
	case willCount:
		return r.adds(Rule{Allow: after.kind == lineAllow, Value: after.value, Line: e.number}, r.groupsAt(e.number))
	}
	return true
}

// isObeyedByNone reports whether no crawler that reads by the profile obeys a run.
func (r *reader) isObeyedByNone(run int) bool { return r.obeyed != nil && run >= 0 && !r.obeyed[run] }

// ruleAt returns the index of the rule of a line, and the run that it belongs to.
func (r *reader) ruleAt(line int) (rule, run int) {
	rule, _ = slices.BinarySearchFunc(r.rules, line, func(rule Rule, line int) int { return rule.Line - line })
	return rule, sort.Search(len(r.runs), func(i int) bool { return r.runs[i].rulesEnd > rule })
}

// namedTwice reports whether the user-agent line before this one, in the same run,
// has the same value, but for case where that does not count.
func (r *reader) namedTwice(line int) bool {
	run := r.runOf(line)
	if run == nil {
		return true // the line names no one to this reader
	}
	i, _ := slices.BinarySearchFunc(r.agents, line, func(a agentLine, line int) int { return a.line - line })
	return i > run.agents && slices.ContainsFunc(r.agents[max(run.agents, i-maxBetween):i], func(a agentLine) bool {
		return a.value == r.agents[i].value || r.Profile.Agents != AgentCased && equalFold(a.value, r.agents[i].value)
	})
}

// isIdle reports whether every verdict is the same without the rule of a line.
func (r *reader) isIdle(line int) bool {
	i, _ := r.ruleAt(line)
	if len(r.Profile.appendRanked(nil, 0, &r.rules[i])) == 0 {
		return true
	}
	if rule := &r.rules[i]; rule.Value == "" && r.Profile.empty(rule) == EmptyWeightless {
		return true // it allows what no other rule matches, which is allowed
	}
	_, idle := r.idle[line]
	return idle
}

// groupsAt are the groups of the run that was open before a line; nil = none, or
// they are not known.
func (r *reader) groupsAt(line int) []*prover {
	return r.byRun[r.runOpenAt(line)]
}

// adds reports whether a rule that did not count changes no verdict when it does.
// groups are those that it will be in, where that is known.
func (r *reader) adds(rule Rule, groups []*prover) bool {
	list := r.Profile.appendRanked(nil, 0, &rule)
	if rule.Value != "" {
		return len(list) == 0 || len(list) == 1 && r.addsNothing(list[0], groups)
	}
	switch r.Profile.empty(&rule) {
	case EmptyIgnored, EmptyWeightless:
		return true
	case EmptyAllowsAll: // with one octet
		if r.Profile.FirstMatch || groups == nil {
			return false
		}
		for _, g := range groups {
			if n := len(g.denies); n > 0 && g.ranked[g.denies[n-1]].octets <= 1 {
				return false
			}
		}
		return true
	}
	return false
}

// addsNothing reports whether a rule with a path changes no verdict when it is added to
// each of some groups, among them at least one.
func (r *reader) addsNothing(x ranked, groups []*prover) bool {
	for _, g := range groups {
		if !r.idleIn(x, g) {
			return false
		}
	}
	return len(groups) > 0
}

// idleIn reports whether a rule decides nothing again in a group that it is added to.
// What it matches has the same verdict before, by the longest rule that matches all of
// it, or for an allow by none, unless a rule of the other verdict beats that one and
// not the new rule: no such rule may share a path with it.
func (r *reader) idleIn(x ranked, g *prover) bool {
	same, others := g.denies, g.allows
	if x.allow {
		same, others = g.allows, g.denies
	}
	if r.Profile.FirstMatch || r.Profile.WildcardConflict || len(g.ranked) > maxAdded {
		return false
	}
	r.added += len(g.ranked)
	covered := int32(-1) // length of that rule
	for _, i := range same {
		if r.added += len(x.Text) + len(g.ranked[i].Text) + 100; r.added > maxAddedWork {
			return false
		}
		if o := &g.ranked[i]; g.covers.within(x.Pattern, o.Pattern) {
			covered = o.octets
			break
		}
	}
	if covered < 0 && !x.allow {
		return false
	}
	for _, i := range others {
		o := &g.ranked[i]
		beaten, beats := x.octets > o.octets, o.octets >= covered
		if x.allow {
			beaten, beats = x.octets >= o.octets, o.octets > covered
		}
		if !beaten || !beats {
			continue
		}
		if r.added += meetWork(x.Pattern, o.Pattern); r.added > maxAddedWork || mayMeet(x.Pattern, o.Pattern) {
			return false
		}
	}
	return true
}

// rewrites reports whether a rule that is written otherwise decides what it decided,
// in every group that it belongs to.
func (r *reader) rewrites(was, is Rule) bool {
	p := r.Profile
	before, after := p.appendRanked(nil, 0, &was), p.appendRanked(nil, 0, &is)
	if slices.Equal(before, after) {
		return true
	}
	_, run := r.ruleAt(was.Line)
	groups := r.byRun[run]
	switch {
	case is.Value == "":
		return r.isIdle(was.Line) && r.adds(is, groups)
	case len(before) == 0:
		return r.adds(is, groups)
	case len(before) != 1 || len(after) != 1 || before[0].allow != after[0].allow, p.WildcardConflict, groups == nil:
		return false
	case !samePaths(before[0].Pattern, after[0].Pattern):
		return false
	case p.FirstMatch || before[0].octets == after[0].octets:
		return true
	}
	return r.between(before[0], after[0], groups) == nil
}

// samePaths reports whether two patterns match the same paths.
func samePaths(a, b match.Pattern) bool { return a == b || within(a, b) && within(b, a) }

// between returns a rule of the other verdict that the one of two ways to write a
// rule beats and the other does not, if they may match a common path; nil = there
// is none. Where too much would have to be compared, it returns the next best.
func (r *reader) between(before, after ranked, groups []*prover) *Rule {
	low, high := min(before.octets, after.octets), max(before.octets, after.octets)
	for _, g := range groups {
		// At equal length what allows wins.
		others, first, last := g.allows, high-1, low
		if before.allow {
			others, first, last = g.denies, high, low+1
		}
		from := sort.Search(len(others), func(i int) bool { return g.ranked[others[i]].octets <= first })
		to := sort.Search(len(others), func(i int) bool { return g.ranked[others[i]].octets < last })
		for n, i := range others[from:to] {
			o := &g.ranked[i]
			if r.work -= meetWork(before.Pattern, o.Pattern); r.work < 0 || n == maxBetween || mayMeet(before.Pattern, o.Pattern) {
				return &g.Rules[o.rule]
			}
		}
	}
	return nil
}

// winsWithout returns a rule that may win where that of a line does with its path,
// once it has another one that matches the same; nil = there is none, or none that
// is known.
func (r *reader) winsWithout(n *lintLine, path string) *Rule {
	if r.Access != Parsed || r.byRun == nil {
		return nil
	}
	i, run := r.ruleAt(n.number)
	if i == len(r.rules) || r.rules[i].Line != n.number {
		return nil
	}
	is := r.rules[i]
	is.Value = path
	before, after := r.Profile.appendRanked(nil, 0, &r.rules[i]), r.Profile.appendRanked(nil, 0, &is)
	if len(before) != 1 || len(after) != 1 {
		return nil
	}
	return r.between(before[0], after[0], r.byRun[run])
}

// mostDeleted is the number of lines that a finding deletes at most.
const mostDeleted = 500

// repeats reports whether a group is another one once more, so that it can go: each
// reader by a chosen profile has both with the same names and rules.
func (l *linter) repeats(again, first *lintGroup) bool {
	ofGroup := func(n *lintLine) bool { return n.kind != lineSitemap && n.kind != lineHost && n.kind != lineClean }
	if slices.ContainsFunc(again.others, ofGroup) || len(again.agents)+len(again.rules) > mostDeleted {
		return false
	}
	return len(l.profilesWhere(func(p *Profile) bool { return !l.reader(p).repeats(l, again, first) })) == 0
}

func (r *reader) repeats(l *linter, again, first *lintGroup) bool {
	switch {
	case r.source == fromAnswer && r.Access != Parsed:
		return true
	case r.Access != Parsed || !l.fits(r.Profile, edit{lintLine: again.agents[0], deleted: true}):
		return false
	}
	a, b := r.runOf(again.agents[0].number), r.runOf(first.agents[0].number)
	if a == nil || b == nil || a.agentsEnd-a.agents != len(again.agents) || a.rulesEnd-a.rules > len(again.rules) {
		return false // to this reader the lines are not one group
	}
	if !slices.EqualFunc(r.agents[a.agents:a.agentsEnd], r.agents[b.agents:b.agentsEnd], func(x, y agentLine) bool { return x.value == y.value }) ||
		!slices.EqualFunc(r.rules[a.rules:a.rulesEnd], r.rules[b.rules:b.rulesEnd], func(x, y Rule) bool { return x.Allow == y.Allow && x.Value == y.Value }) {
		return false
	}
	r.markLines()
	return r.keepsGroups(again.numbers(), nil)
}

// runOf is the run of a user-agent line, nil = it belongs to none.
func (r *reader) runOf(line int) *run {
	i, found := slices.BinarySearchFunc(r.agents, line, func(a agentLine, line int) int { return a.line - line })
	if !found {
		return nil
	}
	return &r.runs[sort.Search(len(r.runs), func(k int) bool { return r.runs[k].agentsEnd > i })]
}

// numbers are the lines of the members of a group.
func (g *lintGroup) numbers() []int {
	var list []int
	for _, lines := range [...][]*lintLine{g.agents, g.rules} {
		for _, n := range lines {
			list = append(list, n.number)
		}
	}
	slices.Sort(list)
	return list
}
