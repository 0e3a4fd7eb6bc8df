package engine

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"robots-audit/engine/wording"
)

// Explainer explains a crawler's verdicts in words: which group it obeys and why, which
// line decides, which one comes second, and the verdict if the deciding line is deleted.
// Texts contain parts of the site's file unchanged, so callers must escape them.
type Explainer struct {
	Crawler Crawler
	Robots  *Robots
	Group   *Group // the group it obeys

	lines   func() map[int]RawLine
	lowered func() *Group // the group it would obey if the file were in lower case
}

// NewExplainer returns the explainer of a file for a crawler. It may be used by several goroutines.
func NewExplainer(c Crawler, robots *Robots) *Explainer {
	return &Explainer{Crawler: c, Robots: robots, Group: robots.Group(c), lines: sync.OnceValue(func() map[int]RawLine {
		lines := map[int]RawLine{}
		for line := range robots.Lines() {
			lines[line.Number] = line
		}
		return lines
	}), lowered: sync.OnceValue(func() *Group {
		var body []byte
		for line := range robots.Lines() {
			body = append(append(body, strings.ToLower(line.Text)...), '\n')
		}
		return robots.Profile.Parse(body).Group(c)
	})}
}

// ExplainedLine is a line of the file with its part in a verdict.
type ExplainedLine struct {
	Number int    `json:"line"` // 1-based
	Text   string `json:"text"` // without white space around it
	Part   string `json:"part"` // "decides (6 bytes)"
}

// ExplainedURL is a verdict on a URL with all lines that it depends on.
type ExplainedURL struct {
	Explanation
	Lines   []ExplainedLine // the lines involved: the start of the group, the deciding line, the second one, and those that almost decide
	Deleted string          // the verdict if the deciding line is deleted; "" = no line decides
}

// Explain explains the verdict on a URL.
func (x *Explainer) Explain(url string) ExplainedURL {
	e := ExplainedURL{Explanation: x.Group.Explain(url)}
	lines := x.lines()
	add := func(line int, part string) {
		l := lines[line]
		e.Lines = append(e.Lines, ExplainedLine{line, strings.TrimSpace(l.Text), part + lenient(l)})
	}
	if x.Group.Line > 0 && x.Robots.Access == Parsed {
		add(x.Group.Line, "begins the group")
	}
	if e.Rule != nil {
		add(e.Rule.Line, "decides"+x.weight(e.Octets))
	}
	if e.RunnerUp != nil {
		add(e.RunnerUp.Line, "comes second"+x.weight(e.Octets-e.Margin))
	}
	if e.Rule != nil {
		e.Deleted = x.without(&e.Explanation)
	}
	if x.Robots.Access == Parsed && e.Path != "/robots.txt" { // most profiles do not apply rules to this path
		x.addNear(url, &e.Explanation, add)
	}
	return e
}

// addNear adds rules that would change the verdict if the URL or the file were slightly
// different. It adds one for each kind of difference, and none that already matches the URL.
func (x *Explainer) addNear(url string, e *Explanation, add func(line int, part string)) {
	other := func(g *Group, url string) *Rule {
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
		if rule := other(x.Group, slash); rule != nil && !x.matches(rule.Line, url) {
			add(rule.Line, "does not match: the path of the URL does not end with a slash")
		}
	}
	if rule := other(x.lowered(), strings.ToLower(url)); rule != nil && !x.matches(rule.Line, url) {
		add(rule.Line, "does not match: upper and lower case differ")
	}
	var elsewhere *Rule
	for _, g := range x.Robots.Groups() {
		rule := other(g, url)
		if rule == nil || slices.ContainsFunc(x.Group.Rules, func(own Rule) bool { return own.Line == rule.Line }) {
			continue
		}
		global := slices.Contains(g.Tokens, "*")
		if root := g.Verdict("/").Rule; root != nil && *root == *rule && (!global || e.Rule != nil) {
			continue // such a group blocks or allows all URLs, so it is near every URL
		}
		if elsewhere == nil || global {
			elsewhere = rule
		}
	}
	if elsewhere != nil {
		add(elsewhere.Line, "matches, but is in a group that "+x.Crawler.Name+" does not obey")
	}
}

// matches reports whether the rule on a line of the group matches a URL, even if another
// rule decides.
func (x *Explainer) matches(line int, url string) bool {
	i := slices.IndexFunc(x.Group.Rules, func(rule Rule) bool { return rule.Line == line })
	if i < 0 {
		return false
	}
	return x.Robots.Profile.Parse([]byte("user-agent: *\n"+x.Group.Rules[i].String()+"\n")).Group(Crawler{Name: "*", Tokens: []string{"none"}}).Verdict(url).Rule != nil
}

// Reason says in words why the group was chosen.
func (x *Explainer) Reason() string { return groupReasons[x.Group.Reason] }

var groupReasons = map[GroupReason]string{
	Exact:    "it names the crawler by its own product token",
	Fallback: "no group names the crawler's first product token, but this one names another of its tokens",
	Global:   "no group names the crawler, so the * group applies",
	None:     "no group names the crawler and there is no * group: everything is allowed",
	Exempt:   "only the * group would apply, which this crawler does not obey: everything is allowed",
}

// GroupWords says which group the crawler obeys, and why: "line 5, user-agent: * (3 rules):
// no group names the crawler, so the * group applies".
func (x *Explainer) GroupWords() string {
	if x.Group.Line == 0 {
		return "none: " + x.Reason()
	}
	return fmt.Sprintf("line %d, user-agent: %s (%s): %s", x.Group.Line, strings.Join(x.Group.Tokens, ", "), wording.Plural(len(x.Group.Rules), "rule"), x.Reason())
}

// without says in words what the verdict is if the deciding line is deleted.
func (x *Explainer) without(e *Explanation) string {
	why := x.Group.Reread(e.Rule.Line)
	switch {
	case e.Without == Unknown:
		return "not known: " + why
	case why != "":
		return e.Without.String() + ": " + why
	case e.Join.Line > 0:
		return e.Without.String() + ": " + e.Join.Words(x.Crawler.Name, e.Rule.String())
	}
	return e.Without.String()
}

// weight is the length of a rule that counts for precedence, if length counts
// at all.
func (x *Explainer) weight(octets int) string {
	if x.Robots.Profile.FirstMatch {
		return ""
	}
	return " (" + wording.Plural(octets, "byte") + ")"
}

// lenient returns a note if a line counts only because Google's published
// parser accepts its field, which Google's page does not mention.
func lenient(line RawLine) string {
	text, _, _ := strings.Cut(line.Text, "#")
	switch {
	case !strings.EqualFold(line.Field, string(line.Kind)):
		return fmt.Sprintf(", as Google's published parser reads it: Google's page does not mention the directive %q", line.Field)
	case !strings.Contains(text, ":"):
		return ", as Google's published parser reads it: Google's page mentions no line without a colon"
	}
	return ""
}
