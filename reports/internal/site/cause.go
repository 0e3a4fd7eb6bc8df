package site

import (
	"fmt"
	"reflect"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// difference is a point on which two profiles may differ, and so a class of causes.
type difference struct {
	class       string // as Disagreement.Cause has it
	description string
	fields      []string // of engine.Profile
}

// differences are all points of a profile on which a verdict may depend. Which of
// them makes two crawlers differ on a URL is found out by trying: the first one's
// profile with that point alone taken from the second's.
var differences = []difference{
	{"status reading", "what the HTTP status means", []string{"Statuses", "WhileUnreachable", "MaxHops", "BlockedHopOpen", "Missing5xx"}},
	{"size", "how much of the file is read", []string{"Limit", "OverLimit", "LineLimit"}},
	{"bytes", "byte order marks, NUL bytes and files that are no text", []string{"WholeBOM", "NULCuts", "TextOnly"}},
	{"misspelt fields", "misspelt fields and missing colons", []string{"Misspellings", "MissingColon"}},
	{"allow lines", "whether allow is a field at all", []string{"NoAllow"}},
	{"case of agent", "how a user-agent line names a crawler, and whether case counts", []string{"Agents"}},
	{"fallback token", "whether further product tokens count", []string{"Fallback", "Unite"}},
	{"repeated group", "whether groups that name one crawler are merged", []string{"FirstGroup"}},
	{"blank line", "whether a blank line ends a group", []string{"BlankLine", "OtherFieldSplit"}},
	{"* exempt", "whether crawlers may be exempt from the group of *", []string{"Exemptions"}},
	{"wildcards", "whether * and $ are wildcards", []string{"Literal"}},
	{"order", "whether the first rule that matches decides, or the longest", []string{"FirstMatch"}},
	{"length", "which octets of a rule count for its length", []string{"Length"}},
	{"undefined", "whether a longer disallow rule against an allow rule with a wildcard is left open", []string{"WildcardConflict"}},
	{"encoding", "how escapes are compared", []string{"Encoding"}},
	{"first octet", "whether a path may begin with *", []string{"SlashOnly"}},
	{"empty allow", "what an allow line without a path means", []string{"EmptyAllow"}},
	{"empty disallow", "what a disallow line without a path means", []string{"EmptyDisallow"}},
	{"index page", "whether an allow line for an index page allows its directory", []string{"IndexTwin"}},
	{"/robots.txt", "whether /robots.txt itself is judged", []string{"RobotsTxtJudged"}},
}

// with returns a with the point k taken from b; false = they agree on it.
func (k *difference) with(a, b *engine.Profile) (*engine.Profile, bool) {
	p := *a
	to, from := reflect.ValueOf(&p).Elem(), reflect.ValueOf(b).Elem()
	differ := false
	for _, name := range k.fields {
		if !reflect.DeepEqual(to.FieldByName(name).Interface(), from.FieldByName(name).Interface()) {
			to.FieldByName(name).Set(from.FieldByName(name))
			differ = true
		}
	}
	return &p, differ
}

// cause is why two crawlers get different verdicts on a URL.
type cause struct{ class, explanation string }

// cause finds out why crawler j gets the verdict want on a URL where crawler i gets
// another one.
func (s *Site) cause(origin, i, j int, loc string, want engine.Verdict) cause {
	robots := s.Robots(origin)
	ri, rj := Read(robots, i), Read(robots, j)
	ci, cj := &s.Crawlers[i], &s.Crawlers[j]
	if ri.Access != rj.Access {
		class := "status reading"
		if robots.File.Status >= 200 && robots.File.Status < 300 && robots.File.Code == "" {
			class = "size"
		}
		return cause{class, fmt.Sprintf("%s: %s; %s: %s", ci.Label, DescribeAccess(ri), cj.Label, DescribeAccess(rj))}
	}
	a, pi, okA := ci.Robot()
	other, pj, okB := cj.Robot()
	if !okA || !okB {
		return cause{"other reader", "the profiles differ"}
	}
	if ci.Name != cj.Name || strings.Join(ci.Tokens, ",") != strings.Join(cj.Tokens, ",") {
		if g := s.answers.Read(origin, pi, other).Group(other); g.Verdict(loc).Verdict == want {
			return ownGroup(ci.Label, cj.Label, ri.GroupTokens, ri.GroupLine, g, a, other, want)
		}
	}
	f := s.answers.File(origin, pi, a)
	for n := range differences {
		p, differ := differences[n].with(pi, pj)
		if !differ {
			continue
		}
		if s.disagreements.budget -= len(f.Body) + 1000; s.disagreements.budget < 0 {
			return cause{"other reader", "not looked into: more differences than are worth the time"}
		}
		if p.Read(f).Group(a).Verdict(loc).Verdict == want {
			return cause{differences[n].class, fmt.Sprintf("%s and %s differ in %s", pi.Name, pj.Name, differences[n].description)}
		}
	}
	return cause{"several", fmt.Sprintf("%s and %s differ in more than one point that matters here", ci.Label, cj.Label)}
}

// ownGroup is the cause where the two crawlers would differ with one profile as
// well, since they obey different groups.
func ownGroup(first, second, tokens string, line int, g *engine.Group, a, other engine.Crawler, want engine.Verdict) cause {
	obeys := func(label, tokens string, line int) string {
		if line == 0 {
			return label + " obeys no group"
		}
		return fmt.Sprintf("%s obeys the group of %s (line %d)", label, escape.Cut(tokens, 100), line)
	}
	words := obeys(first, tokens, line) + ", " + obeys(second, strings.Join(g.Tokens, ", "), g.Line)
	blocked := a
	if want == engine.Disallow {
		blocked = other
	}
	switch {
	case a.IgnoresGlobal != other.IgnoresGlobal && (line == 0 || g.Line == 0):
		return cause{"* exempt", words + ": one of the two is exempt from the group of *"}
	case strings.HasPrefix(blocked.Purpose, "AI ") || blocked.Purpose == "control token":
		return cause{"AI policy", words}
	}
	return cause{"own group", words}
}
