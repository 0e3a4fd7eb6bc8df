package compare

import (
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// lineKinds are the kinds of changed lines in the order of reports, each with a noun.
var lineKinds = []struct{ kind, noun string }{
	{KindRules, "rule"}, {KindGroups, "user-agent line"}, {KindLines, "other line"}, {KindComments, "comment or blank line"},
}

// lineKind is the kind of a line of robots.txt.
func lineKind(line string) string {
	switch field, _ := cutField(line); {
	case field == "allow" || field == "disallow":
		return KindRules
	case field == "user-agent":
		return KindGroups
	case strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#"):
		return KindComments
	}
	return KindLines
}

// kind returns the more important kind of the line's two texts.
func (l *Line) kind() string {
	kinds := []string{KindComments}
	if l.OldLine > 0 {
		kinds = append(kinds, lineKind(l.Old))
	}
	if l.NewLine > 0 {
		kinds = append(kinds, lineKind(l.New))
	}
	for _, k := range lineKinds {
		if slices.Contains(kinds, k.kind) {
			return k.kind
		}
	}
	return KindComments
}

// addLines reports the changed lines of a file, one change for each kind of line. Origin.Diff has
// them all. Added or removed Sitemap lines and usage preferences have their own changes.
func (c *comparison) addLines(o *Origin) {
	if o.Old.Kind != BodyText || o.New.Kind != BodyText || o.Diff == nil {
		return
	}
	elsewhere := c.reportedElsewhere(o)
	for _, k := range lineKinds {
		var of []Line
		for _, l := range o.Diff {
			if l.kind() == k.kind && (l.Op == Moved || !elsewhere(l.Old) && !elsewhere(l.New)) {
				of = append(of, l)
			}
		}
		if len(of) == 0 {
			continue
		}
		ch := Change{Kind: k.kind, What: o.Name + "/robots.txt", Before: "", After: "", Severity: Info, Condition: ""}
		if len(of) == 1 {
			ch.Before, ch.After = of[0].words()
		} else {
			ch.Before = wording.Plural(count(o.Old.Body, k.kind), k.noun)
			ch.After = wording.Plural(count(o.New.Body, k.kind), k.noun) + ": " + summary(of)
		}
		if c.site.Causes[Rule] > 0 && k.kind == KindRules || c.site.Causes[Group] > 0 && k.kind == KindGroups {
			ch.Severity = Medium
		}
		c.add(ch)
	}
}

// reportedElsewhere returns a function that says whether another change reports an added or removed
// line.
func (c *comparison) reportedElsewhere(o *Origin) func(line string) bool {
	lost, found := sitemapsOf(o.Old.Body).without(sitemapsOf(o.New.Body)), sitemapsOf(o.New.Body).without(sitemapsOf(o.Old.Body))
	signals := c.isOwn(o) && !slices.Equal(signalsOf(o.Old.Body), signalsOf(o.New.Body))
	return func(line string) bool {
		field, value := cutField(line)
		switch field {
		case "sitemap":
			return lost[value] || found[value]
		case "content-signal", "content-usage":
			return signals
		}
		return false
	}
}

// words are the old and the new text with their line numbers.
func (l *Line) words() (before, after string) {
	at := func(number int, text string) string {
		if number == 0 {
			return ""
		}
		if strings.TrimSpace(text) == "" {
			text = "(blank)"
		}
		return "line " + wording.Thousands(number) + ": " + text
	}
	return at(l.OldLine, l.Old), at(l.NewLine, l.New)
}

// summary counts changed lines: "3 added, 1 removed".
func summary(lines []Line) (words string) {
	for _, op := range []struct {
		op   Op
		verb string
	}{{Added, "added"}, {Removed, "removed"}, {Edited, "edited"}, {Moved, "moved"}} {
		n := 0
		for i := range lines {
			if lines[i].Op == op.op {
				n++
			}
		}
		if n > 0 {
			words = wording.Join(words, wording.Thousands(n)+" "+op.verb)
		}
	}
	return words
}

// count counts the lines of a kind.
func count(body []byte, kind string) (n int) {
	var s sideLines
	s.cut(string(body))
	for _, l := range s.lines {
		if lineKind(l.text) == kind {
			n++
		}
	}
	return n
}
