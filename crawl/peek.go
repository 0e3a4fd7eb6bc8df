package crawl

import (
	"context"
	"errors"
	"fmt"
	"time"

	"robots-audit/crawl/internal/weburl"
)

// Peek requests one URL by GET, as crawlers do, since servers may answer HEAD differently.
// It reads only a small page, so that the connection can be kept. A redirect is not
// followed: the Location of its hop has the target, so that the caller can check it first.
// The Outcome has one hop. Its Code is "" for 2xx and for a redirect that can be followed.
// The body is unknown: Bytes, Type and SHA256 are empty.
func (s *Site) Peek(ctx context.Context, raw string) *Outcome {
	return s.retry(ctx, func(left *countdown) *Outcome { return s.attemptPeek(ctx, raw, left) })
}

// attemptPeek makes one try.
func (s *Site) attemptPeek(ctx context.Context, raw string, left *countdown) *Outcome {
	out := &Outcome{URL: raw, Started: time.Now().UTC()}
	ctx, cancel := context.WithCancelCause(left.with(ctx))
	left.arm(func() { cancel(errAllowance) })
	b := newBody(out, func() { left.disarm(); cancel(nil) })
	u, err := weburl.Read(raw)
	if err != nil {
		b.endWith(&Error{CodeBadURL, err})
		return out
	}
	resp, cancelBody, trouble := s.ask(ctx, s.tripper(limits{Accept: "text/html, application/xhtml+xml, */*;q=0.5"}), u, nil, b)
	if trouble != nil {
		b.endWith(trouble)
		return out
	}
	hop := &out.Hops[0]
	drain(resp.Body, cancelBody)
	switch {
	case redirects(resp.StatusCode):
		_, trouble = target(u, resp.Header.Get("Location"), hop)
		if trouble != nil {
			hop.Code = trouble.Code
		}
	case resp.StatusCode/100 != 2:
		trouble = &Error{CodeHTTPStatus, fmt.Errorf("HTTP %d", resp.StatusCode)}
	}
	if trouble != nil {
		b.endWith(trouble)
		return out
	}
	b.finish(errors.New("nobody wants the body"))
	return out
}
