package engine

import "strings"

// Exception returns the path of an allow rule for a URL alone, such as "/a?b$": added to the
// group, it allows the URL. "" = it would not, or that is not known.
func (g *Group) Exception(url string) string {
	path, slash := pathOf(url)
	rule := Rule{Allow: true, Value: path + "$"}
	if slash || strings.ContainsAny(path, "*$`") || strings.ContainsFunc(path, func(c rune) bool { return c <= ' ' }) || !g.wouldWin(rule, url) {
		return ""
	}
	return rule.Value
}

// wouldWin reports whether a rule that is added to the group decides about a URL.
func (g *Group) wouldWin(rule Rule, url string) bool {
	list := g.profile.appendRanked(nil, 0, &rule)
	if g.access != Parsed || g.profile.FirstMatch || g.profile.WildcardConflict || len(list) == 0 {
		return false
	}
	g.rank()
	path, _ := g.profile.Encoding.path(url, nil)
	x, best := &list[0], g.best(path)
	return x.Match(path) && (best < 0 || x.octets > g.ranked[best].octets || x.octets == g.ranked[best].octets && x.allow)
}
