package history

import (
	"context"
	"database/sql"
	"errors"
)

// list returns the rows of a query.
func list[T any](ctx context.Context, db *DB, scan func(interface{ Scan(...any) error }) (T, error), query string, args ...any) (all []T, err error) {
	rows, err := db.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, db.explain(err)
	}
	err = each(rows, func(rows *sql.Rows) error {
		one, err := scan(rows)
		all = append(all, one)
		return err
	})
	if err != nil {
		return nil, db.explain(err)
	}
	return all, nil
}

// runFields are those of a run r, as fields reads them.
const runFields = "r.id, r.folder, r.schedule, r.started, r.finished, r.program"

// fields are where a row's runFields go, and what follows them.
func (r *Run) fields(more ...any) []any {
	return append([]any{storedName{&r.ID}, storedName{&r.Folder}, &r.Schedule, storedTime{&r.Started}, storedTime{&r.Finished}, &r.Program}, more...)
}

const runColumns = "SELECT " + runFields + " FROM run r "

func scanRun(row interface{ Scan(...any) error }) (r Run, err error) {
	err = row.Scan(r.fields()...)
	return r, err
}

// Runs returns all runs, the oldest first.
func (db *DB) Runs(ctx context.Context) ([]Run, error) {
	return list(ctx, db, scanRun, runColumns+"ORDER BY run")
}

// LastRun returns the last run of a schedule: ok = false where it has none.
func (db *DB) LastRun(ctx context.Context, schedule string) (r Run, ok bool, err error) {
	r, err = scanRun(db.read.QueryRowContext(ctx, runColumns+"WHERE schedule = ? ORDER BY run DESC LIMIT 1", schedule))
	if errors.Is(err, sql.ErrNoRows) {
		return Run{}, false, nil
	}
	return r, err == nil, db.explain(err)
}

// Settled returns the id of the last run of a schedule in which a site's answer was
// settled: ok = false where there is none.
func (db *DB) Settled(ctx context.Context, site, schedule string) (runID string, ok bool, err error) {
	err = db.read.QueryRowContext(ctx, `SELECT r.id FROM site_run s JOIN run r ON r.run = s.run
WHERE s.site = (SELECT site FROM site WHERE name = ?) AND s.settled = 1 AND r.schedule = ? ORDER BY s.run DESC LIMIT 1`, site, schedule).Scan(storedName{&runID})
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return runID, err == nil, db.explain(err)
}
