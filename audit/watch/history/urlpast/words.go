package urlpast

import (
	"fmt"
	"strings"
	"time"

	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Sentence gives the current verdict, since when, and the verdict before: "Blocked from crawling
// since 3 November 2026 by line 17 `Disallow: /x`; before that allowed by line 4 `Allow: /`." Runs
// without a clear answer have their own sentences.
func (p *Past) Sentence() string {
	now := p.Now()
	switch {
	case p.Runs == 0:
		return "Unknown: the history has no run of the site."
	case now == nil && p.Runs == 1:
		return "Unknown: the only run, of " + p.Day(p.First) + ", gave no verdict."
	case now == nil:
		return "Unknown: none of the " + wording.Plural(p.Runs, "run") + " since " + p.Day(p.First) + " gave a verdict."
	}
	words := VerdictWords(now.Verdict)
	words = strings.ToUpper(words[:1]) + words[1:]
	if len(p.Stretches) == 1 {
		words += p.always(now) + p.by(now) + "." + p.unclear(now)
		switch {
		case p.Before == 1:
			words += " The run before gave no verdict."
		case p.Before > 1:
			words += " The " + wording.Plural(p.Before, "run") + " before gave no verdict."
		}
		return words
	}
	before := &p.Stretches[len(p.Stretches)-2]
	words += " since " + p.Day(now.Since.Started) + p.by(now) + "; before"
	if len(now.Reasons) > 1 { // another date is in between
		words += " " + p.Day(now.Since.Started)
	} else {
		words += " that"
	}
	words += " " + VerdictWords(before.Verdict) + before.Reason().words() + "." + p.unclear(now)
	if before.Late > 0 {
		words += " The last" + some(before.Late) + " before " + p.Day(now.Since.Started) + " gave no verdict."
	}
	return words + p.earlier()
}

// always describes a single stretch.
func (p *Past) always(s *Stretch) string {
	since := " since " + p.Day(s.Since.Started)
	switch all := s.Runs + s.Unclear; {
	case all == 1 && p.Before == 0:
		return " in the only run, of " + p.Day(s.Since.Started)
	case all == 1:
		return " in the last run, of " + p.Day(s.Since.Started)
	case s.Unclear == 0 && all == 2:
		return " in both runs" + since
	case s.Unclear == 0:
		return " in all " + wording.Plural(all, "run") + since
	default:
		return " in " + wording.Thousands(s.Runs) + " of the " + wording.Plural(all, "run") + since
	}
}

// by describes the reason at the end of a stretch, with its start if that differs from the
// stretch's.
func (p *Past) by(s *Stretch) string {
	r := s.Reason()
	switch {
	case len(s.Reasons) == 1:
		return r.words()
	case r.Rule.Line > 0:
		return "," + r.words() + " since " + p.Day(r.Since.Started)
	default:
		return ": since " + p.Day(r.Since.Started) + " " + r.Why
	}
}

// words describe the reason: " by line 17 `Disallow: /x`", ": no rule matches".
func (r *Reason) words() string {
	if r.Rule.Line == 0 {
		return ": " + r.Why
	}
	rule := r.Rule.String()
	return fmt.Sprintf(" by line %d %s", r.Rule.Line, escape.Quoted(strings.ToUpper(rule[:1])+rule[1:], maxShown))
}

// unclear counts the runs without a clear answer in the last stretch.
func (p *Past) unclear(s *Stretch) string {
	switch {
	case s.Unclear == 0:
		return ""
	case s.Late == s.Unclear:
		return " The last" + some(s.Late) + " gave no verdict."
	}
	words := " " + wording.Plural(s.Unclear, "run") + " since then gave no verdict"
	switch {
	case s.Late == 1:
		words += ", the last one among them"
	case s.Late > 1:
		words += ", the last " + wording.Thousands(s.Late) + " among them"
	}
	return words + "."
}

// some names the number of last runs: " run", " 3 runs".
func some(runs int) string {
	if runs == 1 {
		return " run"
	}
	return " " + wording.Plural(runs, "run")
}

// earlier describes the stretches before the last two.
func (p *Past) earlier() (words string) {
	changes, unknown := 0, 0
	verdict := engine.Unknown
	for i, s := range p.Stretches {
		if s.Verdict == engine.Unknown {
			if i < len(p.Stretches)-2 {
				unknown += s.Runs
			}
			continue
		}
		if verdict != engine.Unknown && s.Verdict != verdict {
			changes++
		}
		verdict = s.Verdict
	}
	if changes > 1 {
		words += " The verdict has changed " + wording.Thousands(changes) + " times since " + p.Day(p.First) + "."
	}
	if unknown > 0 {
		words += " For " + wording.Plural(unknown, "earlier run") + " it is unknown."
	}
	return words
}

// Day formats a time for the sentence: the day of UTC, with the hour if p.Hours.
func (p *Past) Day(of time.Time) string {
	layout := "2 January 2006"
	if p.Hours {
		layout += " 15:04"
	}
	return of.UTC().Format(layout)
}

// VerdictWords is a verdict in the words of reports: "allowed", "blocked from crawling",
// "undefined", "unknown".
func VerdictWords(v engine.Verdict) string {
	switch v {
	case engine.Allow:
		return "allowed"
	case engine.Disallow:
		return "blocked from crawling"
	}
	return v.String()
}
