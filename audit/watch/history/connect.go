package history

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"strconv"
)

// Close closes the file and releases the lock.
func (db *DB) Close() error {
	err := db.closeFiles()
	if db.carry != nil {
		err = errors.Join(err, db.carry.close())
	}
	if db.lock != nil {
		err = errors.Join(err, db.lock.Unlock())
	}
	return err
}

// closeFiles closes the file, and keeps the lock.
func (db *DB) closeFiles() (err error) {
	for _, pool := range []**sql.DB{&db.read, &db.write} { // the last one to close moves the log into the file
		if *pool != nil {
			err = errors.Join(err, db.explain((*pool).Close()))
			*pool = nil
		}
	}
	return err
}

// fold moves the write-ahead log into the file, which is then complete without it, and may be
// renamed. Closing the file also does so, but reports no error if the disk is full.
func (db *DB) fold(ctx context.Context) error {
	var busy, pages, moved int
	err := db.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
	if err == nil && busy != 0 {
		err = errors.New("the write-ahead log could not be moved into the file")
	}
	return db.explain(err)
}

// connectWrite opens the only connection that writes. A commit is on the disk when it returns
// (synchronous = full). Foreign keys are not checked, because rows refer to numbers that this
// package has just read or made. Without the checks, entering a first run takes a fifth less. Tests
// check that all references are valid.
func (db *DB) connectWrite() (err error) {
	db.write, err = db.connect(url.Values{"mode": {"rw"}, "_txlock": {"immediate"}, "_journal_mode": {"wal"}, "_synchronous": {"full"}, "_foreign_keys": {"off"}})
	if err == nil {
		db.write.SetMaxOpenConns(1)
	}
	return err
}

// connectRead opens connections that read.
func (db *DB) connectRead(immutable bool) (err error) {
	values := url.Values{"mode": {"ro"}}
	if immutable {
		values.Set("immutable", "1")
	}
	db.read, err = db.connect(values)
	if err == nil {
		db.read.SetMaxOpenConns(4)
		db.read.SetMaxIdleConns(4) // opening one, and preparing its statements, takes longer than the reads for a site
	}
	return err
}

func (db *DB) connect(values url.Values) (*sql.DB, error) {
	name, err := filepath.Abs(db.file)
	if err != nil {
		return nil, err
	}
	values.Set("_busy_timeout", strconv.FormatInt(db.options.busy.Milliseconds(), 10))
	values.Set("_error_rc", "1")
	values.Set("_dqs", "0")
	name = filepath.ToSlash(name)
	if name[0] != '/' { // C:/…
		name = "/" + name
	}
	return sql.Open("sqlite", (&url.URL{Scheme: "file", Path: name, RawQuery: values.Encode()}).String())
}
