package edit

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// maxDescribed bounds the edits and names of one description.
const maxDescribed = 10

// Words describe an edit as the beginning of a sentence: "Insert after line 13: Allow: /post/123$".
func (e Edit) Words() string {
	text := quote(e.Text)
	if text == "" {
		text = "(an empty line)"
	}
	switch was := quote(e.Was); {
	case e.Op == Delete:
		return fmt.Sprintf("Delete line %d: %s", e.Line, was)
	case e.Op == Replace:
		return fmt.Sprintf("Replace line %d (%s) with: %s", e.Line, was, text)
	case e.Line == 0:
		return "Insert before line 1: " + text
	default:
		return fmt.Sprintf("Insert after line %d: %s", e.Line, text)
	}
}

// Describe describes a result in sentences, one per line, without a line end after the last:
//
//	Insert after line 13: Allow: /post/123$
//	This gives all 5 verdicts asked for. It changes no other verdict on 28,359 URLs.
func Describe(r *Result) string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, reason := range r.NoLine {
		add("No line of robots.txt can change this for %s: %s.", reason.Crawler, reason.Why)
	}
	if len(r.Unmet) > 0 {
		add("None of the edits tried makes %s %s for %s%s.", quote(r.Unmet[0].URL), past(r.Want), r.Unmet[0].Crawler, more(len(r.Unmet)-1))
	}
	switch {
	case r.Needed == 0 && r.Had > 0 && r.NoLine == nil:
		add("Nothing to change: everything is %s already.", past(r.Want))
	case r.Needed == 0:
	case len(r.Edits) == 0:
		add("No edit was found.")
	default:
		for _, e := range r.Edits[:min(len(r.Edits), maxDescribed)] {
			lines = append(lines, e.Words())
		}
		if n := len(r.Edits) - maxDescribed; n > 0 {
			add("%s.", wording.Plural(n, "more line"))
		}
		add("This %s. %s.", r.doneWords(), r.flipWords())
	}
	if slices.ContainsFunc(r.Edits, func(e Edit) bool { return e.Op == Delete && e.reach() == structural }) {
		add("This deletes a line that is not a rule. Crawlers you did not ask about may then follow other rules.")
	}
	if r.Bounded != "" {
		add("A smaller change may exist. The search stopped after %s: %s.", wording.Thousands(r.Tried)+" "+wording.Verb(r.Tried, "try", "tries"), r.Bounded)
	}
	return strings.Join(lines, "\n")
}

// doneWords say for how much of the request the edits work.
func (r *Result) doneWords() string {
	switch done := r.Needed - len(r.Unmet); {
	case r.Needed == 1 && done == 1:
		return verb(r.Want) + " the URL for the crawler"
	case r.Needed == 2 && done == 2:
		return "gives both verdicts asked for"
	case done == r.Needed:
		return "gives all " + wording.Thousands(done) + " verdicts asked for"
	default:
		return "gives " + wording.Thousands(done) + " of the " + wording.Thousands(r.Needed) + " verdicts asked for"
	}
}

// flipWords say which other verdicts change.
func (r *Result) flipWords() string {
	of := " of " + wording.URLs(r.Known)
	if r.URLs > r.Known { // then the URLs of the set are included
		of = wording.Verb(r.URLs, " URL", " URLs")
	}
	switch {
	case !r.Proved:
		return "Its effect on other URLs was not checked"
	case r.Flips == 0 && r.Known == 0:
		return "No other URL was found to check"
	case r.Flips == 0:
		return "It changes no other verdict on " + wording.URLs(r.Known)
	}
	var by []string
	for label, n := range r.ByLabel {
		by = append(by, fmt.Sprintf("%s %s", label, wording.Thousands(n)))
	}
	slices.Sort(by)
	left := len(by) - maxDescribed
	by = by[:min(len(by), maxDescribed)]
	if left > 0 {
		by = append(by, wording.Thousands(left)+" more")
	}
	return fmt.Sprintf("It also changes %s%s (%s), such as %s", wording.Thousands(r.URLs), of, strings.Join(by, ", "),
		quote(r.Samples[0].URL))
}

func past(v engine.Verdict) string {
	if v == engine.Allow {
		return "allowed"
	}
	return "blocked"
}

func verb(v engine.Verdict) string {
	if v == engine.Allow {
		return "unblocks"
	}
	return "blocks"
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return ", and the same for " + wording.Plural(n, "more verdict")
}
