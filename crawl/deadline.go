package crawl

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// The phases of a request. The phase of an error decides its code.
const (
	phaseWaiting int32 = iota // for a connection
	phaseLookup               // of the host's address
	phaseConnect
	phaseTLS
	phaseAnswer // connected; until the end of the response header
	phaseBody
)

// requestTrace is the data about one request that its response does not have.
// It is in the request's context.
type requestTrace struct {
	phase      atomic.Int32 // the transport dials in a goroutine of its own
	address    string       // remote address that answered
	wire       int64        // bytes of the body on the wire
	empty      int64        // empty gzip members in it
	cancelBody func()       // ends the reading of the body
}

type requestTraceKey struct{}

// requestTraceOf returns the request's trace, or a new one if it has none.
func requestTraceOf(ctx context.Context) *requestTrace {
	if t, ok := ctx.Value(requestTraceKey{}).(*requestTrace); ok {
		return t
	}
	return new(requestTrace)
}

// The minimum average rate of a body: 1 KiB/s, and 4 KiB/s after a minute of waiting.
// This is low, since our own line may be the slow part: 10 Mbit/s carry 300 sites of 4
// KiB/s.
const (
	minRate  = 1 << 10
	lateRate = 4 << 10
	lateTime = time.Minute
)

// deadlines ends slow requests: timeout to connect, timeout again until the end
// of the response header, and an end for a body that stalls or is too slow.
// Every error of RoundTrip or of the body is an *Error.
type deadlines struct {
	next       http.RoundTripper
	timeout    time.Duration
	whole      bool // the whole body must come within timeout, whatever its rate
	waitBudget *waitBudget
	connect    func()            // called from any goroutine when a connection is begun; may be nil
	connected  func(counted int) // called when there is a connection, with how many of them the dialer already counts; may be nil
}

func (d deadlines) RoundTrip(req *http.Request) (*http.Response, error) {
	t := requestTraceOf(req.Context())
	t.phase.Store(phaseWaiting)
	ctx, cancel := context.WithCancelCause(req.Context())
	timer := time.AfterFunc(d.timeout, func() { cancel(timeoutError(t.phase.Load())) })
	trace := &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { t.phase.CompareAndSwap(phaseWaiting, phaseLookup) },
		DNSDone: func(info httptrace.DNSDoneInfo) {
			if info.Err == nil { // a lookup that was given up leads to no connection
				t.phase.CompareAndSwap(phaseLookup, phaseConnect)
			}
		},
		ConnectStart: func(string, string) {
			t.phase.CompareAndSwap(phaseWaiting, phaseConnect)
			if d.connect != nil {
				d.connect()
			}
		},
		ConnectDone: func(_, _ string, err error) {
			if err == nil && d.connected != nil {
				d.connected(0)
			}
		},
		TLSHandshakeStart: func() { t.phase.CompareAndSwap(phaseConnect, phaseTLS) },
		GotConn: func(info httptrace.GotConnInfo) {
			t.phase.Store(phaseAnswer)
			t.address = info.Conn.RemoteAddr().String()
			turnOf(ctx).settle(t.address)
			timer.Reset(d.timeout)
			if d.connected != nil {
				d.connected(1) // even if it is a reused one
			}
		},
	}
	start := time.Now()
	resp, err := d.next.RoundTrip(req.WithContext(httptrace.WithClientTrace(ctx, trace)))
	timer.Stop()
	if err != nil {
		d.waitBudget.spend(time.Since(start), 0)
		err = classify(ctx, err, t.phase.Load())
		cancel(nil)
		return nil, err
	}
	d.waitBudget.spend(time.Since(start), answerCredit)
	t.phase.Store(phaseBody)
	t.cancelBody = func() { cancel(nil) }
	resp.Body = &wireBody{
		body: resp.Body, trace: t, ctx: ctx, cancel: cancel, timer: timer, timeout: d.timeout, budget: d.timeout, whole: d.whole, waitBudget: d.waitBudget,
	}
	return resp, nil
}

// timeoutError returns the error of a timeout in a phase.
func timeoutError(phase int32) *Error {
	switch phase {
	case phaseLookup:
		return &Error{CodeDNSTemporary, errors.New("the name server did not answer in time")}
	case phaseWaiting, phaseConnect:
		return &Error{CodeConnectTimeout, errors.New("no connection in time")}
	case phaseTLS:
		return &Error{CodeConnectTimeout, errors.New("the TLS handshake took too long")}
	case phaseAnswer:
		return &Error{CodeTimeout, errors.New("no response header in time")}
	}
	return &Error{CodeTimeout, errors.New("the body came too slowly")}
}

// wireBody counts bytes and enforces the minimum rate of a body. It has a budget of waiting time,
// which starts at the timeout and shrinks while a Read waits. Each byte adds to it at minRate, up
// to the timeout; after lateTime at lateRate. So a stall lasts at most the timeout, and a body
// below the rate ends when the budget is spent. A slow reader on our side costs nothing.
type wireBody struct {
	body       io.ReadCloser
	trace      *requestTrace
	ctx        context.Context
	cancel     context.CancelCauseFunc
	timer      *time.Timer
	timeout    time.Duration
	budget     time.Duration
	waited     time.Duration // in total
	whole      bool
	waitBudget *waitBudget
	err        error
}

func (b *wireBody) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	b.timer.Reset(max(b.budget, 0))
	start := time.Now()
	n, err := b.body.Read(p)
	b.timer.Stop()
	took, rate := time.Since(start), time.Duration(minRate)
	if b.waited += took; b.waited > lateTime {
		rate = lateRate
	}
	b.budget -= took
	if !b.whole {
		b.budget = min(b.timeout, b.budget+time.Duration(n)*time.Second/rate)
	}
	b.waitBudget.spend(took, time.Duration(n)*time.Second/lateRate)
	b.trace.wire += int64(n)
	if err != nil {
		// An EOF after the timeout is not a complete body: a server that sees us leave
		// (TLS notifies it) may close its response properly.
		if err != io.EOF || b.ctx.Err() != nil {
			err = classify(b.ctx, err, phaseBody)
		}
		b.err = err
		b.cancel(nil)
	}
	return n, err
}

func (b *wireBody) Close() error {
	if b.err == nil {
		b.err = http.ErrBodyReadAfterClose
	}
	b.timer.Stop()
	err := b.body.Close()
	b.cancel(nil)
	return err
}
