package history

import (
	"context"
	"time"
)

// Activity counts what happened since a time.
type Activity struct {
	Runs    int
	Sites   int // of the last run of each schedule
	Changed int // sites with a change
}

const activityQuery = `SELECT (SELECT count(*) FROM run WHERE started > ?1),
(SELECT count(DISTINCT site) FROM site_run WHERE run IN (SELECT max(run) FROM run GROUP BY schedule)),
(SELECT count(DISTINCT c.site) FROM run r CROSS JOIN change c ON c.run = r.run WHERE r.started > ?1 AND c.kind <> 'crawlers')`

// ActivitySince counts the runs after a time, and their sites.
func (db *DB) ActivitySince(ctx context.Context, t time.Time) (Activity, error) {
	a, _, err := only(ctx, db, func(a *Activity) []any { return []any{&a.Runs, &a.Sites, &a.Changed} }, activityQuery, timeText(t))
	return a, err
}

// NewsSince returns the alerts that runs entered after one of them have raised, and those that they
// have ended. They were reported, or wait for a digest. The runs are those after a run, or without
// one those that ended after a time.
func (db *DB) NewsSince(ctx context.Context, run string, t time.Time) (raised, ended []Alert, err error) {
	const after = " > coalesce((SELECT run FROM run WHERE id = ?1), (SELECT max(run) FROM run WHERE finished <= ?2), 0) AND a.text <> '' ORDER BY s.name, a.condition, a.id"
	if raised, err = db.alerts(ctx, alertColumns+"WHERE a.ended_run IS NULL AND a.raised_run"+after, run, timeText(t)); err == nil {
		ended, err = db.alerts(ctx, alertColumns+"WHERE a.ended_run"+after, run, timeText(t))
	}
	return raised, ended, err
}

// HasDelivery reports whether a message was entered.
func (db *DB) HasDelivery(ctx context.Context, id string) (bool, error) {
	_, ok, err := only(ctx, db, textField, "SELECT id FROM delivery WHERE id = ?", id)
	return ok, err
}

// LastPeriod returns the newest run at the time of the last periodic message of a kind to a channel,
// and when that was due; "" = there is none.
func (db *DB) LastPeriod(ctx context.Context, channel, kind string) (run string, due time.Time, err error) {
	type row struct {
		run string
		due time.Time
	}
	r, _, err := only(ctx, db, func(r *row) []any { return []any{&r.run, storedTime{&r.due}} }, `SELECT r.id, json_extract(d.message, '$.period.due')
FROM delivery d JOIN run r ON r.run = d.run WHERE d.channel = ? AND json_extract(d.message, '$.period.kind') = ? ORDER BY d.entered DESC LIMIT 1`, channel, kind)
	return r.run, r.due, err
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

// EnterDelivery enters a message that is not about a single run.
func (db *DB) EnterDelivery(ctx context.Context, d Delivery) error {
	return db.update(ctx, func(tx *Tx) error { return tx.SaveDelivery(d) })
}
