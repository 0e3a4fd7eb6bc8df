package site

import (
	"cmp"
	"time"

	"robots-audit/audit"
)

// Since is a date of a site's history.
type Since struct {
	At     time.Time // start of a run; zero = no date
	Before bool      // it is the first run of the history, so earlier states are not known: on or before that date
}

// String formats the date for people: "since 3 Nov 2026", "since 3 Nov 2026 or before".
func (s Since) String() string {
	switch words := "since " + s.At.UTC().Format("2 Jan 2006"); {
	case s.At.IsZero():
		return ""
	case s.Before:
		return words + " or before"
	default:
		return words
	}
}

// since converts the start of a run to a Since.
func (s *Site) since(run time.Time) Since {
	return Since{run, !run.After(s.HistoryBegins())}
}

// HistoryBegins is the start of the first run of the site's history, which may be the current run.
// The site must have a Past.
func (s *Site) HistoryBegins() time.Time {
	if s.Past.Begins.IsZero() {
		return s.RunStarted
	}
	return s.Past.Begins
}

// HistoryWords explains how to read the dates of the history and the owner notes. The site must
// have a Past.
func (s *Site) HistoryWords() string {
	begins := s.HistoryBegins()
	words := "The history begins with the run of " + begins.UTC().Format("2006-01-02 15:04") + " UTC"
	if begins.Equal(s.RunStarted) {
		words = "The history begins with this run"
	}
	return words + ". A date with ≤ means then or before. Only URLs of the important list have dates. Text in the column Owner note is kept in later reports."
}

// RulePast returns since when a rule exists, and since when it exists without interruption; id is
// audit.RuleID's. A rule that earlier runs do not have is new in this run. The site must have a
// Past.
func (s *Site) RulePast(id string) (first, changed Since) {
	past, ok := s.Past.Rules[id]
	if !ok {
		past = audit.RulePast{First: s.RunStarted, Since: s.RunStarted}
	}
	return s.since(past.First), s.since(past.Since)
}

// RuleIDAt is the id of the rule in a line; index is that of the origin, crawler that of one that
// obeys the line. "" = the line is no rule.
func (s *Site) RuleIDAt(index, line, crawler int) string {
	file := s.FileOf(index)
	rule := RuleAt(file, line)
	if rule == "" {
		return ""
	}
	at := originLine{file.Index, line}
	id, ok := s.ruleIDs[at]
	if !ok {
		group := ""
		for _, g := range s.ruleGroups(file) {
			if g.Line > line {
				break
			}
			group = g.Tokens
		}
		id = audit.RuleID(cmp.Or(group, Read(file, crawler).GroupTokens), rule)
		if s.ruleIDs == nil {
			s.ruleIDs = map[originLine]string{}
		}
		s.ruleIDs[at] = id
	}
	return id
}

// LineSince returns since when the rule of a deciding line exists without interruption (line 0 =
// none decides) for a crawler; index is that of the origin. The site must have a Past.
func (s *Site) LineSince(index, line, crawler int) (changed Since) {
	if id := s.RuleIDAt(index, line, crawler); line > 0 && id != "" {
		_, changed = s.RulePast(id)
	}
	return changed
}

// BlockedSince returns since when a blocked URL has been blocked for the crawler with this index;
// id is audit.URLID's. Only URLs of the important list have a date. The site must have a Past.
func (s *Site) BlockedSince(u *URL, id string, crawler int) Since {
	past, ok := s.Past.Blocked[audit.BlockedKey{URLID: id, Crawler: s.Crawlers[crawler].Label}]
	switch {
	case ok:
		return s.since(past.Run)
	case u.Listed:
		return s.since(s.RunStarted)
	}
	return Since{}
}

// Earlier returns the earlier of two dates; it ignores an unknown one.
func (s Since) Earlier(other Since) Since {
	if s.At.IsZero() || !other.At.IsZero() && other.At.Before(s.At) {
		return other
	}
	return s
}

// Kinds of rows that have owner notes, see audit.NoteKey.
const (
	NoteURL  = "url"
	NoteRule = "rule"
)

// Note is the owner note of a row; "" = none.
func (s *Site) Note(kind, id string) string {
	if s.Past == nil {
		return ""
	}
	return s.Past.Notes[audit.NoteKey{Kind: kind, ID: id}]
}
