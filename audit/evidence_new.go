package audit

import (
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// newEvidence lints a robots.txt and prepares for the URLs of its origin.
// readings are what the crawlers' profiles make of the file.
func (s *site) newEvidence(o *origin, file crawl.RobotsFile, readings []*engine.Robots, rules []RuleLine) *evidence {
	e := &evidence{crawlers: s.auditor.Crawlers, reading: readings[0], groups: o.groups, hits: map[hit]*touched{}}
	options := engine.LintOptions{URL: o.name + "/robots.txt"}
	if n := len(file.Hops); n > 0 {
		options.Cache = file.Hops[n-1].Header.Get("Cache-Control")
	}
	seen := map[*engine.Profile]bool{}
	var robots []engine.Crawler
	for _, c := range e.crawlers {
		robots = append(robots, c.robot)
		if !seen[c.profile] {
			seen[c.profile] = true
			options.Profiles = append(options.Profiles, c.profile)
		}
		e.seeking = append(e.seeking, seeking(c))
	}
	e.lint = s.answers.Lint(o.index, robots, options)
	e.indexRules(o, rules)
	e.findTwins(o)
	e.findOwns(o, readings)
	e.findUpper()
	for i, c := range e.crawlers {
		if strings.HasPrefix(c.Profile, "yandex") && readings[i].Access == engine.Parsed {
			e.cleaners = append(e.cleaners, cleaner{i, readings[i], len(readings[i].CleanParams()) > 0})
			break
		}
	}
	return e
}

// seeking reports whether a crawler is there to have a site's pages found. To
// keep out those that gather for AI, or to set a token that controls the use
// of pages, is a policy that many sites choose.
func seeking(c Crawler) bool {
	return !strings.HasPrefix(c.Purpose, "AI ") && c.Purpose != "control token" && c.Purpose != "user fetch"
}

// indexRules makes room for what each rule does.
func (e *evidence) indexRules(o *origin, rules []RuleLine) {
	if len(rules) == 0 {
		return
	}
	e.index = make([]int32, rules[len(rules)-1].Line+1)
	tested := 0 // lines of rules that one of the crawlers obeys
	for _, g := range o.groups {
		for _, r := range g.Rules {
			if e.index[r.Line] == 0 {
				e.index[r.Line] = 1
				tested++
			}
		}
	}
	e.rules = make([]ruleEvidence, 0, tested)
	for _, r := range rules {
		if e.index[r.Line] != 0 {
			e.rules = append(e.rules, ruleEvidence{line: int32(r.Line), prefix: slashless(r.Rule)})
			e.index[r.Line] = int32(len(e.rules))
		}
	}
}

// findTwins finds crawlers that should come to the same verdicts: one name
// read by several profiles, and crawlers that obey one and the same group.
func (e *evidence) findTwins(o *origin) {
	for i := range e.crawlers {
		twin := -1
		for j := range i {
			a, b := o.reads[j], o.reads[i]
			parsed := a.Access == engine.Parsed && b.Access == a.Access
			if e.crawlers[i].Name == e.crawlers[j].Name || parsed && a.GroupLine > 0 && a.GroupLine == b.GroupLine {
				twin = j
				break
			}
		}
		if twin >= 0 && o.matrix.Same(i) == o.matrix.Same(twin) {
			twin = -1 // they are tested as one
		}
		e.twins = append(e.twins, twin)
	}
}

// findOwns finds the crawlers whose own group hides rules of "*", and has the
// URLs tested for "*" too.
func (e *evidence) findOwns(o *origin, readings []*engine.Robots) {
	hiding := map[int]bool{}
	for _, f := range e.lint {
		if f.ID == "GRP005" {
			hiding[f.Line] = true
		}
	}
	groups := o.groups
	for i, g := range o.groups {
		if !hiding[g.Line] || g.Reason != engine.Exact && g.Reason != engine.Fallback {
			continue
		}
		hiding[g.Line] = false // once for each group
		e.owns = append(e.owns, ownGroup{crawler: i, star: len(groups), line: int32(g.Line)})
		groups = append(groups[:len(groups):len(groups)], readings[i].Group(engine.Crawler{}))
	}
	if len(e.owns) > 0 {
		o.matrix = engine.NewMatrix(groups...)
	}
}

// findUpper finds out whether case may matter to URLs in lower case, too.
func (e *evidence) findUpper() {
	for _, g := range e.groups {
		e.upper = e.upper || len(g.Rules) <= maxVariant && slices.ContainsFunc(g.Rules, func(r engine.Rule) bool { return hasUpper(r.Value) })
	}
}

// variants writes the rules of each group otherwise, see vary. It is asked for
// when a URL comes for which that makes a difference: on many sites none does.
func (e *evidence) variants(change func(engine.Rule) string) []variant {
	list := []variant{}
	done := map[int]bool{}
	for i, g := range e.groups {
		if len(g.Rules) == 0 || done[g.Line] {
			continue
		}
		done[g.Line] = true
		if v := vary(i, e.crawlers[i].profile, g.Rules, change); v.group != nil {
			list = append(list, v)
		}
	}
	return list
}
