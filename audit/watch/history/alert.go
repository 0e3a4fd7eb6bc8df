package history

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// SaveAlert stores an alert, or its new state, without its acknowledgement. It returns ErrNoRun if
// one of its runs has not been entered.
func (tx *Tx) SaveAlert(a Alert) error {
	site, err := tx.siteNumber(a.Site)
	if err != nil {
		return err
	}
	base, err := tx.runNumber(a.Base)
	if err != nil {
		return err
	}
	raised, err := tx.runNumber(a.Raised)
	if err != nil {
		return err
	}
	ended, err := tx.runNumber(a.EndedRun)
	if err != nil {
		return err
	}
	if a.Subjects == nil {
		a.Subjects = []string{}
	}
	subjects, err := json.Marshal(a.Subjects)
	if err != nil {
		return err
	}
	err = tx.do(`INSERT INTO alert (id, site, condition, severity, base_run, raised_run, since, ended_run, ended, subjects, urls, text)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET site = excluded.site, condition = excluded.condition, severity = excluded.severity, base_run = excluded.base_run,
 raised_run = excluded.raised_run, since = excluded.since, ended_run = excluded.ended_run, ended = excluded.ended,
 subjects = excluded.subjects, urls = excluded.urls, text = excluded.text`,
		a.ID, site, a.Condition, a.Severity, base, raised, timeText(a.Since), ended, nullTime(a.Ended), string(subjects), a.URLs, a.Text)
	if err != nil {
		return fmt.Errorf("alert %s (%s of %q): %w", a.ID, a.Condition, a.Site, err)
	}
	return nil
}

// alertColumns are the columns that Alert.fields reads, with the alert's last acknowledgement and its owner.
const alertColumns = `SELECT a.id, s.name, a.condition, a.severity, coalesce(b.id, ''), r.id, a.since, coalesce(e.id, ''), a.ended, a.subjects, a.urls, a.text, k.until, CASE k.accepted WHEN 1 THEN k.at END, coalesce(k.note, ''), coalesce(o.owner, '')
FROM alert a JOIN site s ON s.site = a.site JOIN run r ON r.run = a.raised_run
LEFT JOIN alert_owner o ON o.alert = a.id LEFT JOIN run b ON b.run = a.base_run LEFT JOIN run e ON e.run = a.ended_run
LEFT JOIN acknowledgement k ON k.alert = a.id AND k.at = (SELECT max(at) FROM acknowledgement WHERE alert = a.id)
`

func (a *Alert) fields() []any {
	return []any{&a.ID, &a.Site, &a.Condition, &a.Severity, &a.Base, &a.Raised, storedTime{&a.Since}, &a.EndedRun, storedTime{&a.Ended},
		storedList{&a.Subjects}, &a.URLs, &a.Text, storedTime{&a.Acknowledged}, storedTime{&a.Accepted}, &a.Note, &a.Owner}
}

// listAlerts returns the rows of a query that names alert_owner. A history has this table once a program that knows
// owners has opened it for writing. Before, no alert has an owner.
func listAlerts[T any](ctx context.Context, db *DB, fields func(*T) []any, query string, args ...any) ([]T, error) {
	_, known, err := only(ctx, db, textField, "SELECT name FROM sqlite_schema WHERE name = 'alert_owner'")
	if err != nil {
		return nil, err
	}
	if !known {
		query = strings.ReplaceAll(query, " alert_owner ", " (SELECT '' AS alert, '' AS owner) ")
	}
	return list(ctx, db, fields, query, args...)
}

// storedList reads a column with a JSON list of texts.
type storedList struct{ list *[]string }

// Scan is called by package sql.
func (s storedList) Scan(value any) error {
	text, _ := value.(string)
	return json.Unmarshal([]byte(text), s.list)
}

// OpenAlerts returns the open alerts, in order of site and condition. While a history is rebuilt,
// acceptances come from the old file.
func (db *DB) OpenAlerts(ctx context.Context) ([]Alert, error) {
	return db.alerts(ctx, alertColumns+"WHERE a.ended_run IS NULL ORDER BY s.name, a.condition, a.id")
}

// OpenCount counts the open alerts.
func (db *DB) OpenCount(ctx context.Context) (n int, err error) {
	n, _, err = only(ctx, db, func(n *int) []any { return []any{n} }, "SELECT count(*) FROM alert WHERE ended_run IS NULL")
	return n, err
}

// EndedSince returns the alerts that ended at a time or later, in order of site and condition.
func (db *DB) EndedSince(ctx context.Context, t time.Time) ([]Alert, error) {
	return db.alerts(ctx, alertColumns+"WHERE a.ended >= ? ORDER BY s.name, a.condition, a.id", timeText(t))
}

// alerts returns the alerts of a query of alertColumns.
func (db *DB) alerts(ctx context.Context, query string, args ...any) ([]Alert, error) {
	alerts, err := listAlerts(ctx, db, (*Alert).fields, query, args...)
	if err == nil && db.carry != nil {
		err = db.carry.addAccepted(ctx, alerts)
	}
	return alerts, err
}

// Alert returns an alert; ErrNoAlert if there is none with that id.
func (db *DB) Alert(ctx context.Context, id string) (Alert, error) {
	found, err := listAlerts(ctx, db, (*Alert).fields, alertColumns+"WHERE a.id = ?", id)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s: %w: %q", db.file, ErrNoAlert, id)
	}
	if err != nil {
		return Alert{}, err
	}
	return found[0], nil
}

// Decision is what a user decides about alerts.
type Decision struct {
	Assign bool      // only their owner; otherwise also an acknowledgement, or an acceptance
	Accept bool      // the changes are intended
	Until  time.Time // end of an acknowledgement
	Note   string
	Owner  string // who works on them; "" = as before, with Assign nobody
}

// Acknowledge records at a time that a user knows of alerts, and wants no more reports about them
// until another time: of all of them, or of none. The last acknowledgement counts. If its until is
// not after at, it revokes the earlier one. ErrNoAlert if there is no alert with one of the ids.
func (db *DB) Acknowledge(ctx context.Context, ids []string, until, at time.Time, note string) error {
	return db.Decide(ctx, ids, at, Decision{Until: until, Note: note})
}

// Accept records at a time that the changes of alerts are intended: of all of them, or of none. The
// first run that starts after that, and can be judged, ends them. An acknowledgement before that
// run revokes it. ErrNoAlert if there is no alert with one of the ids.
func (db *DB) Accept(ctx context.Context, ids []string, at time.Time, note string) error {
	return db.Decide(ctx, ids, at, Decision{Accept: true, Note: note})
}

// Decide records a decision about alerts at a time: about all of them, or about none. See
// Acknowledge and Accept. An owner belongs to one alert: a later alert of the same condition has none.
func (db *DB) Decide(ctx context.Context, ids []string, at time.Time, d Decision) error {
	if d.Accept {
		d.Until = at
	}
	return db.update(ctx, func(tx *Tx) error {
		if err := tx.do(ownerTable); err != nil { // the file is of an earlier program
			return err
		}
		for _, id := range ids {
			_, found, err := tx.number("SELECT 1 FROM alert WHERE id = ?", id)
			if err == nil && !found {
				err = fmt.Errorf("%s: %w: %q", db.file, ErrNoAlert, id)
			}
			if err == nil && !d.Assign {
				err = tx.do("INSERT OR REPLACE INTO acknowledgement (alert, at, until, note, accepted) VALUES (?, ?, ?, ?, ?)", id, timeText(at), timeText(d.Until), d.Note, d.Accept)
			}
			if err == nil && (d.Assign || d.Owner != "") {
				err = tx.do("INSERT OR REPLACE INTO alert_owner (alert, owner) VALUES (?, ?)", id, d.Owner)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
