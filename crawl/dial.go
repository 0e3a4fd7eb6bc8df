package crawl

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"syscall"

	"robots-audit/crawl/internal/weburl"
)

// dialer connects for one site. The routes choose the target, and the guard
// must allow the address.
type dialer struct {
	guard    *guard
	routes   *routes
	net      net.Dialer
	mu       sync.Mutex
	dials    []*context.CancelFunc // in progress
	conns    []*conn               // open
	finished bool
}

func newDialer(c *Client, g *guard, routes *routes) *dialer {
	return &dialer{guard: g, routes: routes, net: net.Dialer{Timeout: c.timeout(), KeepAlive: -1, Resolver: c.resolver}}
}

// dial is the transport's DialContext. The transport detaches it from its
// request, so close cancels it at the end of the site.
func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	return d.dialRouted(ctx, network, address, webPolicy)
}

// dialFTP connects to an FTP server.
func (d *dialer) dialFTP(ctx context.Context, network, address string) (net.Conn, error) {
	return d.dialRouted(ctx, network, address, ftpPolicy)
}

// dialKnown connects to an address that the guard has already allowed, on
// another port that is not reserved by convention.
func (d *dialer) dialKnown(ctx context.Context, network, address string) (net.Conn, error) {
	_, port, err := net.SplitHostPort(address)
	if n, bad := strconv.Atoi(port); err != nil || bad != nil || n < 1024 {
		return nil, &Error{CodeBlockedAddress, fmt.Errorf("the server names port %s for its data", weburl.Truncate(port, 16))}
	}
	return d.connect(ctx, d.net, network, address)
}

// dialRouted connects to the target of the routes, if the guard allows it.
func (d *dialer) dialRouted(ctx context.Context, network, address string, within dialPolicy) (net.Conn, error) {
	if d.routes.broken != nil { // it would go to the wrong server
		return nil, &Error{CodeInternal, d.routes.broken}
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, &Error{CodeBadURL, err}
	}
	nd := d.net
	to := d.routes.destination(host, port)
	if nd.Control, err = d.guard.controlFor(host, port, to, within); err != nil {
		return nil, err
	}
	if t := turnOf(ctx); t != nil {
		nd.Control = takesTurn(t, nd.Control)
	}
	return d.connect(ctx, nd, network, net.JoinHostPort(to.host, to.port))
}

// controlFunc checks an address right before a connection to it, like net.Dialer.Control.
type controlFunc func(network, address string, c syscall.RawConn) error

// takesTurn takes the address for a request, after the guard has allowed it.
func takesTurn(t *turn, next controlFunc) controlFunc {
	return func(network, address string, c syscall.RawConn) error {
		if next != nil {
			if err := next(network, address, c); err != nil {
				return err
			}
		}
		return t.try(addrOf(address))
	}
}

// addrOf returns the IP address of "address:port".
func addrOf(address string) netip.Addr {
	ap, _ := netip.ParseAddrPort(address)
	return ap.Addr().Unmap().WithZone("")
}

func (d *dialer) connect(ctx context.Context, nd net.Dialer, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !d.begin(&cancel) {
		return nil, net.ErrClosed
	}
	check := checkOf(ctx)
	if check != nil {
		if err := check.ask(); err != nil {
			return d.finish(&cancel, nil, err)
		}
		nd.Control = check.before(nd.Control)
	}
	c, err := nd.DialContext(ctx, network, address)
	if err == nil && check != nil {
		c = check.conn(c)
	}
	return d.finish(&cancel, c, err)
}

// begin registers a dial, so that close can cancel it; false = the dialer is
// closed.
func (d *dialer) begin(cancel *context.CancelFunc) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.finished {
		d.dials = append(d.dials, cancel)
	}
	return !d.finished
}

// finish ends a dial, and registers its connection.
func (d *dialer) finish(cancel *context.CancelFunc, c net.Conn, err error) (net.Conn, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dials = without(d.dials, cancel)
	if err != nil {
		return nil, err
	}
	if d.finished {
		c.Close()
		return nil, net.ErrClosed
	}
	k := &conn{Conn: c, dialer: d}
	d.conns = append(d.conns, k)
	return k, nil
}

// without removes an element from a short list.
func without[T comparable](list []T, one T) []T {
	return slices.DeleteFunc(list, func(other T) bool { return other == one })
}

// open is the number of connections, including idle ones.
func (d *dialer) open() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.conns)
}

// close closes open connections and cancels dials.
func (d *dialer) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.finished = true
	for _, cancel := range d.dials {
		(*cancel)()
	}
	for _, c := range d.conns {
		c.Conn.Close()
	}
	d.conns = nil
}

type conn struct {
	net.Conn
	dialer *dialer
}

func (c *conn) Close() error {
	c.dialer.mu.Lock()
	c.dialer.conns = without(c.dialer.conns, c)
	c.dialer.mu.Unlock()
	return c.Conn.Close()
}
