package engine

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// groupToken returns the key by which groups of one crawler are merged: "*", the
// product token in lower case, or the whole value if that begins with none.
func groupToken(value string) string {
	if value == "*" || len(value) > 1 && value[0] == '*' && isSpace(value[1]) {
		return "*"
	}
	if token := productToken(value); token != "" {
		return strings.ToLower(token)
	}
	return value
}

// lintGroups checks how lines make groups.
func lintGroups(l *linter) {
	lintEmptyGroups(l)
	lintRepeatedAgents(l)
	lintInterleaved(l)
}

// lintEmptyGroups looks for rules before any group and for groups without rules.
func lintEmptyGroups(l *linter) {
	stray := l.linesWhere(func(n *lintLine) bool { return n.kind.isRule() && n.group == nil })
	if first := stray.first; first != nil {
		if f := l.report("GRP001", first, first.fieldAt, first.content); f != nil {
			f.What = "a rule before the first User-agent line"
			if stray.count > 1 {
				f.What = wording.Plural(stray.count, "rule") + " before the first User-agent line"
				f.Lines = stray.numbers
			}
			f.EndColumn = first.valueAt + len(first.value) + 1
			if len(l.groups) == 0 {
				f.What += ": everything is open"
			}
			for number := first.number - 1; number > 0 && len(l.joined) > 0; number-- {
				if l.hidesAgent(number) {
					f.Fix = fmt.Sprintf("Correct line %d, which hides the User-agent line of the group.", number)
					f.Related = []int{number}
					break
				}
			}
			if l.strayAddNothing() {
				f.Severity = Info
			}
		}
	}
	ruled := map[string]bool{}
	for n := range l.agents {
		ruled[groupToken(n.value)] = ruled[groupToken(n.value)] || len(n.group.rules) > 0
	}
	for i := range l.groups {
		lintEmptyGroup(l, &l.groups[i], ruled)
	}
}

// strayAddNothing reports whether the rules before any user-agent line would change no
// verdict if they stood in the group of "*", to which they are mostly meant to belong.
func (l *linter) strayAddNothing() bool {
	return len(l.profilesWhere(func(p *Profile) bool { return !l.reader(p).strayAddNothing(l) })) == 0
}

func (r *reader) strayAddNothing(l *linter) bool {
	if r.source == fromAnswer && r.Access != Parsed {
		return true
	}
	if r.Access != Parsed || len(l.groups) > 0 && r.byRun == nil {
		return false
	}
	_, runs, _ := r.choose(&Crawler{})
	all := newProver(r.groupOf(runs), r.work)
	for i := range l.lines {
		n := &l.lines[i]
		if n.group != nil {
			return true
		}
		if n.kind.isRule() {
			if !r.adds(Rule{Allow: n.kind == lineAllow, Value: n.value, Line: n.number}, []*prover{all}) {
				return false
			}
		}
	}
	return true
}

// lintEmptyGroup reports a group without rules.
func lintEmptyGroup(l *linter, g *lintGroup, ruled map[string]bool) {
	if len(g.rules) > 0 || len(named(g.agents)) == 0 { // GRP010: the group of no one
		return
	}
	for _, agent := range g.agents {
		if ruled[groupToken(agent.value)] {
			return // another group of the same crawler has some
		}
	}
	f := l.reportValue("GRP004", g.agents[0])
	if f == nil {
		return
	}
	switch forAll := slices.ContainsFunc(g.agents, func(n *lintLine) bool { return groupToken(n.value) == "*" }); {
	case forAll:
		f.Why = "Everything is open to every crawler that has no group of its own."
		f.Fix = "Add rules. If everything should be open, add \"Disallow:\"."
	case !ruled["*"]:
		f.Why = "Everything is open to this crawler. Without the group, this would be the same: * has no rules either."
		f.Fix = "Add rules. If everything should be open to the crawler, add \"Disallow:\"."
	}
	f.What = fmt.Sprintf("the group of %s has no rules", agentNames(g.agents))
	for _, n := range g.others {
		if n.kind == lineDelay {
			f.What += ", only a Crawl-delay"
			break
		}
	}
}

// agentNames lists the values of user-agent lines, at most three of them.
func agentNames(agents []*lintLine) string {
	var list []string
	agents = named(agents)
	for i, n := range agents {
		if i == 3 {
			return strings.Join(list, ", ") + " and " + wording.Thousands(len(agents)-3) + " more"
		}
		list = append(list, escape.Prefix(n.value, 60))
	}
	return strings.Join(list, ", ")
}

// named are the user-agent lines that have a value.
func named(agents []*lintLine) []*lintLine {
	return slices.DeleteFunc(slices.Clone(agents), func(n *lintLine) bool { return n.value == "" })
}

// lintRepeatedAgents looks for crawlers with several groups.
func lintRepeatedAgents(l *linter) {
	once := findingIndex["GRP011"] // says more to whom it concerns
	merges := l.profilesWhere(func(p *Profile) bool { return !once.Concerns(p) })
	seen := map[string]*lintLine{}
	for n := range l.agents {
		token := strings.ToLower(n.value)
		if known := groupToken(n.value); known == "*" || l.listed.tokens[known] != "" {
			token = known // "googlebot/1.2" is Googlebot; "Sogou blog" need not be "Sogou spider"
		}
		first, again := seen[token]
		if !again {
			seen[token] = n
			continue
		}
		if token == "" {
			continue
		}
		profiles := l.profilesOf(n.value)
		if token == "*" {
			profiles = merges
			if f := l.reportValue("GRP011", n); f != nil {
				f.Related = []int{first.number}
				if !slices.ContainsFunc(l.Profiles, func(p *Profile) bool { return p.FirstGroup }) {
					f.Severity = Info
				}
			}
		}
		if f := l.reportValue("GRP003", n, profiles...); f != nil {
			f.What = fmt.Sprintf("%s already has a group in line %d", escape.Prefix(n.value, 60), first.number)
			f.Related = []int{first.number}
			if first.group == n.group {
				f.What = fmt.Sprintf("%s is already named in line %d", escape.Prefix(n.value, 60), first.number)
				f.Fix = "Remove the line."
				l.adviseDeletion(f, n, fmt.Sprintf("Delete line %d. The same URLs stay blocked.", n.number))
			}
		}
	}
}

// lintInterleaved looks for lines between two user-agent lines of a group, which
// make two groups of it to some readers.
func lintInterleaved(l *linter) {
	for i := range l.groups {
		agents := named(l.groups[i].agents)
		if len(l.groups[i].rules) == 0 {
			continue
		}
		for j := 1; j < len(agents); j++ {
			if a, n := agents[j-1], agents[j]; groupToken(a.value) != groupToken(n.value) && l.joined[a.number] == nil {
				lintBetween(l, agents[:j], n)
			}
		}
	}
}

// lintBetween checks the lines between the user-agent line b and the last of those
// before it in the same group.
func lintBetween(l *linter, before []*lintLine, b *lintLine) {
	a := before[len(before)-1]
	var field *lintLine
	blank, comment := 0, 0
	for i := l.lineIndex(a.number) + 1; l.lines[i].number < b.number; i++ {
		switch n := &l.lines[i]; n.kind {
		case lineBlank:
			blank = n.number
		case lineComment:
			comment = n.number
		case lineNoField:
		default:
			if field == nil {
				field = n
			}
		}
	}
	if field == nil && blank == 0 {
		if i := slices.IndexFunc(before, isForYandex); i >= 0 && comment > 0 {
			lintCommentBetween(l, before[i], b, comment)
		}
		return
	}
	f := l.reportValue("GRP012", b)
	if f == nil {
		return
	}
	what := fmt.Sprintf("line %d", blank)
	if field != nil {
		what = fmt.Sprintf("%s in line %d", canonicalName(field), field.number)
		f.Related = []int{a.number, field.number}
	} else {
		what = "the blank " + what
		f.Related = []int{a.number, blank}
	}
	f.What = fmt.Sprintf("%s does not separate %s from %s", what, escape.Prefix(a.value, 60), escape.Prefix(b.value, 60))
	f.Why = fmt.Sprintf("Crawlers join both into one group, so its rules also apply to %s.", escape.Prefix(a.value, 60))
	if slices.ContainsFunc(f.Profiles, func(name string) bool { return operatorOf(name) == "yandex" }) {
		f.Why = fmt.Sprintf("Google and RFC 9309 join both into one group, so its rules also apply to %[1]s. In Yandex's published parser the group of %[1]s is empty, so everything is open to it.", escape.Prefix(a.value, 60))
	}
}

// lintCommentBetween reports a comment that Yandex's parser reads as a blank line.
func lintCommentBetween(l *linter, a, b *lintLine, comment int) {
	f := l.reportValue("GRP012", b, l.profilesWhere(func(p *Profile) bool { return p.BlankLine == BlankSplits })...)
	if f == nil {
		return
	}
	f.Related = []int{a.number, comment}
	f.What = fmt.Sprintf("in Yandex's published parser the comment in line %d separates %s from %s", comment, escape.Prefix(a.value, 60), escape.Prefix(b.value, 60))
	f.Why = fmt.Sprintf("The parser reads the comment as a blank line, after which another group begins. The group of %s is then empty, so everything is open to it. Google and RFC 9309 join both.", escape.Prefix(a.value, 60))
}

// canonicalName is the field of a line as it is mostly written.
func canonicalName(n *lintLine) string {
	if name := canonical[n.meant]; name != "" {
		return name
	}
	return escape.Prefix(n.field, 60)
}
