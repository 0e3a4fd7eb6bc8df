package alert

import (
	"time"

	"robots-audit/audit/compare"
)

// TestNote is the first line of a message that only shows that messages arrive.
const TestNote = "Test: messages of robots-audit arrive here. This is an example of an alert. Nothing is wrong."

// Example is a test message to a channel: an alert of an invented site, which has begun or ended.
// It has the form of a real one, so that it shows people and templates what an alert looks like.
func Example(channel string, kind Kind, at time.Time) Message {
	at = at.Truncate(time.Second)
	e := Event{
		Kind: kind, Alert: "test-" + hash(channel, at.UTC().Format(time.RFC3339)), Condition: "AL01", Severity: compare.Critical, Was: compare.Critical,
		Site: "shop.example", Since: at.UTC(), Run: at.UTC().Format("20060102T150405Z"),
		Text:    "shop.example: the home page is blocked for Googlebot by line 2 (Disallow: /). 1,204 URLs are newly blocked.",
		Cause:   "the home page is blocked for Googlebot by line 2 (Disallow: /)",
		Details: []string{`Line 2 is new: "Disallow: /"; 1,204 URLs newly blocked.`},
		Next:    conditionOf("AL01").next,
		Counts:  URLCounts{Concerned: 1204, Known: 1204, Blocked: 1204, NewlyBlocked: 1204},
	}
	if kind == Ended {
		end := at.UTC()
		e.Since = end.Add(-3 * time.Hour)
		e.Severity, e.Ended, e.Length, e.Next, e.Details = compare.Info, &end, "3 h", "", []string{}
		e.Text, e.Cause = "shop.example: the home page is allowed again. It was blocked for 3 h.", "the home page is allowed again"
	}
	m, _ := Digest(Context{Run: e.Run, Schedule: "test", At: at}, []Event{e})
	m, _ = m.Filter(channel, compare.Info, nil)
	m.Test, m.Lead = true, TestNote+"\n"+m.Lead
	return m
}
