package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"github.com/jlaffaye/ftp"
)

// ftpConn is one session on an FTP server.
type ftpConn struct {
	site    *Site
	ctx     context.Context
	host    string
	port    string
	trace   *requestTrace
	control *ftp.ServerConn
	peer    net.IP // the server; data may only come from there
	release []func()
}

func (c *ftpConn) retrieve(u *url.URL) (body io.ReadCloser, err error) {
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	if err := c.site.guard.check(u); err != nil {
		return nil, err
	}
	turn, err := c.site.pace.begin(c.ctx, u)
	if err != nil {
		return nil, err
	}
	name := hostName(u.Hostname())
	c.release = append(c.release, func() { c.site.pace.end(name, turn) })
	timeout := c.site.client.timeout()
	ctx, cancel := context.WithCancelCause(turn.with(c.ctx))
	timer := time.AfterFunc(timeout, func() { cancel(timeoutError(c.trace.phase.Load())) })
	c.ctx = ctx
	c.release = append(c.release, func() { timer.Stop(); cancel(nil) })

	for n, again := 1, true; again; n++ {
		timer.Reset(timeout)
		if c.control, err = ftp.Dial(net.JoinHostPort(c.host, c.port), ftp.DialWithDialFunc(c.dial)); err == nil {
			break
		}
		timer.Stop()
		var trouble error
		if again, trouble = c.site.pace.again(ctx, turn, n); trouble != nil {
			return nil, trouble
		}
	}
	if err != nil {
		return nil, c.classifyReply(err)
	}
	c.site.pace.remember(u.Hostname(), turn)
	timer.Reset(timeout)
	if err := c.control.Login("anonymous", "anonymous@"); err != nil {
		return nil, c.classifyReply(err)
	}
	file, err := c.control.Retr(strings.TrimPrefix(u.Path, "/"))
	if err != nil {
		return nil, c.classifyReply(err)
	}
	c.trace.phase.Store(phaseBody)
	limited := &limitedBody{ftpBody{file, c}, c.site.client.maxRobots()}
	return limited, nil
}

// dial connects: first to the server, if the guard allows it, and then for the
// data to the same address. The server may only choose the port for the data.
func (c *ftpConn) dial(network, address string) (net.Conn, error) {
	dial := c.site.dialer.dialFTP
	if c.peer != nil {
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		address = net.JoinHostPort(c.peer.String(), port)
		dial = c.site.dialer.dialKnown
	} else {
		c.trace.phase.Store(phaseConnect)
	}
	conn, err := dial(c.ctx, network, address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(c.ctx, func() { conn.Close() })
	c.release = append(c.release, func() { stop(); conn.Close() })
	if c.peer != nil {
		return &countedConn{conn, c.trace}, nil
	}
	c.peer = conn.RemoteAddr().(*net.TCPAddr).IP
	c.trace.address = conn.RemoteAddr().String()
	turnOf(c.ctx).settle(c.trace.address)
	c.trace.phase.Store(phaseAnswer)
	return &boundedConn{conn, maxHeader}, nil
}

// classifyReply distinguishes replies of the server from network errors.
func (c *ftpConn) classifyReply(err error) error {
	var reply *textproto.Error
	switch {
	case context.Cause(c.ctx) != nil:
		return context.Cause(c.ctx)
	case errors.As(err, &reply) && reply.Code == ftp.StatusFileUnavailable:
		return &errFTP{404, reply}
	case errors.As(err, &reply) && reply.Code >= 500 && reply.Code < 600:
		return &errFTP{403, reply}
	case errors.As(err, &reply) && reply.Code >= 400:
		return &errFTP{503, reply}
	case errors.As(err, &reply):
		return &Error{CodeBadHTTP, fmt.Errorf("an unexpected FTP reply: %w", reply)}
	case errors.As(err, new(textproto.ProtocolError)):
		return &Error{CodeBadHTTP, errors.New("the server does not use FTP")}
	}
	return err
}

// close ends the session. It sends no QUIT, to save the wait for one more
// reply.
func (c *ftpConn) close() {
	for i := len(c.release) - 1; i >= 0; i-- {
		c.release[i]()
	}
	c.release = nil
}

// ftpBody is the file. EOF only counts if the server confirms that it sent the whole
// file.
type ftpBody struct {
	file *ftp.Response
	conn *ftpConn
}

func (b ftpBody) Read(p []byte) (int, error) {
	b.conn.site.pace.meter.beginWait()
	defer b.conn.site.pace.endWait(b.conn.ctx)
	n, err := b.file.Read(p)
	if err == io.EOF {
		if end := b.file.Close(); end != nil {
			err = &Error{CodeBodyIncomplete, fmt.Errorf("FTP %w", end)}
		}
	}
	if err != nil && err != io.EOF {
		err = classify(b.conn.ctx, err, phaseBody)
	}
	return n, err
}

func (b ftpBody) Close() error {
	b.conn.close()
	return nil
}

// countedConn counts the bytes of a data connection.
type countedConn struct {
	net.Conn
	trace *requestTrace
}

func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.trace.wire += int64(n)
	return n, err
}

// boundedConn limits the replies of a server on its control connection.
type boundedConn struct {
	net.Conn
	left int
}

func (c *boundedConn) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, &Error{CodeHeadersTooLarge, fmt.Errorf("more than %d bytes of replies", maxHeader)}
	}
	n, err := c.Conn.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}
