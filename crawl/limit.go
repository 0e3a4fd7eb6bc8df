package crawl

import (
	"errors"
	"io"
	"net/http"
)

// limiter ends bodies at a number of bytes. It is outside of the inflater and so counts the
// inflated bytes: a limit only on the wire would let a gzip bomb pass (CVE-2024-3572 and
// similar). The inflater has the same limit for its input.
type limiter struct {
	next  http.RoundTripper
	bytes int64 // 0 = no limit
}

func (l limiter) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	resp.Body = limitBody(resp.Body, l.bytes)
	return resp, nil
}

// limitBody limits a body to a number of bytes; 0 = no limit.
func limitBody(body io.ReadCloser, bytes int64) io.ReadCloser {
	if bytes <= 0 {
		return body
	}
	return &limitedBody{body, bytes}
}

// errTooLarge is the cause of body_too_large.
var errTooLarge = errors.New("the body is longer than the limit")

// limitedBody reads up to the limit, and then checks whether the body ends there: a truncated body
// must not look complete.
type limitedBody struct {
	io.ReadCloser
	left int64
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if b.left == 0 {
		var one [1]byte
		n, err := b.ReadCloser.Read(one[:])
		if n > 0 {
			return 0, &Error{CodeBodyTooLarge, errTooLarge}
		}
		return 0, err
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	return n, err
}
