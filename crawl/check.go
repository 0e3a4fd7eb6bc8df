package crawl

import (
	"context"
	"errors"
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
// A context that ends so, or before the function it comes with is called, breaks its connections
// off: what the system has not sent yet, as with a network that is down, it never sends.
//
// It is called from several goroutines and must not block. All that is asked of one Site
// is asked with one check.
func WithCheck(ctx context.Context, check func() error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	c := &checking{ctx, cancel, check}
	return context.WithValue(ctx, checkKey{}, c), func() { cancel(errDone) }
}

// errDone ends a context of WithCheck whose site is done.
var errDone = errors.New("done")

// checking is what WithCheck adds to a context.
type checking struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	check  func() error
}

type checkKey struct{}

// checkOf returns the context's check; nil = it has none.
func checkOf(ctx context.Context) *checking {
	c, _ := ctx.Value(checkKey{}).(*checking)
	return c
}

// ask asks for the check, until it has failed.
func (c *checking) ask() error {
	if c.ctx.Err() == nil {
		if err := c.check(); err != nil {
			c.cancel(err)
		}
	}
	if cause := context.Cause(c.ctx); cause != nil {
		return &Error{CodeCancelled, cause}
	}
	return nil
}

// before has the check asked before a connection is begun.
func (c *checking) before(next controlFunc) controlFunc {
	return func(network, address string, raw syscall.RawConn) error {
		if err := c.ask(); err != nil || next == nil {
			return err
		}
		return next(network, address, raw)
	}
}

// checkedConn has a check asked before anything is written.
type checkedConn struct {
	net.Conn
	checking *checking
	forget   func() bool // that the connection is to be broken off
}

// conn watches over a connection: it is closed at once where the context ends before the site does.
func (c *checking) conn(of net.Conn) net.Conn {
	checked := &checkedConn{Conn: of, checking: c}
	checked.forget = context.AfterFunc(c.ctx, func() { checked.end() })
	return checked
}

func (c *checkedConn) Write(p []byte) (int, error) {
	if err := c.checking.ask(); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

func (c *checkedConn) Close() error {
	c.forget()
	return c.end()
}

// end closes the connection. Where the context has ended first, whatever the system has not sent
// is dropped: it would go on trying for minutes.
func (c *checkedConn) end() error {
	cause := context.Cause(c.checking.ctx)
	if tcp, ok := c.Conn.(*net.TCPConn); ok && cause != nil && cause != errDone {
		tcp.SetLinger(0) // an error is that it is closed
	}
	return c.Conn.Close()
}
