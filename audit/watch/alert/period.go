package alert

import (
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// The kinds of messages that are sent at set times.
const (
	KindDigest  = "digest"  // alerts that waited for this time
	KindSummary = "summary" // what happened, even if nothing did
)

// Period is the time that a message at a set time is about.
type Period struct {
	Kind    string    `json:"kind"`
	Due     time.Time `json:"due"`   // UTC: the set time
	From    time.Time `json:"since"` // UTC
	Runs    int       `json:"runs"`
	Sites   int       `json:"sites"`
	Changed int       `json:"sites_changed"`
	Open    int       `json:"open"` // alerts
	Oldest  time.Time `json:"oldest_open,omitzero"`
	Still   []string  `json:"open_alerts"`                // a text for each cause, most severe first, at most maxStill
	More    int       `json:"open_alerts_more,omitempty"` // open alerts with other causes
}

// maxStill bounds the causes of open alerts that are listed.
const maxStill = 20

// ID is the stable ID of the period's message to a channel.
func (p *Period) ID(channel string) string {
	return hash(channel, p.Kind, p.Due.UTC().Format(time.RFC3339))
}

// AddOpen adds the open alerts, most severe first. Alerts that were never reported are none. Those that
// one run raised on one site have one cause, and one text.
func (p *Period) AddOpen(open []history.Alert) {
	type cause struct{ site, run string }
	var causes []cause
	alerts := map[cause][]history.Alert{}
	for i := range open {
		a := &open[i]
		if a.Text == "" {
			continue
		}
		p.Open++
		if p.Oldest.IsZero() || a.Since.Before(p.Oldest) {
			p.Oldest = a.Since.UTC()
		}
		c := cause{a.Site, a.Raised}
		if alerts[c] == nil {
			causes = append(causes, c)
		}
		alerts[c] = append(alerts[c], *a)
	}
	for i, c := range causes {
		list := alerts[c]
		if i >= maxStill {
			p.More += len(list)
			continue
		}
		SortChange(list)
		a := &list[0]
		text := upper(compare.Severity(a.Severity).Word()) + ", since " + a.Since.UTC().Format("2 Jan 2006") + ": " + a.Text
		if n := len(list) - 1; n > 0 {
			text += " " + wording.Plural(n, "more alert") + " with this cause."
		}
		p.Still = append(p.Still, text)
	}
}

// Waits reports whether an event is sent with the next digest of a channel that has one. Critical
// ones are not, nor is what the first run of a site reports.
func (e *Event) Waits() bool { return e.Was != compare.Critical && !e.Initial }

// Urgent is the message without the events that wait for a digest. News of an alert that an earlier
// run raised does not wait, because a digest knows only when an alert was raised and resolved.
func (m Message) Urgent() Message {
	var events []Event
	for _, e := range m.Events {
		if !e.Waits() || e.Kind != Ended && !e.Since.Equal(m.At) {
			events = append(events, e)
		}
	}
	m.fill(events)
	return m
}

// Waited are the events of alerts that waited for a digest. at is the time of the digest, in its zone.
func Waited(news history.News, at time.Time) (events []Event) {
	for i := range news.Raised {
		a := &news.Raised[i]
		text := strings.TrimPrefix(a.Text, escape.Show(a.Site)+": ")
		events = append(events, Event{
			Kind: Raised, Alert: a.ID, Condition: a.Condition, Severity: compare.Severity(a.Severity), Was: compare.Severity(a.Severity), Site: escape.Show(a.Site),
			Since: a.Since.UTC(), Run: a.Raised, Text: a.Text, Details: []string{}, Next: NextStep(a), Initial: a.Base == "",
			Counts: URLCounts{Concerned: a.URLs}, Cause: strings.TrimSuffix(text, "."),
		})
	}
	over := func(list []history.Alert, side *compare.Side) {
		for i := range list {
			in := Input{Site: list[i].Site, Run: list[i].EndedRun, Started: at, Compared: &compare.Site{New: side}}
			events = append(events, in.event(Ended, &list[i], "", nil))
		}
	}
	over(news.Ended, &compare.Side{})
	over(news.Gone, nil)
	kept := events[:0]
	for _, e := range events {
		if e.Waits() {
			kept = append(kept, e)
		}
	}
	return kept
}

// sentence says what happened in the period of a message.
func (p *Period) sentence(m *Message) string {
	text := "Since " + m.clockOf(p.From) + ": "
	switch {
	case p.Runs == 0:
		text += "no run was stored"
	case p.Changed == 0:
		text += wording.Plural(p.Runs, "run") + ", and nothing changed on " + wording.Plural(p.Sites, "site")
	default:
		text += wording.Plural(p.Runs, "run") + ", and changes on " + wording.Thousands(p.Changed) + " of " + wording.Plural(p.Sites, "site")
	}
	return text + ". " + upper(p.open()) + "."
}

// open says how many alerts are open.
func (p *Period) open() string {
	switch p.Open {
	case 0:
		return "no alert is open"
	case 1:
		return "1 alert is open, since " + p.Oldest.Format("2 Jan 2006")
	}
	return wording.Plural(p.Open, "alert") + " are open, the oldest since " + p.Oldest.Format("2 Jan 2006")
}

// headline is the subject of a summary.
func (p *Period) headline() string {
	what := "Nothing changed on " + wording.Plural(p.Sites, "site")
	switch {
	case p.Runs == 0:
		what = "No run was stored since " + p.From.Format("2 Jan")
	case p.Changed > 0:
		what = "Changes on " + wording.Thousands(p.Changed) + " of " + wording.Plural(p.Sites, "site")
	}
	open := "no alert is open"
	if p.Open > 0 {
		open = wording.Plural(p.Open, "alert") + wording.Verb(p.Open, " is", " are") + " open"
	}
	return what + ", " + open
}
