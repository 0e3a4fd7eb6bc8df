package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/internal/match"
)

// maxProofRules bounds the rules that are compared for one profile. Rules that
// belong to several groups count for each of them.
const maxProofRules = 200_000

// maxProofWork bounds the cost of the comparisons for one profile to about a
// second. Only files come near it whose patterns are so alike that the search
// cannot tell them apart.
const maxProofWork = 200_000_000

// maxAdded bounds the patterns of a group that a rule is compared with to prove that it
// would add nothing, maxAddedWork the cost of all such comparisons for one profile.
const (
	maxAdded     = 1000
	maxAddedWork = 30_000_000
)

// maxBetween bounds the rules of the other verdict that are compared to prove that
// a rule adds nothing.
const maxBetween = 64

// proof is what was proved of a rule in one group.
type proof struct {
	id    string
	other int // line of the rule that beats it or does the same
}

// idleRule is a rule of a group, by its line, with the proof that it is idle there.
type idleRule struct {
	line int
	proof
}

// proofs are the results for groups. Most profiles read the rules of a group alike, so a result for one
// profile is used for the next.
type proofs struct {
	byLine map[int][]groupProofs // by the line of the group's first rule
}

// maxAlike bounds the groups of one first rule whose proofs are kept: there is more than one where
// groups of several names are united, or profiles part.
const maxAlike = 8

// groupProofs are the proofs of one group, and what they cost.
type groupProofs struct {
	*Group
	idle []idleRule
	work int
}

// of proves what there is to prove of a group, or finds that it was proved.
func (s *proofs) of(p *prover) []idleRule {
	if len(p.ranked) == 0 {
		return nil
	}
	line := p.Rules[0].Line
	for _, known := range s.byLine[line] {
		if known.profile.WildcardConflict == p.profile.WildcardConflict && slices.Equal(known.ranked, p.ranked) && slices.Equal(known.Rules, p.Rules) {
			p.work -= known.work
			return known.idle
		}
	}
	work := p.work
	idle := p.proveIdleRules()
	if p.work >= 0 && len(s.byLine[line]) < maxAlike {
		if s.byLine == nil {
			s.byLine = map[int][]groupProofs{}
		}
		s.byLine[line] = append(s.byLine[line], groupProofs{p.Group, idle, work - p.work})
	}
	return idle
}

// lintProofs tells which rules never decide, or could go without a change, and which
// line it is that can go.
// Within a group each rule is looked up as a path (lint_cover.go) in the
// compiled group itself (match.Set): one search a rule, whatever their number. A rule that
// is in several groups, as those of a run shared by crawlers, must prove
// idle in all of them.
func lintProofs(l *linter) {
	type key struct {
		line int
		id   string
	}
	var order []key
	holds, proved := map[key][]*Profile{}, map[key][]proof{} // side by side
	for _, p := range l.Profiles {
		idle := l.reader(p).idle
		for _, line := range slices.Sorted(maps.Keys(idle)) {
			k := key{line, idle[line].id}
			if !l.reads(p, l.lineAt(line)) {
				continue
			}
			if holds[k] == nil {
				order = append(order, k)
			}
			holds[k], proved[k] = append(holds[k], p), append(proved[k], idle[line])
		}
	}
	for _, k := range order {
		n := l.lineAt(k.line)
		f := l.reportValue(k.id, n, holds[k]...)
		if f == nil {
			continue
		}
		what := "gives the same verdict on every path that this rule matches"
		switch k.id {
		case "RUL006":
			what = "matches the same paths and wins"
		case "RUL009":
			what = "is stronger on every path that this rule matches"
		}
		f.What, f.Related = l.provedBy(holds[k], proved[k], what)
		var names []string
		for _, other := range f.Related {
			names = append(names, fmt.Sprint("line ", other))
		}
		others := strings.Join(names, " or ")
		fix := fmt.Sprintf("Delete only line %d, not %s. The same URLs stay blocked.", k.line, others)
		switch k.id {
		case "RUL006":
			fix += fmt.Sprintf(" If these paths should be blocked, delete %s instead, which changes their verdict.", others)
		case "RUL009":
			fix += fmt.Sprintf(" If this rule should decide, make it longer than %s.", others)
		}
		if l.adviseDeletion(f, n, fix); !f.Harmless && len(f.Profiles) < len(l.readersOf(n)) {
			f.What = fmt.Sprintf("for %s, %s", strings.Join(f.Profiles, ", "), f.What)
		}
	}
}

// provedBy says which line does what to a rule. To some readers it may be another line:
// profiles and proofs are side by side. lines are those named.
func (l *linter) provedBy(profiles []*Profile, proofs []proof, what string) (text string, lines []int) {
	readers := map[int][]*Profile{}
	for i, p := range proofs {
		if readers[p.other] == nil {
			lines = append(lines, p.other)
		}
		readers[p.other] = append(readers[p.other], profiles[i])
	}
	text = fmt.Sprintf("line %d (%s) %s", lines[0], l.ruleText(lines[0]), what)
	for _, line := range lines[1:] {
		text += fmt.Sprintf("; for %s it is line %d (%s)", profileNames(readers[line]), line, l.ruleText(line))
	}
	return text, lines
}

// adviseDeletion says in a finding, in the words of fix, that its line can go, if that is proved to change
// no verdict by any of the chosen profiles. If the line is a rule that holds its group
// apart from the next one, an empty Disallow in its place may do. Else the advice is
// to check.
func (l *linter) adviseDeletion(f *Finding, n *lintLine, fix string) {
	flips := l.flips(edit{lintLine: n, deleted: true})
	if len(flips) == 0 {
		f.Fix, f.Delete, f.Harmless = fix, []int{n.number}, true
		return
	}
	if n.exact && n.kind.isRule() {
		empty := n.rewrite("Disallow", "")
		if l.advise(f, n, empty) {
			f.Fix = fmt.Sprintf("Replace line %d with an empty \"Disallow:\". The same URLs stay blocked. Do not just delete the line: the User-agent lines above it would share the rules below.", n.number)
			return
		}
		f.Fix = fmt.Sprintf("Leave line %d. %s", n.number, l.whyLineStays(f, edit{lintLine: n, deleted: true}, flips))
		return
	}
	f.Fix = fmt.Sprintf("%s %s", f.Fix, checkFirst(flips))
}

// whyLineStays says what may change without the rule of a line, of which a finding says that it decides
// nothing for its own profiles. flips are those by which something may.
func (l *linter) whyLineStays(f *Finding, e edit, flips []*Profile) string {
	at := slices.IndexFunc(flips, func(p *Profile) bool { return slices.Contains(f.Profiles, p.Name) })
	switch {
	case at < 0:
		return fmt.Sprintf("Without it, verdicts may change for %s.", profileNames(flips))
	case !l.fits(flips[at], e):
		return "Without it, crawlers may read other lines differently."
	}
	return "Without it, the User-agent lines above it would share the rules below."
}

// warnOfDeletion adds to the fix of a finding, which speaks of removing its line, that
// this may change verdicts, unless it is proved that it does not.
func (l *linter) warnOfDeletion(f *Finding, n *lintLine) {
	if flips := l.flips(edit{lintLine: n, deleted: true}); len(flips) > 0 {
		f.Fix = fmt.Sprintf("%s %s", f.Fix, checkFirst(flips))
	}
}

func checkFirst(flips []*Profile) string {
	return fmt.Sprintf("First check the verdicts without the line: for %s they may change.", profileNames(flips))
}

// advise sets how a line should be written, if that is proved to change no verdict
// by any of the chosen profiles. It returns whether it is.
func (l *linter) advise(f *Finding, n *lintLine, text string) bool {
	if len(l.flips(edit{lintLine: n, text: text})) > 0 {
		return false
	}
	f.Replacement, f.Harmless = text, true
	return true
}

func profileNames(list []*Profile) string { return strings.Join(namesOf(list), ", ") }

// ruleText writes the rule of a line for use in a sentence.
func (l *linter) ruleText(line int) string {
	n := l.lineAt(line)
	return escape.Prefix(strings.ToLower(n.field)+": "+n.value, 80)
}

// prove makes the provers of a file, of the runs of each group that is obeyed, and finds the rules that are
// idle in all groups that they belong to: those that never decide, or without which every verdict is
// the same. It does nothing for a file with too many rules to prove anything.
func (r *reader) prove(runs [][]int, proofs *proofs) {
	rules := 0
	for _, list := range runs {
		for _, i := range list {
			rules += r.runs[i].rulesEnd - r.runs[i].rules
		}
	}
	if r.idle = map[int]proof{}; rules > maxProofRules {
		return
	}
	last := 0
	if len(r.rules) > 0 {
		last = r.rules[len(r.rules)-1].Line
	}
	idle, groups := make([]int32, last+1), make([]int32, last+1) // by line: groups in which it is idle, and that it belongs to
	r.byRun = map[int][]*prover{}
	for _, list := range runs {
		p := newProver(r.groupOf(list), r.work)
		for _, i := range list {
			r.byRun[i] = append(r.byRun[i], p)
		}
		for i := range p.Rules {
			groups[p.Rules[i].Line]++
		}
		for _, found := range proofs.of(p) {
			line := found.line
			if first, again := r.idle[line]; !again {
				r.idle[line] = found.proof
			} else if first != found.proof {
				continue // another rule makes it idle here: too much for one sentence
			}
			idle[line]++
		}
		if r.work = p.work; r.work < 0 {
			r.idle, r.byRun = nil, nil
			return
		}
	}
	for line := range r.idle {
		if idle[line] != groups[line] {
			delete(r.idle, line)
		}
	}
}

// maxNameComparisons bounds the comparisons of names with user-agent lines, for the
// profile to which a name may stand anywhere in a line.
const maxNameComparisons = 250_000

// obeyedRuns are the runs of each group that some crawler obeys: one that is named
// as a user-agent line says, one that none names, or one of the list. nil = there
// are too many to tell.
func (r *Robots) obeyedRuns(listed []Crawler) [][]int {
	var list [][]int
	seen := map[string]bool{}
	var key []byte
	add := func(runs []int) {
		if key = appendRunsKey(key[:0], runs); len(runs) > 0 && !seen[string(key)] {
			seen[string(key)] = true
			list = append(list, runs)
		}
	}
	if r.Profile.FirstGroup { // whoever it is for: a group is one run
		for i := range r.runs {
			add([]int{i})
		}
		return list
	}
	runs := map[string][]int{} // by what names a crawler
	var order []string
	for i, run := range r.runs {
		for _, agent := range r.agents[run.agents:run.agentsEnd] {
			for _, name := range r.Profile.namesIn(agent.value) {
				known := runs[name]
				if known == nil {
					order = append(order, name)
				}
				if len(known) == 0 || known[len(known)-1] != i {
					runs[name] = append(known, i)
				}
			}
		}
	}
	if r.Profile.Agents == AgentWithin {
		if runs = r.runsWithin(runs, order, listed); runs == nil {
			return nil
		}
		order = order[:0]
		for name := range runs {
			order = append(order, name)
		}
		slices.Sort(order)
	}
	for _, name := range order {
		add(runs[name])
	}
	for i := range listed {
		if c := &listed[i]; r.Profile.Unite && len(c.Tokens) > 1 || r.Profile.Agents == AgentToken && c.Agent != "" && productToken(c.Agent) != c.Tokens[0] {
			named := 0
			for _, name := range append([]string{c.Agent}, c.Tokens...) {
				if runs[strings.ToLower(name)] != nil {
					named++
				}
			}
			if named > 1 {
				_, own, _ := r.choose(c)
				add(own)
			}
		}
	}
	return list
}

// namesIn are the names by which the value of a user-agent line may be looked up:
// crawlers that a value names by the same name obey the same groups.
func (p *Profile) namesIn(value string) []string {
	if p.isGlobal(value) && p.Agents != AgentWithin {
		return []string{"*"}
	}
	switch p.Agents {
	case AgentPrefix, AgentWithin:
		return []string{strings.ToLower(value)}
	case AgentCased:
		return []string{productToken(value)}
	case AgentToken: // the crawler's full name counts as well
		if whole, token := strings.ToLower(value), strings.ToLower(productToken(value)); whole != token {
			return []string{token, whole}
		}
	}
	return []string{strings.ToLower(productToken(value))}
}

// runsWithin are the runs of each crawler that some user-agent line names, where a
// name may stand anywhere in it; runs are those of each value, in lower case.
func (r *Robots) runsWithin(runs map[string][]int, values []string, listed []Crawler) map[string][]int {
	names := map[string]bool{"*": true}
	for _, value := range values {
		names[value], names[productToken(value)] = true, true
	}
	for _, c := range listed {
		for _, token := range c.Tokens {
			names[strings.ToLower(token)] = true
		}
	}
	if len(names)*len(values) > maxNameComparisons {
		return nil
	}
	within := map[string][]int{}
	for name := range names {
		for _, value := range values {
			if name == "*" && r.Profile.isGlobal(value) || name != "" && value != "*" && r.Profile.names(value, name) {
				within[name] = append(within[name], runs[value]...)
			}
		}
		slices.Sort(within[name])
		within[name] = slices.Compact(within[name])
	}
	return within
}

// prover proves what rules of one group decide.
type prover struct {
	*Group
	rs     *match.Set
	allows []int32 // of ranked, in order
	denies []int32
	covers sampler
	work   int // what the comparisons may still cost
}

// newProver makes the prover of a group; work is the cost that is allowed.
func newProver(g *Group, work int) *prover {
	g.rank()
	p := &prover{Group: g, work: work}
	allows := 0
	for i := range g.ranked {
		if g.ranked[i].allow {
			allows++
		}
	}
	ranks := make([]int32, len(g.ranked))
	p.allows, p.denies = ranks[:0:allows], ranks[allows:allows]
	for i := range g.ranked {
		if g.ranked[i].allow {
			p.allows = append(p.allows, int32(i))
		} else {
			p.denies = append(p.denies, int32(i))
		}
	}
	return p
}

// proveIdleRules returns the rules that are idle in the group. It takes what
// it costs from p.work; less than 0: it gave up.
func (p *prover) proveIdleRules() (idle []idleRule) {
	g := p.Group
	patterns, wild := make([]int, len(g.Rules)), false // patterns of each rule
	for i := range g.ranked {
		patterns[g.ranked[i].rule]++
		wild = wild || g.ranked[i].wild
	}
	if wild && g.profile.WildcardConflict && len(p.allows) > 0 && len(p.denies) > 0 {
		return nil // a beaten allow still makes the outcome undefined
	}
	other := unused(g.ranked)
	if other == 0 {
		return nil
	}
	if len(g.ranked) > fewPatterns {
		p.compile()
	}
	var written sampler
	for i := range g.ranked {
		r := &g.ranked[i]
		rule := &g.Rules[r.rule]
		if patterns[r.rule] != 1 || rule.Value == "" {
			continue // an index page with its directory, or a rule that RUL003 speaks of
		}
		first, second := written.samples(r.Pattern, other)
		if proof, ok := p.proveIdle(int32(i), first, second); ok {
			idle = append(idle, idleRule{rule.Line, proof})
		}
		if p.work < 0 {
			break
		}
	}
	p.rs = nil
	return idle
}

// fewPatterns is the number of patterns of a group up to which each is tried on the
// path of each other: to compile them takes longer.
const fewPatterns = 96

func (p *prover) compile() {
	list, owners := make([]match.Pattern, len(p.ranked)), make([]int32, len(p.ranked))
	for i := range p.ranked {
		list[i], owners[i] = p.ranked[i].Pattern, p.ranked[i].rule
	}
	p.rs = match.Compile(list, owners)
}

// bestTwo returns the strongest pattern that matches a path and the strongest one of
// another rule, -1 = none.
func (p *prover) bestTwo(path string) (best, second int32) {
	if p.rs != nil {
		best, second, work := p.rs.BestTwoCost(path)
		p.work -= work
		return best, second
	}
	p.work -= len(p.ranked) * (1 + len(path)/8)
	best = -1
	for i := range p.ranked {
		switch r := &p.ranked[i]; {
		case best >= 0 && r.rule == p.ranked[best].rule || !r.Match(path):
		case best < 0:
			best = int32(i)
		default:
			return best, int32(i)
		}
	}
	return best, -1
}

// proveIdle tries to prove that pattern i never decides, or that every verdict
// would be the same without it. The latter holds if a weaker rule gives the same
// verdict on all its paths and no rule of the other verdict ranks between the two.
// sample and further are paths that stand for all that it matches, "" = none.
func (p *prover) proveIdle(i int32, sample, further string) (proof, bool) {
	if sample == "" {
		return proof{}, false
	}
	r := &p.ranked[i]
	best, second := p.bestTwo(sample)
	by := best
	if best == i {
		by = second
	}
	if by < 0 || p.Rules[p.ranked[by].rule].Value == "" {
		return proof{}, false
	}
	o := &p.ranked[by]
	if o.Ambiguous || further != "" && !o.Match(further) {
		return proof{}, false
	}
	found := proof{id: "RUL005", other: p.Rules[o.rule].Line}
	same, equal := o.allow == r.allow, p.covers.within(o.Pattern, r.Pattern)
	switch {
	case by < i && same:
	case by < i && equal && o.octets == r.octets:
		found.id = "RUL006"
	case by < i:
		found.id = "RUL009"
	case equal || !same || p.decidesBetween(i, by): // of equal ones the weaker is idle
		return proof{}, false
	}
	return found, true
}

// decidesBetween reports whether a rule of the other verdict, weaker than i and
// stronger than j, may share a path with i: without i it would decide there.
func (p *prover) decidesBetween(i, j int32) bool {
	others := p.allows
	if p.ranked[i].allow {
		others = p.denies
	}
	from, _ := slices.BinarySearch(others, i)
	to, _ := slices.BinarySearch(others, j)
	if to-from > maxBetween {
		return true // too many to be sure
	}
	for _, k := range others[from:to] {
		p.work -= meetWork(p.ranked[i].Pattern, p.ranked[k].Pattern)
		if mayMeet(p.ranked[i].Pattern, p.ranked[k].Pattern) {
			return true
		}
	}
	return false
}

// mayMeet reports whether two patterns may match a common path. false is certain,
// true is not.
func mayMeet(a, b match.Pattern) bool {
	if a.Literal || b.Literal {
		return true
	}
	if apart(a, b) {
		return false
	}
	if a.Ambiguous || b.Ambiguous {
		return true
	}
	if (len(a.Text)+2)*(len(b.Text)+2) > maxMeet {
		return true
	}
	if _, meets := meet(a, b); meets {
		return true
	}
	return a.Text == "" || b.Text == "" || a.Text[0] != '/' || b.Text[0] != '/'
}

// meetWork is the cost of mayMeet: the size of the table of meet if that is needed,
// else 1.
func meetWork(a, b match.Pattern) int {
	size := (len(a.Text) + 2) * (len(b.Text) + 2)
	if a.Literal || b.Literal || size > maxMeet || apart(a, b) {
		return 1
	}
	return size
}

// apart reports whether two patterns begin with different texts.
func apart(a, b match.Pattern) bool {
	x, y := prefix(a), prefix(b)
	return !strings.HasPrefix(x, y) && !strings.HasPrefix(y, x)
}

// prefix is the text before the first wildcard.
func prefix(p match.Pattern) string {
	before, _, _ := strings.Cut(p.Text, "*")
	return before
}
