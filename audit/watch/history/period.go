package history

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// Activity counts what happened since a time.
type Activity struct {
	Runs    int
	Sites   int // of the last run of each schedule
	Changed int // sites with a change
}

const activityQuery = `SELECT (SELECT count(*) FROM run WHERE run > ` + newsStart + `),
(SELECT count(DISTINCT site) FROM site_run WHERE run IN (SELECT r.run FROM json_each(?3) j CROSS JOIN run r ON r.id = j.value)),
(SELECT count(DISTINCT c.site) FROM run r CROSS JOIN change c ON c.run = r.run WHERE r.run > ` + newsStart + ` AND c.kind <> 'crawlers')`

// ActivitySince counts the runs of NewsSince, and the sites of some runs: the last one of each
// schedule that audited all sites.
func (db *DB) ActivitySince(ctx context.Context, run string, t time.Time, last []string) (Activity, error) {
	ids, err := json.Marshal(last)
	if err != nil {
		return Activity{}, err
	}
	a, _, err := only(ctx, db, func(a *Activity) []any { return []any{&a.Runs, &a.Sites, &a.Changed} }, activityQuery, run, timeText(t), string(ids))
	return a, err
}

// News are the alerts that some runs have raised or ended.
type News struct {
	Raised, Ended []Alert
	Gone          []Alert // those that ended because the run no longer has their site
}

// newsStart is the last run before those of NewsSince.
const newsStart = "coalesce((SELECT run FROM run WHERE id = ?1), (SELECT max(run) FROM run WHERE finished <= ?2), 0)"

// NewsSince returns the alerts that runs entered after one of them have raised, and those that they
// have ended, without those that a message to a channel has reported. The runs are those after a
// run, or without one those that ended after a time.
func (db *DB) NewsSince(ctx context.Context, channel, run string, t time.Time) (n News, err error) {
	const after = " > " + newsStart + " AND a.text <> '' "
	const audited = "EXISTS (SELECT 1 FROM site_run WHERE run = a.ended_run AND site = a.site) "
	type event struct {
		alert string
		ended bool
	}
	reported, err := list(ctx, db, func(e *event) []any { return []any{&e.alert, &e.ended} }, `SELECT e.value ->> 'id', e.value ->> 'event' = 'ended'
FROM delivery d, json_each(CASE WHEN json_valid(d.message) THEN d.message ELSE '{}' END, '$.events') e
WHERE d.run >= `+newsStart+" AND d.channel = ?3 AND e.type = 'object'", run, timeText(t), channel)
	if err != nil {
		return n, err
	}
	for _, of := range []struct {
		to    *[]Alert
		where string
		ended bool
	}{
		{&n.Raised, "WHERE a.ended_run IS NULL AND a.raised_run" + after, false},
		{&n.Ended, "WHERE a.ended_run" + after + "AND " + audited, true},
		{&n.Gone, "WHERE a.ended_run" + after + "AND NOT " + audited, true},
	} {
		if *of.to, err = db.alerts(ctx, alertColumns+of.where+"ORDER BY s.name, a.condition, a.id", run, timeText(t)); err != nil {
			return n, err
		}
		*of.to = slices.DeleteFunc(*of.to, func(a Alert) bool { return slices.Contains(reported, event{a.ID, of.ended}) })
	}
	return n, nil
}

// HasDelivery reports whether a message was entered.
func (db *DB) HasDelivery(ctx context.Context, id string) (bool, error) {
	_, ok, err := only(ctx, db, textField, "SELECT id FROM delivery WHERE id = ?", id)
	return ok, err
}

// LastPeriod returns the newest run at the time of the last periodic message of a kind to a channel
// that was due before another, and when it was due; "" = there is none.
func (db *DB) LastPeriod(ctx context.Context, channel, kind string, before time.Time) (run string, due time.Time, err error) {
	type row struct {
		run string
		due time.Time
	}
	r, _, err := only(ctx, db, func(r *row) []any { return []any{&r.run, storedTime{&r.due}} }, `SELECT id, due FROM (
SELECT r.id AS id, `+periodField("kind")+" AS kind, "+periodField("due")+` AS due FROM delivery d JOIN run r ON r.run = d.run WHERE d.channel = ?)
WHERE kind = ? AND due < ? ORDER BY due DESC LIMIT 1`, channel, kind, before.UTC().Format(time.RFC3339))
	return r.run, r.due, err
}

// periodField is a field of a periodic message; NULL = the message is none, or was emptied.
func periodField(name string) string {
	return "CASE WHEN json_valid(d.message) THEN json_extract(d.message, '$.period." + name + "') END"
}

// NewestRun returns the ID of the run that was entered last; "" = there is none.
func (db *DB) NewestRun(ctx context.Context) (id string, err error) {
	id, _, err = only(ctx, db, textField, "SELECT id FROM run ORDER BY run DESC LIMIT 1")
	return id, err
}

// FirstRun returns the start of the first run; zero = there is none.
func (db *DB) FirstRun(ctx context.Context) (started time.Time, err error) {
	started, _, err = only(ctx, db, func(t *time.Time) []any { return []any{storedTime{t}} }, "SELECT min(started) FROM run")
	return started, err
}

// EnterDelivery enters a message that is not about a single run. told are the ids of messages that
// were given up, and that it reports.
func (db *DB) EnterDelivery(ctx context.Context, d Delivery, told ...string) error {
	return db.update(ctx, func(tx *Tx) error {
		if err := tx.SaveDelivery(d); err != nil {
			return err
		}
		return tx.MarkTold(told...)
	})
}
