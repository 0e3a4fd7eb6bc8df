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

// ErrLost is that a message is no longer held: the server may give it to another, or has.
var ErrLost = errors.New("lease lost")

// errReleased is what a lease that was given back says.
var errReleased = errors.New("lease given back")

// Lease is a message that is held. The server gives it to another when it has heard nothing for
// Timing.Lease; the holder stops some time before, by its own clocks.
//
// The server confirms words about messages that another has by now, as it does those of the one
// who has it, so nothing is said after the deadline: once lost, a lease stays lost.
//
// All methods may be called from several goroutines.
type Lease struct {
	msg    jetstream.Msg
	timing Timing
	cancel context.CancelCauseFunc
	word   sync.Mutex // held while a word to the server is under way

	mu        sync.Mutex
	confirmed time.Time // when the last confirmed word was sent; at first, when the message was asked for
	asking    bool      // a word is under way
	ended     error     // ErrLost or errReleased
}

// hold holds a message until it is released. asked is a time.Now() from before the request for the
// message was sent: the server, which counts from when it gave the message away, cannot have begun
// earlier, however long the message then lay in a buffer, or this process was stopped. No word to
// the server is needed before the work begins.
//
// The context ends when the lease is lost, at most Timing.tick after its deadline, with ErrLost as
// cause; it ends with Release, too.
func hold(ctx context.Context, nc *nats.Conn, msg jetstream.Msg, asked time.Time, t Timing) (*Lease, context.Context) {
	k := newKeeper(nc, t)
	l, ctx := k.hold(ctx, msg, asked)
	context.AfterFunc(ctx, k.stop)
	return l, ctx
}

// Check returns nil as long as the message is held. It is asked before everything that only one may
// do: a request to the site, an object stored, an acknowledgement. Its error is ErrLost with a
// sentence, or says that the lease was released.
func (l *Lease) Check() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.check(time.Now())
}

// check is Check with mu locked.
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

// Release ends the lease: once it returns, no word is sent any more. It comes before a message is
// given back for later, whose delay such a word would replace; an acknowledgement may come before
// or after. It waits for a word under way, which is answered at once or given up after a twelfth of
// Timing.Lease.
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

// elapsed is the time from one time.Now to another by the clock that says more. The monotonic clock
// stands still while a machine is suspended, the other one may be set back.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}

// beat tells the server that work goes on, if it is time to, and waits for its confirmation.
func (l *Lease) beat(nc *nats.Conn) {
	l.word.Lock()
	defer l.word.Unlock()
	sent := time.Now()
	l.mu.Lock()
	due := l.check(sent) == nil && nc.IsConnected() // else the word would be kept, and sent too late
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

// progress is the server's word for work that goes on.
var progress = []byte("+WPI")

// keeper tells the server of many leases: one goroutine looks at all of them now and then. Those of
// work that is done sooner cost nothing.
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

// hold holds a message, as the function of that name.
func (k *keeper) hold(ctx context.Context, msg jetstream.Msg, asked time.Time) (*Lease, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	l := &Lease{msg: msg, timing: k.timing, cancel: cancel, confirmed: asked}
	k.mu.Lock()
	k.leases[l] = struct{}{}
	k.mu.Unlock()
	return l, ctx
}

// run looks after the leases until stop.
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

// stop ends the keeper, and does not wait for its goroutines; leases that are held get no more words.
func (k *keeper) stop() { k.once.Do(func() { close(k.end) }) }

// wait waits for the goroutines to end, after stop.
func (k *keeper) wait() { k.beats.Wait() }
