package fleet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrLost says that a message is no longer held: the server may give it to another worker, or has.
var ErrLost = errors.New("lease lost")

// errReleased is the error of a lease that was released.
var errReleased = errors.New("lease given back")

// Lease is a message that this process holds. The server gives it to another process when it has heard
// nothing for Timing.Lease. The holder stops some time before that, by its own clocks.
//
// The server also confirms calls about a message that another process has by now. So a lease sends nothing
// after its deadline: once lost, it stays lost.
//
// All methods may be called from several goroutines.
type Lease struct {
	msg    jetstream.Msg
	timing Timing
	cancel context.CancelCauseFunc
	word   sync.Mutex // locked while a call to the server is under way

	mu        sync.Mutex
	confirmed time.Time // when the last confirmed call was sent; at first, when the message was requested
	asking    bool      // a call is under way
	ended     error     // ErrLost or errReleased
}

// hold holds a message until it is released. asked is a time.Now() from before the request for the message
// was sent. The server counts from when it delivered the message, which is later, however long the message
// then waited in a buffer or this process was stopped. So the work can begin without a call to the server.
//
// The context ends when the lease is lost, at most Timing.tick after its deadline, with ErrLost as cause.
// It also ends with Release.
func hold(ctx context.Context, nc *nats.Conn, msg jetstream.Msg, asked time.Time, t Timing) (*Lease, context.Context) {
	k := newKeeper(nc, t)
	l, ctx := k.hold(ctx, msg, asked)
	context.AfterFunc(ctx, k.stop)
	return l, ctx
}

// Check returns nil while the message is held. Callers check before everything that only one process may
// do: a request to the site, a stored object, an acknowledgement. The error is ErrLost with a sentence, or
// says that the lease was released.
func (l *Lease) Check() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.check(time.Now())
}

// check is Check, with mu locked by the caller.
func (l *Lease) check(now time.Time) error {
	if l.ended != nil {
		return l.ended
	}
	silent := elapsed(l.confirmed, now)
	if silent < l.timing.holds() {
		return nil
	}
	l.ended = fmt.Errorf("%w: the queue has not answered since %s, for %s", ErrLost, l.confirmed.UTC().Format(time.RFC3339), silent.Round(time.Millisecond))
	l.cancel(l.ended)
	return l.ended
}

// Release ends the lease: after it returns, no call is sent. It comes before a message is given back with a
// delay, since a progress call would replace the delay. An acknowledgement may come before or after.
// Release waits for a call under way, which takes at most a twelfth of Timing.Lease.
func (l *Lease) Release() {
	l.mu.Lock()
	if l.ended == nil {
		l.ended = errReleased
	}
	l.cancel(l.ended)
	l.mu.Unlock()
	l.word.Lock()
	defer l.word.Unlock()
}

// elapsed is the time between two time.Now by the clock that shows more. The monotonic clock stops while a
// machine is suspended, and the wall clock may be set back.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}

// beat reports to the server that work continues, if this is due, and waits for the confirmation.
func (l *Lease) beat(nc *nats.Conn) {
	l.word.Lock()
	defer l.word.Unlock()
	sent := time.Now()
	l.mu.Lock()
	due := l.check(sent) == nil && nc.IsConnected() // otherwise the client would buffer the call and send it too late
	l.mu.Unlock()
	var err error
	if due {
		_, err = nc.Request(l.msg.Reply(), progress, l.timing.heartbeat()/2)
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	l.asking = false
	if due && err == nil && l.check(time.Now()) == nil {
		l.confirmed = sent
	}
}

// progress is the server's message for work that continues.
var progress = []byte("+WPI")

// keeper extends many leases with one goroutine that checks all of them at intervals. Work that ends sooner
// costs no call.
type keeper struct {
	nc     *nats.Conn
	timing Timing
	end    chan struct{}
	once   sync.Once
	beats  sync.WaitGroup

	mu     sync.Mutex
	leases map[*Lease]struct{}
}

func newKeeper(nc *nats.Conn, t Timing) *keeper {
	k := &keeper{nc: nc, timing: t, end: make(chan struct{}), leases: map[*Lease]struct{}{}}
	k.beats.Add(1)
	go k.run()
	return k
}

// hold is the function hold, for a lease of this keeper.
func (k *keeper) hold(ctx context.Context, msg jetstream.Msg, asked time.Time) (*Lease, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	l := &Lease{msg: msg, timing: k.timing, cancel: cancel, confirmed: asked}
	k.mu.Lock()
	k.leases[l] = struct{}{}
	k.mu.Unlock()
	return l, ctx
}

// run extends the leases until stop.
func (k *keeper) run() {
	defer k.beats.Done()
	ticks := time.NewTicker(k.timing.tick())
	defer ticks.Stop()
	for {
		select {
		case <-k.end:
			return
		case <-ticks.C:
		}
		now := time.Now()
		k.mu.Lock()
		for l := range k.leases {
			l.mu.Lock()
			if l.check(now) != nil {
				delete(k.leases, l)
			} else if !l.asking && elapsed(l.confirmed, now) >= k.timing.heartbeat() {
				l.asking = true
				k.beats.Add(1)
				go func() {
					defer k.beats.Done()
					l.beat(k.nc)
				}()
			}
			l.mu.Unlock()
		}
		k.mu.Unlock()
	}
}

// stop ends the keeper without waiting for its goroutines. Leases that are still held are not extended.
func (k *keeper) stop() { k.once.Do(func() { close(k.end) }) }

// wait waits for the goroutines to end, after stop.
func (k *keeper) wait() { k.beats.Wait() }
