package crawl

import (
	"context"
	"net"
	"syscall"
)

// WithCheck returns a context for sites that may be asked only as long as check returns
// nil: as long as a lease is held, say, which another takes over where this process was
// paused for too long. check is asked before a name is looked up, before a connection is
// begun, and before anything is written to one, which is right before each request: after
// all waiting, whatever it was for. Where it returns an error, nothing is sent, the context
// ends with that error as its cause, and check is asked no more; so a request ends as
// where its context was cancelled, with CodeCancelled.
//
// It is called from several goroutines and must not block. All that is asked of one Site
// is asked with one check.
func WithCheck(ctx context.Context, check func() error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	once := func() error {
		if ctx.Err() == nil {
			if err := check(); err != nil {
				cancel(err)
			}
		}
		if cause := context.Cause(ctx); cause != nil {
			return &Error{CodeCancelled, cause}
		}
		return nil
	}
	return context.WithValue(ctx, checkKey{}, once), func() { cancel(nil) }
}

type checkKey struct{}

// checkOf returns the context's check; nil = it has none.
func checkOf(ctx context.Context) func() error {
	check, _ := ctx.Value(checkKey{}).(func() error)
	return check
}

// checked has a check asked before a connection is begun.
func checked(check func() error, next controlFunc) controlFunc {
	return func(network, address string, c syscall.RawConn) error {
		if err := check(); err != nil || next == nil {
			return err
		}
		return next(network, address, c)
	}
}

// checkedConn has a check asked before anything is written.
type checkedConn struct {
	net.Conn
	check func() error
}

func (c *checkedConn) Write(p []byte) (int, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
