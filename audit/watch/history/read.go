package history

import (
	"context"
	"database/sql"
)

// querier is a pool, or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// readAll returns the rows of a query. fields returns pointers for the columns of a row.
func readAll[T any](ctx context.Context, from querier, fields func(*T) []any, query string, args ...any) (all []T, err error) {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	err = each(rows, func(rows *sql.Rows) error {
		var row T
		err := rows.Scan(fields(&row)...)
		all = append(all, row)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// list is readAll for a history.
func list[T any](ctx context.Context, db *DB, fields func(*T) []any, query string, args ...any) ([]T, error) {
	all, err := readAll(ctx, db.read, fields, query, args...)
	return all, db.explain(err)
}

// only returns the row of a query with at most one; ok = false if there is none.
func only[T any](ctx context.Context, db *DB, fields func(*T) []any, query string, args ...any) (row T, ok bool, err error) {
	all, err := list(ctx, db, fields, query, args...)
	if len(all) == 0 {
		return row, false, err
	}
	return all[0], true, nil
}

// textField is the field of rows with one column of text.
func textField(text *string) []any { return []any{text} }

// runFields are the columns of a run r that Run.fields reads.
const runFields = "r.id, r.folder, r.schedule, r.started, r.finished, r.program"

// fields returns pointers for the runFields of a row.
func (r *Run) fields() []any {
	return []any{storedName{&r.ID}, storedName{&r.Folder}, &r.Schedule, storedTime{&r.Started}, storedTime{&r.Finished}, &r.Program}
}

const runColumns = "SELECT " + runFields + " FROM run r "

// Runs returns all runs, the oldest first.
func (db *DB) Runs(ctx context.Context) ([]Run, error) {
	return list(ctx, db, (*Run).fields, runColumns+"ORDER BY run")
}

// LastRun returns the last run of a schedule; ok = false if there is none.
func (db *DB) LastRun(ctx context.Context, schedule string) (r Run, ok bool, err error) {
	return only(ctx, db, (*Run).fields, runColumns+"WHERE schedule = ? ORDER BY run DESC LIMIT 1", schedule)
}
