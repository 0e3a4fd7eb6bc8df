package scheduling

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
	"robots-audit/engine/escape"
)

// Answer is a person's answer to an alert. They know of it and want no more messages until a day,
// or they accept the reported state as correct.
type Answer struct {
	Alert  string // its ID
	Accept bool   // the reported state is correct; Until is not used then
	Until  string // a day such as 2026-12-31, up to its end, or an RFC 3339 time
	Note   string
}

// Refusal says why an answer is rejected, in terms of the flags of "robots-audit schedule".
type Refusal struct{ why string }

func (r *Refusal) Error() string { return r.why }

func refuse(form string, args ...any) error { return &Refusal{fmt.Sprintf(form, args...)} }

// Enter stores the answer in the history of a folder, even while a schedule runs, and returns a
// sentence about it. A day of Until is in the time zone of now. The error is a *Refusal if the
// answer is wrong, otherwise the history cannot be used.
func (a Answer) Enter(ctx context.Context, dir string, now time.Time) (sentence string, err error) {
	var until time.Time
	if !a.Accept {
		if until, err = endOf(a.Until, now); err != nil {
			return "", err
		}
	}
	db, err := history.OpenBeside(ctx, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", refuse("%s: no history in %s yet. It begins with the first run", a.flag(), dir)
	} else if err != nil {
		return "", err
	}
	defer db.Close()
	of, err := db.Alert(ctx, a.Alert)
	switch {
	case errors.Is(err, history.ErrNoAlert):
		return "", refuse("%s: no such alert. Its ID is in each message", a.flag())
	case err != nil:
		return "", err
	case of.EndedRun != "":
		return "", refuse("%s: this alert is already resolved", a.flag())
	}
	site := escape.Printable(of.Site)
	if !a.Accept {
		err = db.Acknowledge(ctx, a.Alert, until, now, a.Note)
		return fmt.Sprintf("%s of %s is acknowledged until %s", of.Condition, site, until.Format("2006-01-02 15:04 MST")), err
	}
	if !alert.Acceptable(of.Condition) {
		return "", refuse("%s: robots.txt of %s could not be fetched, and this is never accepted. Use -ack to silence the alert until a day", a.flag(), site)
	}
	err = db.Accept(ctx, a.Alert, now, a.Note)
	return fmt.Sprintf("%s of %s is accepted as intended. The next run resolves the alert", of.Condition, site), err
}

// flag is the flag of the command that gives the answer.
func (a Answer) flag() string {
	if a.Accept {
		return "-accept " + a.Alert
	}
	return "-ack " + a.Alert
}

// endOf is the end of a day, or a given time, after now.
func endOf(text string, now time.Time) (until time.Time, err error) {
	if until, err = time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		until = until.AddDate(0, 0, 1)
	} else if until, err = time.Parse(time.RFC3339, text); err != nil {
		return until, refuse("-until %q: write a day such as 2026-12-31, or a time such as 2026-12-31T18:00:00Z", text)
	}
	if !until.After(now) {
		return until, refuse("-until %s: this is in the past", text)
	}
	return until, nil
}
