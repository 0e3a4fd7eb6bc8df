package crawl

import (
	"context"
	"net/http"
)

// limits are the limits and options of a request for one URL. The zero value
// means no limit on the body, and no redirects.
type limits struct {
	Bytes  int64  // of the decompressed body, and of each compressed form; more is body_too_large; 0 = no limit
	Hops   int    // maximum number of redirects; one more is too_many_redirects
	Whole  bool   // the whole body must come within Client.Timeout; otherwise it only needs the minimum rate
	Accept string // Accept header [*/*]
	Agent  string // User-Agent header [the client's]

	Allowed func(url string) *Error // called before a redirect is followed; nil = all are allowed

	Each func(resp *http.Response) // called for each response; if not nil, HTTP errors have a body, too

	Refresh *validator // of our copy: a 304 confirms it; nil = none
}

// open requests a URL, follows its redirects, retries temporary errors, and
// returns the body of the final 2xx response for streaming. The body is
// inflated if it has a Content-Encoding, counted, hashed, and limited. It is
// never nil and must be closed. Without a 2xx response it is empty, and
// Outcome.Code says why.
//
// A Read that fails returns an *Error; the bytes read before count. The Outcome
// belongs to the body: it is complete (Code, Detail, Bytes, Wire, SHA256,
// Truncated, Millis) once Read has returned an error (including io.EOF) or
// Close was called. Reading past the limit of bytes sets Code to body_too_large
// and Truncated. Closing before the end only sets Truncated.
func (s *Site) open(ctx context.Context, url string, lim limits) (*body, *Outcome) {
	var b *body
	out := s.retry(ctx, func(left *countdown) *Outcome {
		b = s.attempt(ctx, url, lim, left)
		return b.out
	})
	return b, out
}
