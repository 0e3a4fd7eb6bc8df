// Package explain says in words how a verdict came about: which group a crawler obeys and
// why, which line decides, which one comes second, and what would be if the deciding line
// were deleted. It is what "robots-audit check -explain" prints and the desk shows. Texts hold
// what a site has said as it came: who shows them escapes them.
package explain

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Reader is a crawler with a robots.txt as its profile reads it.
type Reader struct {
	Crawler engine.Crawler
	Robots  *engine.Robots
	Group   *engine.Group // that it obeys

	lines   func() map[int]engine.RawLine
	lowered func() *engine.Group // that it would obey were the file in lower case
}

// NewReader returns a crawler's reader of a file. It may be used by several goroutines.
func NewReader(c engine.Crawler, robots *engine.Robots) *Reader {
	return &Reader{Crawler: c, Robots: robots, Group: robots.Group(c), lines: sync.OnceValue(func() map[int]engine.RawLine {
		lines := map[int]engine.RawLine{}
		for line := range robots.Lines() {
			lines[line.Number] = line
		}
		return lines
	}), lowered: sync.OnceValue(func() *engine.Group {
		var body []byte
		for line := range robots.Lines() {
			body = append(append(body, strings.ToLower(line.Text)...), '\n')
		}
		return robots.Profile.Parse(body).Group(c)
	})}
}

// Line is a line of the file with its part in a verdict.
type Line struct {
	Number int    `json:"line"` // 1-based
	Text   string `json:"text"` // without white space around it
	Part   string `json:"part"` // "decides (6 octets)"
}

// URL is a verdict on a URL with all that it rests on.
type URL struct {
	engine.Explanation
	Lines   []Line // that took part: the beginning of the group, the deciding line, the one that comes second, and those that almost decide
	Deleted string // what the file says with the deciding line deleted; "" = no line decides
}

// URL explains the verdict on a URL.
func (r *Reader) URL(url string) URL {
	e := URL{Explanation: r.Group.Explain(url)}
	lines := r.lines()
	add := func(line int, part string) {
		l := lines[line]
		e.Lines = append(e.Lines, Line{line, strings.TrimSpace(l.Text), part + lenient(l)})
	}
	if r.Group.Line > 0 && r.Robots.Access == engine.Parsed {
		add(r.Group.Line, "begins the group")
	}
	if e.Rule != nil {
		add(e.Rule.Line, "decides"+r.weight(e.Octets))
	}
	if e.RunnerUp != nil {
		add(e.RunnerUp.Line, "comes second"+r.weight(e.Octets-e.Margin))
	}
	if e.Rule != nil {
		e.Deleted = r.without(&e.Explanation)
	}
	if r.Robots.Access == engine.Parsed && e.Path != "/robots.txt" { // of which most profiles say more than rules do
		r.addNear(url, &e.Explanation, add)
	}
	return e
}

// addNear adds the rules that would give another verdict if the URL, or the file, differed a
// little: one for each way to differ, and none that matches the URL as it is.
func (r *Reader) addNear(url string, e *engine.Explanation, add func(line int, part string)) {
	other := func(g *engine.Group, url string) *engine.Rule {
		if d := g.Verdict(url); d.Verdict != e.Verdict && d.Rule != nil {
			return d.Rule
		}
		return nil
	}
	path, query, found := strings.Cut(url, "?")
	if slash := path + "/"; !strings.HasSuffix(path, "/") && !strings.Contains(path, "#") {
		if found {
			slash += "?" + query
		}
		if rule := other(r.Group, slash); rule != nil && !r.matches(rule.Line, url) {
			add(rule.Line, "does not match: the URL's path has no slash at its end")
		}
	}
	if rule := other(r.lowered(), strings.ToLower(url)); rule != nil && !r.matches(rule.Line, url) {
		add(rule.Line, "does not match: upper and lower case differ")
	}
	var elsewhere *engine.Rule
	for _, g := range r.Robots.Groups() {
		rule := other(g, url)
		if rule == nil || slices.ContainsFunc(r.Group.Rules, func(own engine.Rule) bool { return own.Line == rule.Line }) {
			continue
		}
		global := slices.Contains(g.Tokens, "*")
		if root := g.Verdict("/").Rule; root != nil && *root == *rule && (!global || e.Rule != nil) {
			continue // of a group for all or nothing: it is near to every URL
		}
		if elsewhere == nil || global {
			elsewhere = rule
		}
	}
	if elsewhere != nil {
		add(elsewhere.Line, "matches, but is in a group that "+r.Crawler.Name+" does not obey")
	}
}

// matches reports whether the rule of a line of the group matches a URL, whatever decides.
func (r *Reader) matches(line int, url string) bool {
	i := slices.IndexFunc(r.Group.Rules, func(rule engine.Rule) bool { return rule.Line == line })
	if i < 0 {
		return false
	}
	return r.Robots.Profile.Parse([]byte("user-agent: *\n"+r.Group.Rules[i].String()+"\n")).Group(engine.Crawler{Name: "*", Tokens: []string{"none"}}).Verdict(url).Rule != nil
}

// Reason says in words why the group was chosen.
func (r *Reader) Reason() string { return reasons[r.Group.Reason] }

var reasons = map[engine.GroupReason]string{
	engine.Exact:    "it names the crawler by its own product token",
	engine.Fallback: "no group names the crawler's first product token, this one names a later one",
	engine.Global:   "no group names the crawler, so the group of * applies",
	engine.None:     "no group names the crawler and there is none of *: everything is allowed",
	engine.Exempt:   "only the group of * would apply, which this crawler does not obey: everything is allowed",
}

// GroupWords say which group the crawler obeys, and why: "line 5, user-agent: * (3 rules): no
// group names the crawler, so the group of * applies".
func (r *Reader) GroupWords() string {
	if r.Group.Line == 0 {
		return "none: " + r.Reason()
	}
	return fmt.Sprintf("line %d, user-agent: %s (%s): %s", r.Group.Line, strings.Join(r.Group.Tokens, ", "), wording.Plural(len(r.Group.Rules), "rule"), r.Reason())
}

// without says what the file says with the deciding line deleted.
func (r *Reader) without(e *engine.Explanation) string {
	why := r.Group.Reread(e.Rule.Line)
	switch {
	case e.Without == engine.Unknown:
		return "not known: " + why
	case why != "":
		return e.Without.String() + ": " + why
	case e.Join.Line > 0:
		return e.Without.String() + ": " + e.Join.Words(r.Crawler.Name, e.Rule.String())
	}
	return e.Without.String()
}

// weight is what of a rule counts for precedence, where that is its length.
func (r *Reader) weight(octets int) string {
	if r.Robots.Profile.FirstMatch {
		return ""
	}
	return " (" + wording.Plural(octets, "octet") + ")"
}

// lenient says so where a line counts only because Google's published parser
// accepts its field, which Google's page does not mention.
func lenient(line engine.RawLine) string {
	text, _, _ := strings.Cut(line.Text, "#")
	switch {
	case !strings.EqualFold(line.Field, string(line.Kind)):
		return fmt.Sprintf(", as Google's published parser takes it: its page knows no field %q", line.Field)
	case !strings.Contains(text, ":"):
		return ", as Google's published parser takes it: its page knows no line without a colon"
	}
	return ""
}
