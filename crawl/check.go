package crawl

import (
	"context"
	"errors"
	"net"
	"syscall"
)

// WithCheck returns a context for sites that may be asked only while check returns nil. For
// example, a lease may pass to another process if this process was paused for too long. check is
// called before a name is looked up, before a connection is opened, and before each write to
// one, after all waiting. If it returns an error, nothing is sent, the context ends with that
// error as its cause, and check is not called again. The request then ends as if its context was
// cancelled, with CodeCancelled.
//
// If the context ends in this way, or before the returned function is called, its connections
// are aborted. Data that the system has not sent yet, for example because the network is down,
// is never sent.
//
// check is called from several goroutines and must not block. All requests of one Site must use
// the same check.
func WithCheck(ctx context.Context, check func() error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	c := &checking{ctx, cancel, check}
	return context.WithValue(ctx, checkKey{}, c), func() { cancel(errDone) }
}

// errDone ends a context of WithCheck when its site is finished.
var errDone = errors.New("done")

// checking is the data that WithCheck adds to a context.
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

// ask calls the check, until it has failed once.
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

// before adds the check before a connection is opened.
func (c *checking) before(next controlFunc) controlFunc {
	return func(network, address string, raw syscall.RawConn) error {
		if err := c.ask(); err != nil || next == nil {
			return err
		}
		return next(network, address, raw)
	}
}

// checkedConn calls a check before each write.
type checkedConn struct {
	net.Conn
	checking *checking
	forget   func() bool // cancels the close at the end of the context
}

// conn wraps a connection. It is closed at once if the context ends before the site does.
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

// end closes the connection. If the context has ended first, unsent data of the system is
// dropped: otherwise it would try to send it for minutes.
func (c *checkedConn) end() error {
	cause := context.Cause(c.checking.ctx)
	if tcp, ok := c.Conn.(*net.TCPConn); ok && cause != nil && cause != errDone {
		tcp.SetLinger(0) // an error here means that it is closed
	}
	return c.Conn.Close()
}
