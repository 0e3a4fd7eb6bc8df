package crawl

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http"
	"time"

	"robots-audit/crawl/internal/weburl"
)

// body streams the final response and completes its Outcome. It is empty if
// there is no response to stream.
type body struct {
	src     io.ReadCloser // nil = nothing to read
	out     *Outcome
	trace   *requestTrace
	hash    hash.Hash
	started time.Time
	stop    func() // ends the request's context and timers
	done    bool
	err     error
}

func newBody(out *Outcome, stop func()) *body {
	return &body{out: out, trace: new(requestTrace), hash: sha256.New(), started: time.Now(), stop: stop}
}

func (b *body) Read(p []byte) (int, error) {
	if b.done {
		return 0, b.err
	}
	n, err := b.src.Read(p)
	b.hash.Write(p[:n])
	b.out.Bytes += int64(n)
	if err != nil {
		b.finish(err)
	}
	return n, err
}

// Close completes the Outcome. A body that is closed before its end counts as
// truncated, since the rest is unknown.
func (b *body) Close() error {
	if !b.done {
		b.out.Truncated = true
		b.finish(http.ErrBodyReadAfterClose)
	}
	return nil
}

// finish is called once: at the end of the body, on an error or by Close.
func (b *body) finish(err error) {
	b.done, b.err = true, err
	var e *Error
	if errors.As(err, &e) {
		b.out.setError(e)
	}
	if b.src != nil {
		b.src.Close()
		b.out.SHA256 = hex.EncodeToString(b.hash.Sum(nil))
		b.out.Wire = b.trace.wire
	}
	b.out.Millis = millis(time.Since(b.started))
	b.stop()
}

// endWith ends a body with an error before it begins.
func (b *body) endWith(e *Error) {
	b.src = nil
	b.finish(e)
	b.err = io.EOF // there is nothing to read, and the Outcome has the reason
}

// setError writes an error into the outcome.
func (o *Outcome) setError(e *Error) {
	o.Code = e.Code
	o.Truncated = o.Truncated || e.Code == CodeBodyTooLarge
	if e.Err != nil {
		o.Detail = weburl.Truncate(e.Err.Error(), maxDetail)
	}
}

// maxDetail limits Outcome.Detail, since parts of it come from the server.
const maxDetail = 300

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Limits for reading a body that is not needed, so that its connection can be
// reused.
const (
	drainBytes = 16 << 10
	drainTime  = 250 * time.Millisecond
)

// drain reads the small page that comes with a redirect or an error. If it is long or
// slow, its connection is closed instead.
func drain(body io.ReadCloser, cancelBody func()) {
	t := time.AfterFunc(drainTime, cancelBody)
	defer t.Stop()
	io.CopyN(io.Discard, body, drainBytes)
	body.Close()
}
