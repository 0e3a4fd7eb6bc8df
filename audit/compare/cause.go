package compare

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// cause finds the cause of a different verdict of crawler i on a URL. See the package comment for
// the causes and their order.
func (c *comparison) cause(i int, p pair, is engine.Decision) Cause {
	old, new := p.old.origin, p.new.origin
	if !c.site.Crawlers[i].SameReader() && c.byReader(i, p, is.Verdict) {
		return Reader
	}
	j := c.judgesOf(old, new)
	if j.causes == nil {
		scope := c.scopeDiffers(old.record, new.record)
		for i := range c.site.Crawlers {
			j.causes = append(j.causes, c.answersCause(i, scope, old, new))
		}
	}
	if cause := j.causes[i]; cause > Access && c.bySize(i, p) {
		return Access
	}
	return j.causes[i]
}

// answersCause is the cause of a flip as far as it follows from two answers, for any URL.
func (c *comparison) answersCause(i int, scope bool, old, new *governed) Cause {
	if scope {
		return Scope
	}
	if c.accessDiffers(i, old, new) {
		return Access
	}
	was, wasKnown := c.old.obeyed(i, old)
	now, nowKnown := c.new.obeyed(i, new)
	if wasKnown && nowKnown && was != now {
		return Group
	}
	return Rule
}

// byReader reports whether the new side's crawler would give its verdict on the old side's answer
// as well. If that answer was not recorded, the file must be the same.
func (c *comparison) byReader(i int, p pair, is engine.Verdict) bool {
	old, new, r := p.old.origin, p.new.origin, c.new.readers[i]
	if old.recorded {
		was, now := &old.record.File, &new.record.File
		return was.SHA256 != "" && was.SHA256 == now.SHA256 && was.Status == now.Status
	}
	if old.others == nil {
		old.others = make([]*engine.Group, len(c.new.readers))
	}
	if old.others[i] == nil {
		old.others[i] = c.old.answers.Read(old.record.Index, r.profile, r.robot).Group(r.robot)
	}
	return old.others[i].Verdict(p.old.loc).Verdict == is
}

// scopeDiffers reports whether redirects lead to the robots.txt of another origin than before. It
// does not count if one chain failed on the way of the other, because its target is unknown. It
// also does not count if both origins serve the same file.
func (c *comparison) scopeDiffers(old, new *audit.Robots) bool {
	was, is := originsOf(old), originsOf(new)
	if len(was) == 0 || len(is) == 0 {
		return false
	}
	from, to := was[len(was)-1], is[len(is)-1]
	switch {
	case from == to,
		old.File.Code != "" && len(was) < len(is) && slices.Equal(was, is[:len(was)]),
		new.File.Code != "" && len(is) < len(was) && slices.Equal(is, was[:len(is)]),
		c.new.serves(from, new), c.old.serves(to, old):
		return false
	}
	return true
}

// serves reports whether an origin serves the same file as a record, without a redirect to another
// origin.
func (s *side) serves(origin string, r *audit.Robots) bool {
	g := s.originNamed(origin)
	if g == nil || r.File.SHA256 == "" || g.record.File.SHA256 != r.File.SHA256 || g.record.File.Code != r.File.Code {
		return false
	}
	asked := originsOf(g.record)
	return len(asked) > 0 && asked[len(asked)-1] == origin
}

// originsOf returns the origins requested for a robots.txt, in order.
func originsOf(r *audit.Robots) (list []string) {
	for _, hop := range r.File.Hops {
		list = append(list, originOf(hop.URL))
	}
	if list == nil && r.Origin != "" {
		list = append(list, originOf(r.Origin))
	}
	return slices.Compact(list)
}

// originOf returns the scheme and host of a URL.
func originOf(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return strings.ToLower(scheme + "://" + rest)
}

// accessDiffers reports whether the answer as a whole differs for a crawler.
func (c *comparison) accessDiffers(i int, old, new *governed) bool {
	was, wasKnown := c.old.access(i, old)
	is, isKnown := c.new.access(i, new)
	if wasKnown && isKnown && was != is {
		return true
	}
	a, b := &old.record.File, &new.record.File
	if old.kind != new.kind || a.Code != b.Code || a.Truncated != b.Truncated {
		return true
	}
	return (a.Status/100 == 2) != (b.Status/100 == 2)
}

// access returns what an answer means to crawler i; false = not recorded.
func (s *judged) access(i int, g *governed) (engine.Access, bool) {
	if !g.recorded {
		return g.readings[i].Access, true
	}
	if column := s.readers[i].column; column < len(g.record.Reads) {
		return g.record.Reads[column].Access, true
	}
	return engine.AccessUnknown, false
}

// reads reports whether the rules of an answer apply to crawler i.
func (s *judged) reads(i int, g *governed) bool {
	access, _ := s.access(i, g)
	return access == engine.Parsed
}

// bySize reports whether the verdicts would be equal if crawler i read both files to the end. Then
// some rules are beyond its size limit.
func (c *comparison) bySize(i int, p pair) bool {
	old, new := p.old.origin, p.new.origin
	if old.recorded || new.recorded || old.readings[i].Unread == 0 && new.readings[i].Unread == 0 {
		return false
	}
	return c.old.whole(i, old).Verdict(p.old.loc).Verdict == c.new.whole(i, new).Verdict(p.new.loc).Verdict
}

// whole returns the group that crawler i would obey if it read the whole file.
func (s *judged) whole(i int, g *governed) *engine.Group {
	if g.wholes == nil {
		g.wholes = make([]*engine.Group, len(s.readers))
	}
	if g.wholes[i] == nil {
		r := s.readers[i]
		profile := *r.profile
		profile.Limit, profile.OverLimit = -1, engine.AccessUnknown
		g.wholes[i] = profile.Read(s.answers.File(g.record.Index, r.profile, r.robot)).Group(r.robot)
	}
	return g.wholes[i]
}

// obeyed returns why crawler i obeys its group; false = not recorded. The place of the group, its
// other tokens and its rules do not matter.
func (s *judged) obeyed(i int, g *governed) (obeyed, bool) {
	r := s.readers[i]
	if !g.recorded {
		group := g.groups[i]
		return obeyed{group.Reason, tokenOf(r.robot, group.Reason, group.Tokens)}, true
	}
	if r.column >= len(g.record.Reads) {
		return obeyed{}, false
	}
	read := &g.record.Reads[r.column]
	values := strings.Split(read.GroupTokens, ",")
	for i, value := range values {
		values[i] = strings.TrimSpace(value)
	}
	return obeyed{read.GroupReason, tokenOf(r.robot, read.GroupReason, values)}, true
}

// obeyed is the reason why a crawler obeys a group.
type obeyed struct {
	reason engine.GroupReason
	token  string // the token by which the group names the crawler, if it has several
}

// tokenOf finds the token by which a group names a crawler among its user-agent values.
func tokenOf(robot engine.Crawler, reason engine.GroupReason, values []string) (found string) {
	if reason != engine.Fallback {
		return ""
	}
	for _, token := range robot.Tokens[min(1, len(robot.Tokens)):] {
		for _, value := range values {
			if len(value) >= len(token) && strings.EqualFold(value[:len(token)], token) && len(token) > len(found) {
				found = strings.ToLower(token)
			}
		}
	}
	return found
}

// cutRule cuts a recorded rule, "disallow: /a", into field and value.
func cutRule(rule string) (field, value string, ok bool) {
	field, value, ok = strings.Cut(rule, ":")
	return field, strings.TrimPrefix(value, " "), ok
}
