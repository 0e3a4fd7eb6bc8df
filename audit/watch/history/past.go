package history

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"math"
	"sync"
	"time"

	"robots-audit/audit"
)

// PastReader reads the data of runs before one run, site by site. It sees the history at the time
// of opening. Close it soon after the last site, because later changes stay in the file next to
// history.db until then. Several goroutines may call its methods at once; they wait for each other.
//
// A site costs little. There is one transaction for all sites, with statements that are prepared
// once. Data shared by all sites is read once, and data that no site has is not queried.
type PastReader struct {
	db       *DB
	schedule string
	before   int64 // number of the run with the reports

	runs     map[int64]pastRun // the ones before it, by their numbers
	crawlers map[int64]string  // labels, by their numbers
	urls     bool              // some site has blocked URLs of the important list
	notes    bool              // some site has a note

	mu    sync.Mutex           // guards the following fields: a connection does one thing at a time
	conn  *sql.Conn            // in a transaction, which is not an sql.Tx: that starts a goroutine for each query
	quiet context.Context      // never done: see Tx
	stmts map[string]*sql.Stmt // by their text
}

// pastRun is the data that the reader keeps of a run.
type pastRun struct {
	id      string
	started time.Time
	own     bool // it belongs to the schedule
}

// OpenPast opens a reader for a run of a schedule. before is the id of the run, even if it is not
// entered yet.
func (db *DB) OpenPast(ctx context.Context, schedule, before string) (*PastReader, error) {
	conn, err := db.read.Conn(ctx)
	if err != nil {
		return nil, db.explain(err)
	}
	r := &PastReader{db: db, schedule: schedule, runs: map[int64]pastRun{}, crawlers: map[int64]string{}, conn: conn, quiet: context.WithoutCancel(ctx), stmts: map[string]*sql.Stmt{}}
	if _, err = conn.ExecContext(r.quiet, "BEGIN"); err == nil { // one snapshot for all reads
		err = r.readShared(before)
	}
	if err != nil {
		r.Close()
		return nil, db.explain(err)
	}
	return r, nil
}

// Close ends the reader.
func (r *PastReader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	for _, s := range r.stmts {
		err = errors.Join(err, s.Close())
	}
	if _, end := r.conn.ExecContext(r.quiet, "ROLLBACK"); end != nil {
		r.conn.Raw(func(any) error { return driver.ErrBadConn }) // closes it, because it must not be reused
		return r.db.explain(errors.Join(err, end))
	}
	return r.db.explain(errors.Join(err, r.conn.Close()))
}

// readShared reads the data shared by all sites.
func (r *PastReader) readShared(before string) error {
	found, err := r.row("SELECT run FROM run WHERE id = ?", []any{before}, &r.before)
	if err != nil {
		return err
	}
	if !found {
		r.before = math.MaxInt64
	}
	if _, err := r.row("SELECT EXISTS (SELECT 1 FROM url_blocked), EXISTS (SELECT 1 FROM note)", nil, &r.urls, &r.notes); err != nil {
		return err
	}
	err = r.each(func(rows *sql.Rows) error {
		var number int64
		var run pastRun
		err := rows.Scan(&number, &run.id, storedTime{&run.started}, &run.own)
		r.runs[number] = run
		return err
	}, "SELECT run, id, started, schedule = ? FROM run WHERE run < ?", r.schedule, r.before)
	if err != nil {
		return err
	}
	return r.each(func(rows *sql.Rows) error {
		var number int64
		var label string
		err := rows.Scan(&number, &label)
		r.crawlers[number] = label
		return err
	}, "SELECT crawler, label FROM crawler")
}

// query runs a statement, which is prepared once.
func (r *PastReader) query(text string, args ...any) (*sql.Rows, error) {
	s := r.stmts[text]
	if s == nil {
		var err error
		if s, err = r.conn.PrepareContext(r.quiet, text); err != nil {
			return nil, err
		}
		r.stmts[text] = s
	}
	return s.QueryContext(r.quiet, args...)
}

// each calls scan for the rows of a statement.
func (r *PastReader) each(scan func(*sql.Rows) error, text string, args ...any) error {
	rows, err := r.query(text, args...)
	if err != nil {
		return err
	}
	return each(rows, scan)
}

// row reads the only row of a statement; found = false if there is none.
func (r *PastReader) row(text string, args []any, to ...any) (found bool, err error) {
	err = r.each(func(rows *sql.Rows) error {
		found = true
		return rows.Scan(to...)
	}, text, args...)
	return found, err
}

// Past returns the data of runs before one run for a single site. Use PastReader for more than one.
func (db *DB) Past(ctx context.Context, site, schedule, before string) (*audit.Past, error) {
	r, err := db.OpenPast(ctx, schedule, before)
	if err != nil {
		return nil, err
	}
	past, err := r.Past(site)
	return past, errors.Join(err, r.Close())
}

// Settled returns the id of the last run of the schedule with a settled answer of a site; ok =
// false if there is none.
func (r *PastReader) Settled(site string) (runID string, ok bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rows, err := r.query("SELECT run FROM site_run WHERE site = (SELECT site FROM site WHERE name = ?) AND run < ? AND settled = 1 ORDER BY run DESC", site, r.before)
	if err != nil {
		return "", false, r.db.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var number int64
		if err := rows.Scan(&number); err != nil {
			return "", false, r.db.explain(err)
		}
		if run := r.runs[number]; run.own {
			return run.id, true, nil
		}
	}
	return "", false, r.db.explain(rows.Err())
}

// Knows reports whether any schedule has an earlier run of a site.
func (r *PastReader) Knows(site string) (known bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err = r.row("SELECT EXISTS (SELECT 1 FROM site_run WHERE site = (SELECT site FROM site WHERE name = ?) AND run < ?)", []any{site, r.before}, &known)
	return known, r.db.explain(err)
}

// Schedules returns the schedules whose last run has a site.
func (r *PastReader) Schedules(site string) (names []string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err = r.each(func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		names = append(names, name)
		return err
	}, `SELECT run.schedule FROM site_run JOIN run ON run.run = site_run.run WHERE site_run.site = (SELECT site FROM site WHERE name = ?)
AND run.run IN (SELECT max(run) FROM run WHERE run < ? GROUP BY schedule)`, site, r.before)
	return names, r.db.explain(err)
}

// Notes returns the latest notes of people in the workbooks of a site; "" = a removed note.
func (r *PastReader) Notes(site string) (map[audit.NoteKey]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	notes := map[audit.NoteKey]string{}
	if !r.notes {
		return notes, nil
	}
	err := r.each(func(rows *sql.Rows) error {
		var key audit.NoteKey
		var text string
		err := rows.Scan(&key.Kind, &key.ID, &text)
		notes[key] = text
		return err
	}, "SELECT kind, row_id, note FROM note WHERE site = (SELECT site FROM site WHERE name = ?)", site)
	return notes, r.db.explain(err)
}
