// Package acknowledgement enters what a person answers to an alert: that they know of it,
// and want to hear nothing more until a day; or that what it tells of is as it should be.
// It does so beside a schedule that runs. What cannot be entered as it was asked is a
// [Refusal], in words for who asked, by the flags of "robots-audit schedule"; any other
// error is a trouble of the history.
package acknowledgement

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"robots-audit/audit/history"
	"robots-audit/audit/schedule/alert"
	"robots-audit/engine/escape"
)

// Refusal says why something that was asked for cannot be entered.
type Refusal struct{ why string }

func (r *Refusal) Error() string { return r.why }

func refuse(form string, args ...any) error { return &Refusal{fmt.Sprintf(form, args...)} }

// Until enters in the history of a folder that somebody knows of an alert, and wants to
// hear nothing more until a day, as 2026-12-31, which counts to its end in the zone of now,
// or until a time of RFC 3339. It returns what is to be said of it.
func Until(ctx context.Context, dir, id, day string, now time.Time, note string) (said string, err error) {
	until, err := end(day, now)
	if err != nil {
		return "", err
	}
	db, a, err := open(ctx, dir, "-ack "+id, id)
	if err != nil {
		return "", err
	}
	defer db.Close()
	if err := db.Acknowledge(ctx, id, until, now, note); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s of %s is acknowledged until %s", a.Condition, escape.Printable(a.Site), until.Format("2006-01-02 15:04 MST")), nil
}

// end is the end of a day, or a time, after now.
func end(text string, now time.Time) (until time.Time, err error) {
	if until, err = time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		until = until.AddDate(0, 0, 1)
	} else if until, err = time.Parse(time.RFC3339, text); err != nil {
		return until, refuse("-until %q: want a day, as 2026-12-31, or a time, as 2026-12-31T18:00:00Z", text)
	}
	if !until.After(now) {
		return until, refuse("-until %s: that is over", text)
	}
	return until, nil
}

// Accept enters in the history of a folder that what an alert tells of is as it should be,
// and returns what is to be said of it.
func Accept(ctx context.Context, dir, id string, now time.Time, note string) (said string, err error) {
	db, a, err := open(ctx, dir, "-accept "+id, id)
	if err != nil {
		return "", err
	}
	defer db.Close()
	if !alert.Acceptable(a.Condition) {
		return "", refuse("-accept %s: robots.txt of %s cannot be had, which is never as it should be; -ack makes it silent until a day", id, escape.Printable(a.Site))
	}
	if err := db.Accept(ctx, id, now, note); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s of %s is accepted as it is now; the next run ends the alert", a.Condition, escape.Printable(a.Site)), nil
}

// open opens the history in a folder, and finds an alert in it that holds. about is what
// was asked for.
func open(ctx context.Context, dir, about, id string) (db *history.DB, a history.Alert, err error) {
	db, err = history.OpenBeside(ctx, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, a, refuse("%s: there is no history in %s yet", about, dir)
	} else if err != nil {
		return nil, a, err
	}
	a, err = db.Alert(ctx, id)
	switch {
	case errors.Is(err, history.ErrNoAlert):
		err = refuse("%s: there is no such alert", about)
	case err == nil && a.EndedRun != "":
		err = refuse("%s: this alert has ended already", about)
	}
	if err != nil {
		db.Close()
		return nil, a, err
	}
	return db, a, nil
}
