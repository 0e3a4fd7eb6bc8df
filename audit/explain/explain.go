// Package explain says in words how a verdict came about: which group a crawler obeys and
// why, which line decides, which one comes second, and what would be if the deciding line
// were deleted. It is what "robots-audit check -explain" prints and the desk shows. Texts hold
// what a site has said as it came: who shows them escapes them.
package explain

import (
	"fmt"
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

	lines func() map[int]engine.RawLine
}

// NewReader returns a crawler's reader of a file. It may be used by several goroutines.
func NewReader(c engine.Crawler, robots *engine.Robots) *Reader {
	return &Reader{Crawler: c, Robots: robots, Group: robots.Group(c), lines: sync.OnceValue(func() map[int]engine.RawLine {
		lines := map[int]engine.RawLine{}
		for line := range robots.Lines() {
			lines[line.Number] = line
		}
		return lines
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
	Lines   []Line // that took part: the beginning of the group, the deciding line, the one that comes second
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
	return e
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
