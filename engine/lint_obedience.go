package engine

import (
	"slices"
	"sort"
	"strings"
)

// obedience says which runs of a file the crawlers of an operator obey, as a profile reads it. A
// crawler of any name may follow a standard, so its readers read every line. Only crawlers of the
// list read by the profiles of Google, Yandex and Bing. A line in a group for Bingbot alone does
// not concern Google.
type obedience struct {
	obeyed  []bool  // by run: a crawler obeys it
	named   []bool  // by run: a crawler that isKnownBy accepts obeys it, or the run names one
	all     [][]int // the runs of each group that a crawler obeys
	free    bool    // a crawler that isKnownBy accepts has no group of its own
	strange []bool  // by run: only crawlers that the list does not know obey it
	any     bool    // crawlers of any name may read by the profile

	meant map[*lintGroup]bool // whether a group names one of the crawlers, as far as asked
}

// isKnownBy reports whether "google" in a finding makes people think of a crawler: it reads pages for
// search, or the user named it. Few people know GoogleOther.
func (l *linter) isKnownBy(c *Crawler) bool {
	return c.Purpose == "" || strings.Contains(" "+c.Purpose, " search") || l.asked && slices.ContainsFunc(l.Crawlers, func(o Crawler) bool { return o.Name == c.Name })
}

// crawlersOf are the crawlers that read by a profile; nil = the profile is a standard.
func (l *linter) crawlersOf(p *Profile) []Crawler {
	family := p.family()
	list := l.listed.operators[family]
	if list != nil && l.asked {
		for _, c := range l.Crawlers {
			if operatorOf(c.Profile) == family && !slices.ContainsFunc(list, func(o Crawler) bool { return o.Name == c.Name }) {
				list = append(slices.Clip(list), c)
			}
		}
	}
	return list
}

// standard is the profile of crawlers that are not those of the chosen profiles.
var standard, _ = ProfileByName("rfc9309")

// hasStandard reports whether crawlers of any name may read by one of the chosen profiles.
func (l *linter) hasStandard() bool {
	return slices.ContainsFunc(l.Profiles, func(p *Profile) bool { return l.crawlersOf(p) == nil })
}

// operatorOf is the operator that the name of a profile begins with: "google" for google-2019.
func operatorOf(profile string) string {
	operator, _, _ := strings.Cut(profile, "-")
	return operator
}

// obedienceTo is how the crawlers of a profile obey the file; nil = crawlers of any name may.
func (l *linter) obedienceTo(p *Profile) *obedience {
	if o, known := l.obediences[p]; known || l.anyone {
		return o
	}
	var o *obedience
	if r, list := l.reading(p), l.crawlersOf(p); list != nil && r.Access == Parsed {
		o = &obedience{obeyed: make([]bool, len(r.runs)), named: make([]bool, len(r.runs)), strange: make([]bool, len(r.runs)), meant: map[*lintGroup]bool{}}
		seen := map[string]bool{}
		for i := range list {
			reason, runs, _ := r.choose(&list[i])
			known := l.isKnownBy(&list[i])
			o.free = o.free || known && (reason == Global || reason == None)
			for _, run := range runs {
				o.obeyed[run] = true
				o.named[run] = o.named[run] || known || reason != Global
			}
			if key := string(appendRunsKey(nil, runs)); len(runs) > 0 && !seen[key] {
				seen[key] = true
				o.all = append(o.all, runs)
			}
		}
		l.addStrangers(r, o)
	}
	if l.obediences == nil {
		l.obediences = map[*Profile]*obedience{}
	}
	l.obediences[p] = o
	return o
}

// addStrangers marks the groups of crawlers that are not in the list as obeyed, if no standard is
// chosen: the user then asks as if these crawlers read by the operator's profile.
func (l *linter) addStrangers(r *Robots, o *obedience) {
	if l.hasStandard() {
		return
	}
	for i, run := range r.runs {
		for _, agent := range r.agents[run.agents:run.agentsEnd] {
			if !r.Profile.isGlobal(agent.value) && l.isStranger(agent.value) {
				o.strange[i] = o.strange[i] || !o.named[i]
				o.named[i], o.any = true, true
			}
		}
	}
}

// isStranger reports whether the value of a user-agent line is the token of no crawler of the list.
func (l *linter) isStranger(value string) bool {
	return l.listed.tokens[groupToken(value)] == "" && l.listed.tokens[strings.ToLower(value)] == ""
}

// runOpenAt is the number of the run that is open at a line, or that a user-agent line belongs to; -1 = none.
func (r *Robots) runOpenAt(line int) int {
	return sort.Search(len(r.runs), func(i int) bool { return r.agents[r.runs[i].agents].line > line }) - 1
}

// reads reports whether a line concerns the crawlers of a profile: they obey the group of the line,
// or the group that its author intended.
func (l *linter) reads(p *Profile, n *lintLine) bool {
	o := l.obedienceTo(p)
	if o == nil || n.group == nil {
		return true
	}
	r := l.reading(p)
	i := r.runOpenAt(n.number)
	if i >= 0 && o.named[i] {
		return true
	}
	if i >= 0 {
		agents := r.agents[r.runs[i].agents:r.runs[i].agentsEnd]
		if len(agents) == len(n.group.agents) && agents[0].line == n.group.agents[0].number {
			return false // the group is as its author intended
		}
	}
	return o.free && n.group.forAll || l.isMeant(p, n.group)
}

// profilesAt are the profiles for which a line may have a finding: the chosen ones, and RFC 9309 if none
// of their crawlers obeys the group of the line. Other crawlers may.
func (l *linter) profilesAt(n *lintLine) []*Profile {
	if n == nil || !n.inGroup() || l.hasStandard() || slices.ContainsFunc(l.Profiles, func(p *Profile) bool { return l.reads(p, n) }) {
		return l.Profiles
	}
	return append(slices.Clip(l.Profiles), standard)
}

// isStrange reports whether only crawlers that the list does not know obey the group of a line. Nothing
// is known of what else they read: a finding about one operator's parser is not for them.
func (l *linter) isStrange(p *Profile, n *lintLine) bool {
	o := l.obedienceTo(p)
	if o == nil {
		return false
	}
	i := l.reading(p).runOpenAt(n.number)
	return i >= 0 && o.strange[i]
}

// isMeant reports whether a group names a crawler of a profile.
func (l *linter) isMeant(p *Profile, g *lintGroup) bool {
	o := l.obedienceTo(p)
	if o == nil {
		return true
	}
	meant, known := o.meant[g]
	if !known {
		meant = slices.ContainsFunc(g.agents, func(a *lintLine) bool { return l.isNamed(p, a.value) })
		o.meant[g] = meant
	}
	return meant
}

// readsRuns reports whether one of the runs concerns the crawlers of a profile.
func (l *linter) readsRuns(p *Profile, runs []int) bool {
	o := l.obedienceTo(p)
	return o == nil || slices.ContainsFunc(runs, func(i int) bool { return o.named[i] })
}

// inGroup reports whether a line belongs to the group around it. Sitemap, Host and Clean-param lines
// and lines with unknown fields belong to no group.
func (n *lintLine) inGroup() bool {
	return n.group != nil && (n.kind.isRule() || n.kind == lineAgent || n.kind == lineDelay)
}

// aboutOthers are findings in groups that do not concern the crawlers of the group. They concern
// the file, other crawlers, or the future of a line.
var aboutOthers = map[string]bool{
	"FMT004": true, "FMT006": true, "DIR010": true, "GRP006": true, "GRP007": true, "GRP008": true, "GRP009": true, "GRP010": true, "GRP013": true, "RUL025": true, "AI001": true,
}

// isAboutOthers reports whether a finding in a group also concerns crawlers of other groups.
func isAboutOthers(id string, n *lintLine) bool {
	return aboutOthers[id] || n != nil && n.kind == lineAgent && strings.HasPrefix(id, "FMT")
}

// readersOf are the chosen profiles whose crawlers read a line. It is never nil.
func (l *linter) readersOf(n *lintLine) []*Profile {
	return l.profilesWhere(func(p *Profile) bool { return l.reads(p, n) })
}

// meantBy are the chosen profiles with a crawler that is named in the group around a line. The line
// itself belongs to no group. It is never nil.
func (l *linter) meantBy(n *lintLine) []*Profile {
	return l.profilesWhere(func(p *Profile) bool {
		return n.group == nil || n.group.forAll || l.isMeant(p, n.group)
	})
}

// profilesOf are the chosen profiles of the crawlers with a product token; nil = it is that of another
// crawler, and no standard is chosen.
func (l *linter) profilesOf(token string) []*Profile {
	list := l.profilesWhere(func(p *Profile) bool { return l.isNamed(p, token) })
	if len(list) == 0 && !l.hasStandard() {
		return nil
	}
	return list
}

// isNamed reports whether the value of a user-agent line, which is not "*", names a crawler of a profile.
func (l *linter) isNamed(p *Profile, value string) bool {
	o := l.obedienceTo(p)
	return o == nil || o.any && l.isStranger(value) || slices.ContainsFunc(l.crawlersOf(p), func(c Crawler) bool { return p.agentRank(value, &c) > 0 })
}
