package job

import (
	"context"
	"errors"

	"robots-audit/audit/watch/history"
)

// Opener opens the history for the one process that makes its runs. It keeps the folder locked also
// while the database cannot be opened.
type Opener struct {
	Dir    string       // the history's folder
	unlock func() error // nil = the database has the lock, or it is free
}

// OwnedError means that another process makes the runs of a history.
type OwnedError struct{ Err error }

func (e *OwnedError) Error() string { return e.Err.Error() }

// Unwrap returns the error of opening the history.
func (e *OwnedError) Unwrap() error { return e.Err }

// Open opens the history, for Loop.Open. The error is an *OwnedError if another process makes its
// runs.
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

// Close unlocks a folder that is locked without a database.
func (o *Opener) Close() error {
	if o.unlock == nil {
		return nil
	}
	unlock := o.unlock
	o.unlock = nil
	return unlock()
}
