package schedule

import (
	"slices"
	"time"
)

// Entry is one schedule: which sites are audited, and when.
type Entry struct {
	Name    string // unique among the entries of a plan; a-z, 0-9, "." "_" "-"
	Cron    Cron
	Domains string // file of sites, one a line
	Of      string // name of the entry whose sites are watched: this one only requests their robots.txt; "" = it makes audits
	Fleet   bool   // a fleet of machines does its runs
	First   First  // what the first run of a site reports; "" = FirstNone
	CatchUp bool   // replace missed runs by one late run; else missed runs are skipped
}

// First is what the first run of a site reports about conditions that are already there.
type First string

// What a first run reports.
const (
	FirstAlert   First = "alert"   // each is an open alert, and listed in the message
	FirstSummary First = "summary" // each is an open alert, and the message counts them
	FirstNone    First = "none"    // nothing: they are no alerts
)

// Plan says when runs start, and when no alerts are sent.
type Plan struct {
	Entries []Entry
	Windows []Window
}

// Entry returns the entry with a name; nil = none.
func (p Plan) Entry(name string) *Entry {
	for i := range p.Entries {
		if e := &p.Entries[i]; e.Name == name {
			return e
		}
	}
	return nil
}

// Lists returns the files of sites of all entries.
func (p Plan) Lists() (names []string) {
	for _, e := range p.Audits().Entries {
		names = append(names, e.Domains)
	}
	return names
}

// Audits is the plan without the entries that only request robots.txt.
func (p Plan) Audits() Plan {
	p.Entries = slices.DeleteFunc(slices.Clone(p.Entries), func(e Entry) bool { return e.Of != "" })
	return p
}

// Watches are the entries that only request robots.txt.
func (p Plan) Watches() []Entry {
	return slices.DeleteFunc(slices.Clone(p.Entries), func(e Entry) bool { return e.Of == "" })
}

// Due is a run to start now.
type Due struct {
	Entry  Entry
	At     time.Time // its activation; for a first run without an activation, the current time
	Late   bool      // At is more than Punctual ago: this run replaces missed ones
	Missed int       // unanswered activations between the last run and At, at most MaxMissed
}

// Punctual is the maximum delay of a run that is still on time. It covers a machine that wakes up,
// a systemd timer with its AccuracySec of a minute, and a loop that checks once a minute.
const Punctual = 10 * time.Minute

// MaxMissed bounds Due.Missed.
const MaxMissed = 1000

// Due returns the runs to start now, at most one for each entry, in the order of their activations.
// last is the start of each entry's last run, by name. An entry without a last run is due at once,
// unless CatchUp is off: then it waits for its activation.
//
// since is when the caller was last free to start a run: now, unless it was busy with another one.
// An entry with CatchUp off skips activations more than [Punctual] before that. So activations
// during another run are not lost, but those during sleep are.
func (p Plan) Due(now, since time.Time, last map[string]time.Time) (due []Due) {
	if since.IsZero() || since.After(now) {
		since = now
	}
	for _, e := range p.Entries {
		began, ran := last[e.Name]
		at := e.Cron.Last(now)
		d := Due{Entry: e, At: at, Late: at.Before(now.Add(-Punctual))}
		switch {
		case ran && !at.After(began): // answered, or at is zero: there was no activation
			continue
		case !ran && e.CatchUp && d.Late:
			d.At, d.Late = now.In(e.Cron.Zone()), false
		case !e.CatchUp && at.Before(since.Add(-Punctual)):
			continue
		}
		if ran {
			for t := e.Cron.Next(began); t.Before(at) && d.Missed < MaxMissed; t = e.Cron.Next(t) {
				d.Missed++
			}
		}
		due = append(due, d)
	}
	slices.SortStableFunc(due, func(a, b Due) int { return a.At.Compare(b.At) })
	return due
}

// Next returns the first activation after now, and its entry; ok is false if there is none.
func (p Plan) Next(now time.Time) (at time.Time, e Entry, ok bool) {
	for _, each := range p.Entries {
		if t := each.Cron.Next(now); !t.IsZero() && (!ok || t.Before(at)) {
			at, e, ok = t, each, true
		}
	}
	return at, e, ok
}
