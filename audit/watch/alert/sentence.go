package alert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Bounds of the report on one alert.
const (
	maxSentence = 400 // bytes
	maxDetail   = 600
	maxChanges  = 5 // listed; the others are counted
	maxChanged  = 3 // lines of robots.txt
)

// event is the report on an alert. was is the last reported severity. f is nil if the alert has
// ended.
func (in *Input) event(kind Kind, a *history.Alert, was compare.Severity, f *found) Event {
	c := conditionOf(a.Condition)
	e := Event{
		Kind: kind, Alert: a.ID, Condition: a.Condition, Severity: compare.Severity(a.Severity), Was: compare.Severity(a.Severity),
		Site: escape.Show(in.Site), Since: a.Since.UTC(), Run: in.Run, Counts: in.counts(a), Initial: kind == Raised && a.Base == "",
	}
	var what, cause, count string
	if kind == Ended {
		ended := a.Ended.UTC()
		e.Severity, e.Ended, e.Length = compare.Info, &ended, length(a.Ended.Sub(a.Since))
		what = fmt.Sprintf("%s, after %s (first seen %s)", c.over, e.Length, in.at(a.Since))
		if in.Compared.New == nil {
			what = fmt.Sprintf("the site is no longer audited, after %s (first seen %s)", e.Length, in.at(a.Since))
		}
		if in.isAccepted(a) {
			what = fmt.Sprintf("accepted as intended, %s, after %s (first seen %s)", quoted(a.Note), e.Length, in.at(a.Since))
		}
		e.Details = []string{"The alert was: " + a.Text}
	} else {
		what = c.what(in, f)
		if c.count[0] != "" && f.urls > 0 {
			count = ". " + wording.URLs(f.urls) + " " + wording.Verb(f.urls, c.count[0], c.count[1])
			if f.initial() {
				count = strings.Replace(count, "newly ", "", 1)
			}
		}
		if c.details != nil {
			e.Details = c.details(in, f)
		} else {
			e.Details = changed(c, f)
		}
		if e.Next = c.next; f.initial() {
			e.Next = cmp.Or(c.initial, c.next)
		}
		if c.cause != nil {
			cause = c.cause(f)
		}
		again := ""
		switch {
		case kind == Worse && compareSeverities(f.severity, was) < 0:
			again = "worse: "
		case kind == Worse:
			again = "again: "
		}
		what, cause = again+what, again+cmp.Or(cause, what)
	}
	what = escape.Cut(escape.Show(what), maxSentence)
	e.Text = sentence(e.Site + ": " + strings.TrimSuffix(what, ".") + count)
	e.Cause = in.withoutSite(cmp.Or(escape.Cut(escape.Show(cause), maxSentence), what))
	if e.Details == nil {
		e.Details = []string{} // JSON needs a list
	}
	for i, d := range e.Details {
		e.Details[i] = sentence(escape.Cut(escape.Show(d), maxDetail))
	}
	return e
}

// withoutSite removes the site's names from a text. For several sites with the same event, only the
// names differ.
func (in *Input) withoutSite(text string) string {
	names := []string{in.Site}
	if own := in.Compared.Own(); own != nil {
		_, host, _ := strings.Cut(own.Name, "://")
		names = append(names, host, strings.TrimPrefix(host, "www."))
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, name := range names {
		if name != "" {
			text = strings.ReplaceAll(text, name, "…")
		}
	}
	return text
}

// sentence adds a full stop to a text if necessary.
func sentence(text string) string {
	if text == "" || strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// counts returns the counts of an alert's site.
func (in *Input) counts(a *history.Alert) URLCounts {
	n := URLCounts{Concerned: a.URLs}
	if side := in.Compared.New; side != nil {
		n.Known, n.Blocked = side.URLs, side.Blocked
	}
	n.NewlyBlocked, n.NewlyAllowed = in.Compared.Totals.NewlyBlocked, in.Compared.Totals.NewlyAllowed
	for _, o := range in.hiccups(in.Compared) {
		n.NewlyBlocked, n.NewlyAllowed = n.NewlyBlocked-o.NewlyBlocked, n.NewlyAllowed-o.NewlyAllowed
	}
	return n
}

// changed returns sentences on the changes of a condition, without the first if it is already
// mentioned. They include the lines of robots.txt with the most effect, or else the new answer.
func changed(c *condition, f *found) (list []string) {
	changes := f.changes
	if c.whole || f.initial() {
		changes = changes[1:]
	}
	for i, ch := range changes {
		if i == maxChanges {
			list = append(list, wording.Plural(len(changes)-i, "more change")+" of this kind: see the comparison")
			break
		}
		list = append(list, f.changeWords(&ch))
	}
	if f.initial() {
		return list
	}
	lines := changedLines(f.site)
	if lines == nil && f.urls > 0 {
		lines = changedAnswer(f)
	}
	switch list = append(list, lines...); {
	case list != nil || f.site.Totals.NewlyBlocked+f.site.Totals.NewlyAllowed > 0:
		return list
	case f.changes[0].Kind == compare.KindShare:
		return []string{"No verdict changed. The URLs are different"}
	}
	return []string{changeWords(&f.changes[0])}
}

// inLogs returns sentences on what other crawlers did, and where the site's reports show it.
func inLogs(_ *Input, f *found) (list []string) {
	for i, ch := range f.changes[1:] {
		if i == maxChanges {
			list = append(list, wording.Plural(len(f.changes)-1-i, "more crawler"))
			break
		}
		list = append(list, ch.What+": "+ch.After)
	}
	return append(list, "The page of the site shows these requests in \"Crawlers in the logs\"")
}

// whenAsked returns sentences on the names of other crawlers, and where the site's reports show them.
func whenAsked(_ *Input, f *found) (list []string) {
	for i, ch := range f.changes[1:] {
		if i == maxChanges {
			list = append(list, wording.Plural(len(f.changes)-1-i, "more change")+" of this kind")
			break
		}
		list = append(list, upper(notLetIn(&ch)))
	}
	return append(list, "The page of the site shows these answers in \"Crawlers: written and enforced\"")
}

// changedAnswer returns sentences on a changed answer for the site's own robots.txt: the cause of
// flips without a changed line.
func changedAnswer(f *found) (list []string) {
	own := f.site.Own()
	for i := range f.site.Changes {
		ch := &f.site.Changes[i]
		if own != nil && ch.What == own.Name+robotsPath && ch.Condition != f.code && slices.Contains([]string{compare.KindStatus, compare.KindRedirect, compare.KindBody}, ch.Kind) {
			list = append(list, changeWords(ch))
		}
	}
	return list
}

// changeWords describe a change, or what was already so in the site's first run.
func (f *found) changeWords(ch *compare.Change) string {
	if f.initial() {
		return upper(ch.What) + ": " + orNone(ch.After)
	}
	return changeWords(ch)
}

func changeWords(ch *compare.Change) string {
	return fmt.Sprintf("%s, before: %s. Now: %s", upper(ch.What), orNone(ch.Before), orNone(ch.After))
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func upper(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' || strings.HasPrefix(text, "http") {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}

// changedLines returns sentences on the changed lines of the site's own robots.txt that flip most.
func changedLines(s *compare.Site) (list []string) {
	own := s.Own()
	if own == nil {
		return nil
	}
	var lines []compare.Line
	for _, l := range own.Diff {
		if l.NewlyBlocked+l.NewlyAllowed+l.Together > 0 {
			lines = append(lines, l)
		}
	}
	slices.SortStableFunc(lines, func(a, b compare.Line) int {
		return int(b.NewlyBlocked + b.NewlyAllowed - a.NewlyBlocked - a.NewlyAllowed)
	})
	for i := range lines {
		if i == maxChanged {
			return append(list, wording.Plural(len(lines)-i, "more changed line")+": see the comparison")
		}
		list = append(list, lineWords(&lines[i]))
	}
	return list
}

// lineWords describe a changed line.
func lineWords(l *compare.Line) string {
	var words string
	switch l.Op {
	case compare.Added:
		words = fmt.Sprintf("Line %s is new: %s", wording.Thousands(l.NewLine), quote(l.New))
	case compare.Removed:
		words = fmt.Sprintf("Line %s was removed: %s", wording.Thousands(l.OldLine), quote(l.Old))
	case compare.Edited:
		words = fmt.Sprintf("Line %s changed from %s to %s", wording.Thousands(l.NewLine), quote(l.Old), quote(l.New))
	default:
		words = fmt.Sprintf("Line %s moved to line %s: %s", wording.Thousands(l.OldLine), wording.Thousands(l.NewLine), quote(l.New))
	}
	if l.NewlyBlocked > 0 {
		words += "; " + wording.URLs(l.NewlyBlocked) + " newly blocked"
	}
	if l.NewlyAllowed > 0 {
		words += "; " + wording.URLs(l.NewlyAllowed) + " newly allowed"
	}
	if l.Together > 0 {
		words += "; together with other lines it changes " + wording.URLs(l.Together)
	}
	return words
}

// quoted returns a note in quotes, or says that there is none.
func quoted(note string) string {
	if note == "" {
		return "without a note"
	}
	return quote(note)
}

func quote(line string) string { return `"` + escape.Cut(strings.TrimSpace(line), 120) + `"` }

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// at is the time of an event in words: "at 07:00 CET", "on 3 Nov 2026 07:00 CET".
func (in *Input) at(t time.Time) string {
	if in.sameDay(t) {
		return "at " + in.clock(t)
	}
	return "on " + in.clock(t)
}

// clock is a time in words, without the day if it is the day of the run.
func (in *Input) clock(t time.Time) string {
	t = t.In(in.Started.Location())
	if in.sameDay(t) {
		return t.Format("15:04 MST")
	}
	return t.Format("2 Jan 2006 15:04 MST")
}

// sameDay reports whether a time is on the day of the run, in its time zone.
func (in *Input) sameDay(t time.Time) bool {
	return t.In(in.Started.Location()).Format(time.DateOnly) == in.Started.Format(time.DateOnly)
}

// length is a duration in its two largest units: "3 h 12 min", "2 days 4 h".
func length(d time.Duration) string {
	d = d.Round(time.Minute)
	days, hours, minutes := int(d/(24*time.Hour)), int(d/time.Hour)%24, int(d/time.Minute)%60
	switch {
	case d < 0:
		return "an unknown time (the clock was ahead)"
	case d < time.Minute:
		return "less than a minute"
	case days > 0 && hours == 0:
		return wording.Plural(days, "day")
	case days > 0:
		return fmt.Sprintf("%s %d h", wording.Plural(days, "day"), hours)
	case hours > 0 && minutes == 0:
		return fmt.Sprintf("%d h", hours)
	case hours > 0:
		return fmt.Sprintf("%d h %d min", hours, minutes)
	}
	return fmt.Sprintf("%d min", minutes)
}
