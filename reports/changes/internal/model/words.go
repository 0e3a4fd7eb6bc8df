package model

import (
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Text prepares text from a site for a sentence: invisible characters are shown, and text longer
// than limit bytes is cut.
func Text(s string, limit int) string {
	return escape.Cut(escape.Show(s[:min(len(s), limit+utf8.UTFMax)]), limit) // shown characters are never shorter
}

// maxLine bounds the text of a line of robots.txt, or of a URL, within a sentence.
const maxLine = 120

// quoted returns text from a site for a sentence: between backticks, without backticks inside.
func quoted(s string) string { return escape.Quoted(s, maxLine) }

// CauseAbout describes a cause in a few words: "a rule differs".
func CauseAbout(c compare.Cause) string {
	return [...]string{
		compare.Reader: "the crawler is read differently",
		compare.Scope:  "the robots.txt of another origin applies",
		compare.Access: "robots.txt answers differently",
		compare.Group:  "the crawler follows another group",
		compare.Rule:   "the rules changed",
	}[c]
}

// RuleWords returns a rule with its line: "line 14 `Disallow: /de/p`"; "no rule" if none decided.
func RuleWords(r engine.Rule) string {
	if r.Line == 0 {
		return "no rule"
	}
	text := r.String()
	return fmt.Sprintf("line %d %s", r.Line, quoted(strings.ToUpper(text[:1])+text[1:]))
}

// LineWords describe the change of a line, as a sentence without its stop: "line 14 `Disallow:
// /de/p` was added".
func LineWords(l *compare.Line) string {
	switch l.Op {
	case compare.Added:
		return fmt.Sprintf("line %d %s was added", l.NewLine, quoted(l.New))
	case compare.Removed:
		return fmt.Sprintf("line %d %s was removed", l.OldLine, quoted(l.Old))
	case compare.Moved:
		return fmt.Sprintf("line %d %s moved to line %d", l.OldLine, quoted(l.New), l.NewLine)
	}
	if l.OldLine == l.NewLine {
		return fmt.Sprintf("line %d changed from %s to %s", l.OldLine, quoted(l.Old), quoted(l.New))
	}
	return fmt.Sprintf("line %d %s became line %d %s", l.OldLine, quoted(l.Old), l.NewLine, quoted(l.New))
}

// LineName names a changed line: "line 14 `Disallow: /de/p`", as in the new file or, if it was
// removed, in the old one.
func LineName(l *compare.Line) string {
	if l.Op == compare.Removed {
		return fmt.Sprintf("line %d %s", l.OldLine, quoted(l.Old))
	}
	return fmt.Sprintf("line %d %s", l.NewLine, quoted(l.New))
}

// AnswerWords describe the response of an origin for its robots.txt: "HTTP 503 Service
// Unavailable", "an HTML page", "no answer: …".
func AnswerWords(a *compare.Answer) string {
	switch {
	case a == nil:
		return "not asked"
	case a.Given:
		return "your draft of robots.txt"
	case a.Status == 0 && a.Code != "":
		return "no answer (" + audit.Meaning(a.Code) + ")"
	case a.Status != http.StatusOK || a.Code != "":
		words := "HTTP 200"
		if a.Status != http.StatusOK {
			words = strings.TrimSpace(fmt.Sprintf("HTTP %d %s", a.Status, http.StatusText(a.Status)))
		}
		if trouble := a.Trouble(); trouble != "" {
			words += " (" + trouble + ")"
		}
		return words
	case a.Kind == compare.BodyHTML:
		return "HTTP 200 with an HTML page"
	case a.Kind == compare.BodyBinary:
		return "HTTP 200 with a body that is not text"
	case a.Kind == compare.BodyEmpty:
		return "HTTP 200 with an empty body"
	}
	return "HTTP 200"
}

// AccessWords describe the effect of a whole response on a crawler: "everything is blocked".
func AccessWords(a engine.Access) string {
	switch a {
	case engine.Parsed:
		return "its rules apply"
	case engine.AllowAll:
		return "everything is allowed"
	case engine.DisallowAll:
		return "everything is blocked"
	}
	return "the effect is unknown"
}

// ChangeWords describe a change, as a sentence without its stop: "What: before, now after".
func ChangeWords(c *compare.Change) string {
	what, before, after := Text(c.What, 2*maxLine), Text(c.Before, 2*maxLine), Text(c.After, 2*maxLine)
	switch {
	case before == "" && after == "":
		return what
	case before == "":
		return what + ": now " + after
	case after == "":
		return what + ": no longer " + before
	}
	return what + ": " + before + ", now " + after
}

// Count returns a number of URLs, with their clicks if there are any, and with their hits in words
// unless they are "": "120 URLs (1,340 clicks, 41 % of Googlebot's requests)".
func Count(pages, clicks int64, hits string) string {
	words := hits
	if clicks > 0 {
		words = strings.TrimSuffix(wording.Plural(clicks, "click")+", "+hits, ", ")
	}
	if words == "" {
		return wording.URLs(pages)
	}
	return wording.URLs(pages) + " (" + words + ")"
}

// DisplayName is the name of a site for people.
func DisplayName(site string) string { return audit.DisplayName(site) }
