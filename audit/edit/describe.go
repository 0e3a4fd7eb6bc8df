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

// Words say what an edit does, as the beginning of a sentence: "Insert after line 13: Allow: /post/123$".
func (e Edit) Words() string {
	text := quote(e.Text)
	if text == "" {
		text = "(an empty line)"
	}
	switch was := quote(e.Was); {
	case e.Op == Delete:
		return fmt.Sprintf("Delete line %d: %s", e.Line, was)
	case e.Op == Replace:
		return fmt.Sprintf("Replace line %d (%s) by: %s", e.Line, was, text)
	case e.Line == 0:
		return "Insert before line 1: " + text
	default:
		return fmt.Sprintf("Insert after line %d: %s", e.Line, text)
	}
}

// Describe puts a result into sentences, one a line, without a line end after the last:
//
//	Insert after line 13: Allow: /post/123$
//	Allows 5 of 5, flips nothing else of 28,359 known URLs.
func Describe(r *Result) string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, reason := range r.NoLine {
		add("No line decides for %s: %s.", reason.Crawler, reason.Why)
	}
	if len(r.Unmet) > 0 {
		add("No edit that was tried gets %s %s for %s%s.", quote(r.Unmet[0].URL), past(r.Want), r.Unmet[0].Crawler, more(len(r.Unmet)-1))
	}
	switch {
	case r.Needed == 0 && r.Had > 0 && r.NoLine == nil:
		add("Nothing to change: all is %s already.", past(r.Want))
	case r.Needed == 0:
	case len(r.Edits) == 0:
		add("No edit that was tried does it.")
	default:
		for _, e := range r.Edits[:min(len(r.Edits), maxDescribed)] {
			lines = append(lines, e.Words())
		}
		if n := len(r.Edits) - maxDescribed; n > 0 {
			add("And %s.", wording.Plural(n, "further line"))
		}
		add("%s %s of %s, %s.", verb(r.Want), wording.Thousands(r.Needed-len(r.Unmet)), wording.Thousands(r.Needed), r.flipWords())
	}
	if slices.ContainsFunc(r.Edits, func(e Edit) bool { return e.Op == Delete && e.reach() == structural }) {
		add("A line that is no rule goes with it: crawlers that were not asked about may come to obey other rules.")
	}
	if r.Bounded != "" {
		add("Not proved the smallest after %s: %s.", wording.Thousands(r.Tried)+" "+wording.Verb(r.Tried, "try", "tries"), r.Bounded)
	}
	return strings.Join(lines, "\n")
}

// flipWords say what else flips.
func (r *Result) flipWords() string {
	of := " of " + wording.URLs(r.Known)
	if r.URLs > r.Known { // those of the set count among them
		of = wording.Verb(r.URLs, " URL", " URLs")
	}
	switch {
	case !r.Proved:
		return "which was not proved"
	case r.Flips == 0 && r.Known == 0:
		return "no other URL being known"
	case r.Flips == 0:
		return "flips nothing else" + of
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
	return fmt.Sprintf("but flips %s%s as well (%s), such as %s", wording.Thousands(r.URLs), of, strings.Join(by, ", "),
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
		return "Allows"
	}
	return "Blocks"
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return ", nor " + wording.Plural(n, "further pair") + " of a URL and a crawler"
}
