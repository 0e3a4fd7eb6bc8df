package engine

import (
	"slices"
	"sort"
	"strings"
)

// This file tells which crawlers read a line. A standard may be followed by a crawler of any name, so its
// readers read every line. Google, Yandex and Bing have the crawlers of the list, and no other one reads by
// their profiles: a line in the group of Bingbot alone says nothing to those of Google.

// obedience tells which runs of a file the crawlers of an operator obey, as a profile reads it.
type obedience struct {
	obeyed []bool  // by run: a crawler obeys it
	named  []bool  // by run: one that an operator is known by obeys it, or the run is for one by name
	all    [][]int // the runs of each group that a crawler obeys
	free   bool    // a crawler that the operator is known by has no group of its own
	any    bool    // crawlers of any name may read by the profile

	meant map[*lintGroup]bool // whether a group names one of the crawlers; for those that were asked about
}

// isKnownBy reports whether people think of a crawler when they speak of its operator: it gathers pages for
// search, or was asked for. What few know of, such as GoogleOther, is not what "google" in a finding means.
func (l *linter) isKnownBy(c *Crawler) bool {
	return c.Purpose == "" || strings.Contains(" "+c.Purpose, " search") || l.asked && slices.ContainsFunc(l.Crawlers, func(o Crawler) bool { return o.Name == c.Name })
}

// crawlersOf are the crawlers that read by a profile; nil = it is a standard.
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

// operatorOf is the operator that the name of a profile begins with: "google" for google-2019.
func operatorOf(profile string) string {
	operator, _, _ := strings.Cut(profile, "-")
	return operator
}

// obedienceTo is how the crawlers of a profile obey the file; nil = crawlers of any name may.
func (l *linter) obedienceTo(p *Profile) *obedience {
	if o, known := l.obediences[p]; known {
		return o
	}
	var o *obedience
	if r, list := l.reading(p), l.crawlersOf(p); list != nil && r.Access == Parsed {
		o = &obedience{obeyed: make([]bool, len(r.runs)), named: make([]bool, len(r.runs)), meant: map[*lintGroup]bool{}}
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

// addStrangers has crawlers that the list does not know obey their groups, by a profile of an operator, where
// no standard is chosen: the file is then asked about as if they read by that one.
func (l *linter) addStrangers(r *Robots, o *obedience) {
	if slices.ContainsFunc(l.Profiles, func(p *Profile) bool { return l.crawlersOf(p) == nil }) {
		return
	}
	for i, run := range r.runs {
		for _, agent := range r.agents[run.agents:run.agentsEnd] {
			if !r.Profile.isGlobal(agent.value) && l.isStranger(agent.value) {
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

// reads reports whether a line says something to the crawlers of a profile: they obey the group that the
// line is in, or is meant to be in.
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
			return false // as it is meant
		}
	}
	return o.free && n.group.forAll || l.isMeant(p, n.group)
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

// readsRuns reports whether one of some runs says something to the crawlers of a profile.
func (l *linter) readsRuns(p *Profile, runs []int) bool {
	o := l.obedienceTo(p)
	return o == nil || slices.ContainsFunc(runs, func(i int) bool { return o.named[i] })
}

// inGroup reports whether a line belongs to the group that it is in. Sitemap, Host and Clean-param lines, and
// those of fields that no one knows, belong to none.
func (n *lintLine) inGroup() bool {
	return n.group != nil && (n.kind.isRule() || n.kind == lineAgent || n.kind == lineDelay)
}

// aboutOthers are the findings of lines in groups that are not about those who obey the group: some about
// the file, some about crawlers that do not, and some about what a line is to become.
var aboutOthers = map[string]bool{
	"FMT004": true, "FMT006": true, "DIR010": true, "GRP006": true, "GRP007": true, "GRP008": true, "GRP009": true, "GRP010": true, "GRP013": true, "RUL025": true, "AI001": true,
}

// isAboutOthers reports whether a finding of a line in a group is not only for those who obey the group.
func isAboutOthers(id string, n *lintLine) bool {
	return aboutOthers[id] || n.kind == lineAgent && strings.HasPrefix(id, "FMT")
}

// readersOf are the chosen profiles whose crawlers read a line. It is never nil.
func (l *linter) readersOf(n *lintLine) []*Profile {
	return l.profilesWhere(func(p *Profile) bool { return l.reads(p, n) })
}

// meantBy are the chosen profiles of whose crawlers one is named in the group that a line is in, although such
// a line belongs to none. It is never nil.
func (l *linter) meantBy(n *lintLine) []*Profile {
	return l.profilesWhere(func(p *Profile) bool {
		return n.group == nil || n.group.forAll || l.isMeant(p, n.group)
	})
}

// profilesOf are the chosen profiles by which a crawler of a product token reads. It is never nil.
func (l *linter) profilesOf(token string) []*Profile {
	return l.profilesWhere(func(p *Profile) bool { return l.isNamed(p, token) })
}

// isNamed reports whether the value of a user-agent line, which is not "*", names a crawler of a profile.
func (l *linter) isNamed(p *Profile, value string) bool {
	o := l.obedienceTo(p)
	return o == nil || o.any && l.isStranger(value) || slices.ContainsFunc(l.crawlersOf(p), func(c Crawler) bool { return p.agentRank(value, &c) > 0 })
}
