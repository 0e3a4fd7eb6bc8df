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

// body streams the final answer and completes its Outcome. Where there is no
// answer to stream, it is empty.
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

// Close completes the Outcome. Bytes that nobody asked for are not known of:
// closed before its end, a body counts as cut.
func (b *body) Close() error {
	if !b.done {
		b.out.Truncated = true
		b.finish(http.ErrBodyReadAfterClose)
	}
	return nil
}

// finish is called once: at the end of the body, its failure or Close.
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

// endWith ends a body that never begins with an error.
func (b *body) endWith(e *Error) {
	b.src = nil
	b.finish(e)
	b.err = io.EOF // there is nothing to read, and why stands in the Outcome
}

// fail writes a trouble into the outcome.
func (o *Outcome) setError(e *Error) {
	o.Code = e.Code
	o.Truncated = o.Truncated || e.Code == CodeBodyTooLarge
	if e.Err != nil {
		o.Detail = weburl.Truncate(e.Err.Error(), maxDetail)
	}
}

// maxDetail bounds Outcome.Detail: parts of it come from the server.
const maxDetail = 300

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Bounds of what is read of a body that nobody wants, so that its connection
// can be used again.
const (
	drainBytes = 16 << 10
	drainTime  = 250 * time.Millisecond
)

// drain reads the small page that comes with a redirect or an error. One that is long
// or slow is not worth the wait: its connection is closed instead.
func drain(body io.ReadCloser, cancelBody func()) {
	t := time.AfterFunc(drainTime, cancelBody)
	defer t.Stop()
	io.CopyN(io.Discard, body, drainBytes)
	body.Close()
}
