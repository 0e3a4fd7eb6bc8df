package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Tx enters a run, completely or not at all. It is for one goroutine. Other writes wait until it
// ends; reads of the DB see the state before it.
type Tx struct {
	db    *DB
	ctx   context.Context
	quiet context.Context // ctx without its end: otherwise SQLite's driver starts a goroutine for each statement
	tx    *sql.Tx

	run      int64  // number of the run of the last AddRun; 0 = none yet
	id       string // of it
	schedule string // of it
	totals   struct{ sites, known, blocked int64 }

	stmts    map[string]*sql.Stmt // by their text
	batches  map[string]*batch    // by their INSERT
	again    []any                // numbers of versions that are served again, not entered yet
	crawlers map[string]int64     // numbers, by label
	runs     map[string]int64     // numbers, by id
}

// Begin begins a transaction; ErrLocked if another process is writing to the file. ctx is valid for
// the whole transaction.
func (db *DB) Begin(ctx context.Context) (*Tx, error) {
	if db.write == nil {
		return nil, fmt.Errorf("%s: %w: it was opened for reading", db.file, ErrReadOnly)
	}
	tx, err := db.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, db.explain(err)
	}
	return &Tx{db: db, ctx: ctx, quiet: context.WithoutCancel(ctx), tx: tx, stmts: map[string]*sql.Stmt{}, batches: map[string]*batch{}, crawlers: map[string]int64{}, runs: map[string]int64{}}, nil
}

// update runs a function in its own transaction.
func (db *DB) update(ctx context.Context, do func(*Tx) error) error {
	tx, err := db.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Commit ends the transaction. When it returns nil, all data is on the disk.
func (tx *Tx) Commit() error {
	if err := tx.endRun(); err != nil {
		return err
	}
	return tx.db.explain(tx.tx.Commit())
}

// Rollback ends the transaction without changes, unless it was committed.
func (tx *Tx) Rollback() error {
	if err := tx.tx.Rollback(); !errors.Is(err, sql.ErrTxDone) {
		return tx.db.explain(err)
	}
	return nil
}

// stmt returns a statement, prepared once.
func (tx *Tx) stmt(query string) (*sql.Stmt, error) {
	if s := tx.stmts[query]; s != nil {
		return s, nil
	}
	s, err := tx.tx.PrepareContext(tx.quiet, query) // closed with the transaction
	if err != nil {
		return nil, tx.db.explain(err)
	}
	tx.stmts[query] = s
	return s, nil
}

// exec runs a statement.
func (tx *Tx) exec(query string, args ...any) (sql.Result, error) {
	s, err := tx.stmt(query)
	if err != nil {
		return nil, err
	}
	res, err := s.ExecContext(tx.quiet, args...)
	return res, tx.db.explain(err)
}

// do runs a statement, and returns only its error.
func (tx *Tx) do(query string, args ...any) error {
	_, err := tx.exec(query, args...)
	return err
}

// number returns the first column of a statement's only row; found = false if there is none.
func (tx *Tx) number(query string, args ...any) (n int64, found bool, err error) {
	s, err := tx.stmt(query)
	if err != nil {
		return 0, false, err
	}
	err = s.QueryRowContext(tx.quiet, args...).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return n, err == nil, tx.db.explain(err)
}

// each calls scan for each of the rows, and closes them.
func each(rows *sql.Rows, scan func(*sql.Rows) error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// AddRun begins a run, to which the following sites belong. It must be later than all entered runs.
func (tx *Tx) AddRun(r Run) error {
	if tx.db.carry != nil {
		tx.db.carry.replayed(r.ID)
		if err := tx.db.carry.before(tx, r); err != nil {
			return err
		}
	}
	return tx.addRun(r)
}

func (tx *Tx) addRun(r Run) error {
	if err := tx.endRun(); err != nil {
		return err
	}
	_, found, err := tx.number("SELECT run FROM run WHERE id = ?", r.ID)
	switch {
	case err != nil:
		return err
	case found:
		return fmt.Errorf("%s: the run %s is already in the history", tx.db.file, r.ID)
	}
	res, err := tx.exec(`INSERT INTO run (id, folder, schedule, started, finished, program, sites, known, blocked) VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0)`,
		r.ID, r.Folder, r.Schedule, timeText(r.Started), timeText(r.Finished), r.Program)
	if err != nil {
		return err
	}
	tx.run, err = res.LastInsertId()
	tx.id, tx.schedule = r.ID, r.Schedule
	tx.runs[r.ID] = tx.run
	return err
}

// endRun enters the waiting rows, and the totals of the run.
func (tx *Tx) endRun() error {
	if tx.run == 0 {
		return nil
	}
	if err := tx.flush(); err != nil {
		return err
	}
	t := tx.totals
	tx.totals.sites, tx.totals.known, tx.totals.blocked = 0, 0, 0
	err := tx.do("UPDATE run SET sites = ?, known = ?, blocked = ? WHERE run = ?", t.sites, t.known, t.blocked, tx.run)
	tx.run = 0
	return err
}

// runNumber returns the number of a run, NULL for ""; ErrNoRun if it has not been entered.
func (tx *Tx) runNumber(id string) (n sql.NullInt64, err error) {
	if id == "" {
		return n, nil
	}
	if known := tx.runs[id]; known != 0 {
		return sql.NullInt64{Int64: known, Valid: true}, nil
	}
	n.Int64, n.Valid, err = tx.number("SELECT run FROM run WHERE id = ?", id)
	if err == nil && !n.Valid {
		err = fmt.Errorf("%s: %w: %q", tx.db.file, ErrNoRun, id)
	}
	if err == nil {
		tx.runs[id] = n.Int64
	}
	return n, err
}

// siteNumber returns the number of a site. It enters a new site.
func (tx *Tx) siteNumber(name string) (int64, error) {
	return tx.numberOrNew("SELECT site FROM site WHERE name = ?", "INSERT INTO site (name) VALUES (?)", name)
}

// crawlerNumber returns the number of a crawler. It enters a new crawler.
func (tx *Tx) crawlerNumber(label string) (n int64, err error) {
	if n := tx.crawlers[label]; n != 0 {
		return n, nil
	}
	n, err = tx.numberOrNew("SELECT crawler FROM crawler WHERE label = ?", "INSERT INTO crawler (label) VALUES (?)", label)
	if err == nil {
		tx.crawlers[label] = n
	}
	return n, err
}

func (tx *Tx) numberOrNew(get, add, name string) (int64, error) {
	n, found, err := tx.number(get, name)
	if found || err != nil {
		return n, err
	}
	return tx.insert(add, name)
}

// insert runs a statement that enters a row, and returns its number.
func (tx *Tx) insert(query string, args ...any) (int64, error) {
	res, err := tx.exec(query, args...)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

const timeLayout = "2006-01-02T15:04:05Z"

// timeText formats a time for storage. Texts sort like times.
func timeText(t time.Time) string { return t.UTC().Format(timeLayout) }

// nullTime formats a time for storage, NULL for the zero time.
func nullTime(t time.Time) sql.NullString {
	return sql.NullString{String: timeText(t), Valid: !t.IsZero()}
}

// storedTime reads a column with a time; NULL and "" become the zero time.
type storedTime struct{ *time.Time }

// Scan is called by package sql.
func (s storedTime) Scan(value any) (err error) {
	text, _ := value.(string)
	if *s.Time = (time.Time{}); text != "" {
		*s.Time, err = time.Parse(timeLayout, text)
	}
	return err
}
