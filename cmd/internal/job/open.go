package job

import (
	"context"
	"errors"

	"robots-audit/audit/watch/history"
)

// Opener opens the history of the process that makes its runs, of which there is one: it
// keeps the folder locked also while the database cannot be opened.
type Opener struct {
	Dir    string       // the history's folder
	unlock func() error // nil = the database has the lock, or nobody
}

// OwnedError is that another process makes the runs of a history.
type OwnedError struct{ Err error }

func (e *OwnedError) Error() string { return e.Err.Error() }

// Unwrap returns the error with which the history could not be opened.
func (e *OwnedError) Unwrap() error { return e.Err }

// Open opens the history, as Loop.Open is to. The error is an *OwnedError where somebody
// else makes its runs.
func (o *Opener) Open(ctx context.Context) (*history.DB, error) {
	o.Close() // the database takes the lock itself
	db, err := history.Open(ctx, o.Dir)
	if err == nil {
		return db, nil
	}
	unlock, lockErr := history.Lock(o.Dir)
	if errors.Is(lockErr, history.ErrLocked) {
		return nil, &OwnedError{err}
	}
	o.unlock = unlock
	return nil, err
}

// Close gives the folder back that is locked without a database.
func (o *Opener) Close() error {
	if o.unlock == nil {
		return nil
	}
	unlock := o.unlock
	o.unlock = nil
	return unlock()
}
