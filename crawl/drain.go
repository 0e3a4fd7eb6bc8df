package crawl

import (
	"io"
	"time"
)

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
