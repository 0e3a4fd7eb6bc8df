package crawl

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"sync"
)

// Addresses bounds how many requests are under way to one IP address at a time, whatever
// hosts they are for: thousands of sites may lie on one server. Clients that have the same
// Addresses share its bounds. What [ConnectTo] leads to a host that the user has named is
// not counted.
//
// The address of a request is known for sure when it has its connection, which may be one
// that was kept. So a request begins with the address that its host had last; where it
// has to connect, the dialer asks for each address before it connects there, and where it may
// not, the request waits without a connection and then connects anew.
//
// So that no two sites wait for each other, a site holds an address only while it holds the
// host that it asks there, and nothing else of either: a request whose body it leaves open to
// ask for something else is not counted until it reads on, which it does without a wait, be
// it one more than the bound.
type Addresses struct {
	limit int
	mu    sync.Mutex
	used  map[netip.Addr]*address
}

// NewAddresses returns Addresses for so many requests to one address; nil, which is no
// limit, where limit is not positive.
func NewAddresses(limit int) *Addresses {
	if limit <= 0 {
		return nil
	}
	return &Addresses{limit: limit, used: map[netip.Addr]*address{}}
}

// address is one of them.
type address struct {
	requests int
	queue    []*addressWait // of those that wait, in order
}

type addressWait struct {
	turn    *turn
	granted chan struct{} // closed when turn holds the address
}

// turn is what one request holds of Addresses. A nil turn holds nothing and waits for nothing.
// The fields from held on are guarded by Addresses.mu, since dials run in goroutines of their
// own, and for longer than a request that is given up; the others are its site's.
type turn struct {
	of      *Addresses
	anyhow  bool // it does not wait
	left    bool // its body is open, and its site asks for something else
	held    []netip.Addr
	last    netip.Addr // of its connection
	refused netip.Addr // that the dialer did not connect to
	closed  bool       // it holds nothing and is given nothing, since it waits, or is over
}

var errAddressBusy = &Error{CodeConnectFailed, errors.New("enough requests are under way to the address")}

// try takes an address that the dialer is about to connect to.
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

// wait gives back what the turn holds, and waits for an address.
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

// settle is told the "address:port" of the request's connection: that address is held, and no other.
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
		t.of.take(t, addr) // a connection that was kept from elsewhere
	}
	t.of.giveBack(t, addr)
}

// release gives back what the turn holds. Further calls do nothing.
func (t *turn) release() {
	if t == nil {
		return
	}
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	t.closed = true
	t.of.giveBack(t, netip.Addr{})
}

// leave gives back what the turn holds until it reads on.
func (t *turn) leave() {
	t.left = true
	t.release()
}

// readOn takes back what the turn has left, if it has.
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

// wasRefused returns the address that the dialer did not connect to since the last call.
func (t *turn) wasRefused() (addr netip.Addr, refused bool) {
	if t == nil {
		return addr, false
	}
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	addr, t.refused = t.refused, netip.Addr{}
	return addr, addr.IsValid()
}

// address returns that of the connection; not valid = there was none.
func (t *turn) address() netip.Addr {
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	return t.last
}

// full says whether no further request may begin to an address.
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

// giveBack has those that wait have what a turn holds, but for one address.
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
