package compare

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// cause finds what made the verdict of crawler i on a URL differ: see the package comment
// for the causes and their order.
func (c *comparison) cause(i int, p pair, is engine.Decision) Cause {
	old, new := p.old, p.new
	if !c.site.Crawlers[i].SameReader() {
		then := c.old.answers.Read(old.origin.record.Index, c.new.readers[i].profile, c.new.readers[i].robot)
		if then.Group(c.new.readers[i].robot).Verdict(old.loc).Verdict == is.Verdict {
			return Reader
		}
	}
	if finalOrigin(old.origin.record) != finalOrigin(new.origin.record) {
		return Scope
	}
	if old.origin.recorded || new.origin.recorded {
		return Rule
	}
	then, now := old.origin.readings[i], new.origin.readings[i]
	if then.Access != now.Access || old.origin.kind != new.origin.kind {
		return Access
	}
	if groupKey(old.origin.groups[i]) != groupKey(new.origin.groups[i]) {
		return Group
	}
	return Rule
}

// finalOrigin is the origin of the URL from which a robots.txt came in the end.
func finalOrigin(r *audit.Robots) string {
	url := r.Origin
	if n := len(r.File.Hops); n > 0 {
		url = r.File.Hops[n-1].URL
	}
	return originOf(url)
}

// originOf is the origin of a URL.
func originOf(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return strings.ToLower(scheme + "://" + host)
}

// groupKey tells apart the groups that a crawler may obey: why it obeys this one.
func groupKey(g *engine.Group) string { return string(g.Reason) }

// cutRule cuts a recorded rule, "disallow: /a", into field and value.
func cutRule(rule string) (field, value string, ok bool) {
	field, value, ok = strings.Cut(rule, ":")
	return field, strings.TrimPrefix(value, " "), ok
}
