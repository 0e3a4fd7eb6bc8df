package crawl

import "context"

// limits bounds what one URL may cost. The zero value asks for nothing
// special: no bound on the body, no redirects.
type limits struct {
	Bytes  int64  // of the body, decompressed, and as many of each compressed form; reading further is body_too_large; 0 = no limit
	Hops   int    // redirects followed; the next one is too_many_redirects
	Whole  bool   // the body as a whole must come within Client.Timeout; otherwise it must only keep the minimum rate
	Accept string // Accept header [*/*]
	Agent  string // User-Agent header [the client's]

	Allowed func(url string) *Error // asked before a redirect is followed; nil = all are

	Refresh *validator // of the answer we have: a 304 confirms it; nil = none
}

// open asks for a URL, follows its redirects, retries what is worth it, and
// hands back the body of the final 2xx answer for streaming: inflated where it
// came with a Content-Encoding, counted, hashed, and held to the limits. The
// body is never nil and must be closed; where there is no 2xx answer it is
// empty, and Outcome.Code says why.
//
// A Read that fails returns an *Error; what was read before counts. The Outcome
// belongs to the body: it is complete (Code, Detail, Bytes, Wire, SHA256,
// Truncated, Millis) once Read has returned an error (io.EOF included) or
// Close was called. Reading on after the limit of bytes sets Code to
// body_too_large and Truncated; closing before the end sets Truncated alone.
func (s *Site) open(ctx context.Context, url string, lim limits) (*body, *Outcome) {
	var b *body
	out := s.retry(ctx, func(left *countdown) *Outcome {
		b = s.attempt(ctx, url, lim, left)
		return b.out
	})
	return b, out
}
