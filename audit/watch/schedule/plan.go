package schedule

import (
	"slices"
	"time"
)

// Entry is one schedule: which sites are audited, and when.
type Entry struct {
	Name    string // of its own among the entries of a plan; a-z, 0-9, "." "_" "-"
	Cron    Cron
	Domains string // file of sites, one a line
	Fleet   bool   // a fleet of machines does its runs
	CatchUp bool   // run once, late, where runs were missed; else what was missed is left out
}

// Plan says what runs when, and when no alerts are sent.
type Plan struct {
	Entries []Entry
	Windows []Window
}

// Entry is the entry of a name; nil = there is none.
func (p Plan) Entry(name string) *Entry {
	for i := range p.Entries {
		if e := &p.Entries[i]; e.Name == name {
			return e
		}
	}
	return nil
}

// Lists are the files of sites of all entries.
func (p Plan) Lists() (names []string) {
	for _, e := range p.Entries {
		names = append(names, e.Domains)
	}
	return names
}

// Due is a run that is to be made now.
type Due struct {
	Entry  Entry
	At     time.Time // the activation that it answers; the time of asking for a first run that no activation asks for
	Late   bool      // At is more than Punctual ago: runs were missed, and this one is made for all of them
	Missed int       // activations between the last run and At that were not answered; counted up to MaxMissed
}

// Punctual is how late a run may begin and still be on time: a machine that wakes up, a
// timer of systemd with its AccuracySec of a minute, a loop that looks once a minute.
const Punctual = 10 * time.Minute

// MaxMissed bounds Due.Missed.
const MaxMissed = 1000

// Due returns the runs that are to be made now, at most one of each entry, in the order
// of their activations. last is when each entry's last run began, by name. An entry that
// is not in it never ran and is due at once, unless it has CatchUp off: then it waits for
// its activation.
//
// since is when the caller last was free to begin a run: now, unless it has been busy
// with another one. An entry with CatchUp off leaves out an activation that is more than
// [Punctual] before that: so what came while another run was under way is not lost,
// and what came while the machine slept is.
func (p Plan) Due(now, since time.Time, last map[string]time.Time) (due []Due) {
	if since.IsZero() || since.After(now) {
		since = now
	}
	for _, e := range p.Entries {
		began, ran := last[e.Name]
		at := e.Cron.Last(now)
		d := Due{Entry: e, At: at, Late: at.Before(now.Add(-Punctual))}
		switch {
		case ran && !at.After(began): // answered, or there was none: at is zero
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

// Next returns the first activation after now, and its entry; ok is false where no entry
// has one.
func (p Plan) Next(now time.Time) (at time.Time, e Entry, ok bool) {
	for _, each := range p.Entries {
		if t := each.Cron.Next(now); !t.IsZero() && (!ok || t.Before(at)) {
			at, e, ok = t, each, true
		}
	}
	return at, e, ok
}
