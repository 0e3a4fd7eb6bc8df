package crawl

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"sync"
)

// Addresses limits the number of concurrent requests to one IP address, whatever hosts they
// are for: thousands of sites may be on one server. Clients with the same Addresses share its
// limits. Requests that [ConnectTo] sends to a host named by the user are not counted.
//
// The address of a request is certain only when it has its connection, which may be a reused
// one. So a request begins with the last address of its host. If it has to connect, the
// dialer asks for each address first. If the dialer may not connect, the request waits
// without a connection and then connects again.
//
// To avoid deadlocks between sites, a site holds only one address and one host at a time: the
// host of the request and its address. If a request leaves its body open while the site asks
// for something else, it is not counted until it reads on. It then reads without a wait, even
// if this exceeds the limit by one.
type Addresses struct {
	limit int
	mu    sync.Mutex
	used  map[netip.Addr]*address
}

// NewAddresses returns Addresses for limit requests to one address. It returns nil,
// which means no limit, if limit is not positive.
func NewAddresses(limit int) *Addresses {
	if limit <= 0 {
		return nil
	}
	return &Addresses{limit: limit, used: map[netip.Addr]*address{}}
}

// address is the state of one IP address.
type address struct {
	requests int
	queue    []*addressWait // waiting requests, in order
}

type addressWait struct {
	turn    *turn
	granted chan struct{} // closed when turn holds the address
}

// turn is the claim of one request on Addresses. A nil turn holds nothing and waits for
// nothing. Addresses.mu guards the fields from held on, since dials run in their own
// goroutines and may outlive the request. The other fields belong to the site.
type turn struct {
	of      *Addresses
	anyhow  bool // it never waits
	left    bool // its body is open, and its site asks for something else
	held    []netip.Addr
	last    netip.Addr // the address of its connection
	refused netip.Addr // an address that the dialer was refused
	closed  bool       // it holds nothing and gets nothing, since it waits or is finished
}

var errAddressBusy = &Error{CodeConnectFailed, errors.New("enough requests are under way to the address")}

// try takes an address before the dialer connects to it.
func (t *turn) try(addr netip.Addr) error {
	a := t.of
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case slices.Contains(t.held, addr):
	case t.closed || !t.anyhow && a.full(addr):
		t.refused = addr
		return errAddressBusy
	default:
		a.take(t, addr)
	}
	return nil
}

// wait releases what the turn holds, and waits for an address.
func (t *turn) wait(ctx context.Context, addr netip.Addr) error {
	a := t.of
	t.release()
	a.mu.Lock()
	if t.anyhow || !a.full(addr) {
		t.closed = false
		a.take(t, addr)
		a.mu.Unlock()
		return nil
	}
	w := &addressWait{t, make(chan struct{})}
	a.used[addr].queue = append(a.used[addr].queue, w)
	a.mu.Unlock()
	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
		a.mu.Lock()
		if u := a.used[addr]; u != nil {
			u.queue = without(u.queue, w)
		}
		a.mu.Unlock()
		t.release() // it may have been granted at the same time
		return context.Cause(ctx)
	}
}

// settle gets the "address:port" of the request's connection. The turn then holds only this
// address.
func (t *turn) settle(address string) {
	if t == nil {
		return
	}
	addr := addrOf(address)
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	if t.closed {
		return
	}
	t.last = addr
	if !slices.Contains(t.held, addr) {
		t.of.take(t, addr) // a connection reused from another request
	}
	t.of.giveBack(t, addr)
}

// release releases what the turn holds. Further calls do nothing.
func (t *turn) release() {
	if t == nil {
		return
	}
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	t.closed = true
	t.of.giveBack(t, netip.Addr{})
}

// leave releases what the turn holds until it reads on.
func (t *turn) leave() {
	t.left = true
	t.release()
}

// readOn takes the address back after leave.
func (t *turn) readOn() {
	if t == nil || !t.left {
		return
	}
	t.left = false
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	if t.last.IsValid() {
		t.closed = false
		t.of.take(t, t.last)
	}
}

// wasRefused returns the address that the dialer was refused since the last call.
func (t *turn) wasRefused() (addr netip.Addr, refused bool) {
	if t == nil {
		return addr, false
	}
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	addr, t.refused = t.refused, netip.Addr{}
	return addr, addr.IsValid()
}

// address returns the address of the connection; not valid = there was none.
func (t *turn) address() netip.Addr {
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	return t.last
}

// full reports whether no more requests to an address may begin.
func (a *Addresses) full(addr netip.Addr) bool {
	u := a.used[addr]
	return u != nil && u.requests >= a.limit
}

func (a *Addresses) take(t *turn, addr netip.Addr) {
	u := a.used[addr]
	if u == nil {
		u = new(address)
		a.used[addr] = u
	}
	u.requests++
	t.held = append(t.held, addr)
}

// giveBack releases the addresses of a turn, except one, to waiting turns.
func (a *Addresses) giveBack(t *turn, but netip.Addr) {
	var kept []netip.Addr
	for _, addr := range t.held {
		if addr == but {
			kept = append(kept, addr)
			continue
		}
		u := a.used[addr]
		u.requests--
		for len(u.queue) > 0 && u.requests < a.limit {
			next := u.queue[0]
			u.queue = u.queue[1:]
			next.turn.closed = false
			a.take(next.turn, addr)
			close(next.granted)
		}
		if u.requests == 0 {
			delete(a.used, addr)
		}
	}
	t.held = kept
}

type turnKey struct{}

// with returns a context that carries the turn to the dialer.
func (t *turn) with(ctx context.Context) context.Context {
	if t == nil {
		return ctx
	}
	return context.WithValue(ctx, turnKey{}, t)
}

// turnOf returns the context's turn; nil = it has none.
func turnOf(ctx context.Context) *turn {
	t, _ := ctx.Value(turnKey{}).(*turn)
	return t
}
