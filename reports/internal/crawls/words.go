package crawls

import (
	"strconv"
	"strings"
	"time"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Moment and Day write a time in UTC: "24 Nov 2026, 06:12" and "24 Nov 2026".
func Moment(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04") }
func Day(t time.Time) string    { return t.UTC().Format("2 Jan 2006") }

// Period writes the days from one time to another; "" = there is none.
func Period(from, to time.Time) string {
	switch {
	case from.IsZero() || to.IsZero():
		return ""
	case Day(from) == Day(to):
		return Day(from)
	}
	return Day(from) + " to " + Day(to)
}

// RangesDay writes the day of the address lists as other days are written.
func RangesDay(day string) string {
	if t, err := time.Parse(time.DateOnly, day); err == nil {
		return Day(t)
	}
	return label(day)
}

// after writes how long after something another thing happened: "3 hours".
func after(d time.Duration) string {
	switch {
	case d < time.Hour:
		return wording.Plural(max(1, int64(d/time.Minute)), "minute")
	case d < 48*time.Hour:
		return wording.Plural(int64(d.Round(time.Hour)/time.Hour), "hour")
	}
	return wording.Plural(int64(d.Round(24*time.Hour)/(24*time.Hour)), "day")
}

// part writes a number with its share of a whole: "1,200 (12 %)".
func part(n, whole int64) string {
	if n == 0 || whole == 0 {
		return wording.Thousands(n)
	}
	return wording.Thousands(n) + " (" + wording.Percent(n, whole) + ")"
}

// sentence joins words to a sentence.
func sentence(words ...string) string { return strings.Join(words, "") + "." }

// requests and was fit a number.
func requests(n int64) string { return wording.Plural(n, "request") }
func was(n int64) string      { return wording.Verb(n, " was", " were") }

// all writes a number of things, all of them: "All 3 judged requests", "The only judged request".
func all(n int64, thing string) string {
	if n == 1 {
		return "The only " + thing
	}
	return "All " + wording.Plural(n, thing)
}

// longestName and longestRule bound texts of logs and of robots.txt in a sentence.
const (
	longestName = 60
	longestRule = 80
)

// label is a name from a log in a sentence. Names of unlisted crawlers are whatever clients send.
func label(name string) string {
	return escape.Cut(strings.ReplaceAll(escape.Show(name), "`", `\x60`), longestName)
}

// named lists crawlers with a number each, the largest three: "GPTBot (327), Bytespider (12) and 2 others". A
// single one has all of them, and needs no number.
func named(list []*Crawler, of func(*Crawler) int64) string {
	if len(list) == 1 {
		return label(list[0].Name)
	}
	const most = 3
	var names []string
	for _, c := range list[:min(most, len(list))] {
		names = append(names, label(c.Name)+" ("+wording.Thousands(of(c))+")")
	}
	if more := len(list) - most; more > 0 {
		names = append(names, wording.Plural(int64(more), "other"))
	}
	return wording.And(names)
}

// noRule names what blocks in place of a rule.
const noRule = "the answer for robots.txt"

// rule names a rule: "line 17 `Disallow: /a`".
func rule(line int, text string) string {
	if line == 0 {
		return noRule
	}
	return "line " + strconv.Itoa(line) + " " + escape.Quoted(upperFirst(text), longestRule)
}

func upperFirst(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] }
