package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"robots-audit/crawl/internal/weburl"
)

// Head asks for one URL and for nothing of its body: by HEAD, and by GET where
// the server answers that with an error, since many refuse HEAD or have another
// answer for it, and crawlers ask by GET. A redirect is not followed: where it
// leads stands in the Location of its hop, so that the caller may look at that
// before it asks. The Outcome has one hop, the request that counts; its Code is
// "" for 2xx and for a redirect that can be followed. Of the body nothing is
// known: Bytes, Type and SHA256 are left empty.
func (s *Site) Head(ctx context.Context, raw string) *Outcome {
	return s.retry(ctx, func(left *countdown) *Outcome { return s.attemptHead(ctx, raw, left) })
}

// attemptHead asks once, or twice where HEAD is refused.
func (s *Site) attemptHead(ctx context.Context, raw string, left *countdown) *Outcome {
	out := &Outcome{URL: raw, Started: time.Now().UTC()}
	ctx, cancel := context.WithCancelCause(left.with(ctx))
	left.arm(func() { cancel(errAllowance) })
	b := newBody(out, func() { left.disarm(); cancel(nil) })
	u, err := weburl.Read(raw)
	if err != nil {
		b.endWith(&Error{CodeBadURL, err})
		return out
	}
	tripper := s.tripper(limits{Accept: "text/html, application/xhtml+xml, */*;q=0.5"})
	methods := []string{http.MethodHead, http.MethodGet}
	if s.refusesHead {
		methods = methods[1:]
	}
	for _, method := range methods {
		out.Hops = nil
		resp, cancelBody, trouble := s.ask(ctx, methodTripper{tripper, method}, u, nil, b)
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
		if method == http.MethodHead && headRefused(resp.StatusCode) {
			s.refusesHead = s.refusesHead || resp.StatusCode == http.StatusMethodNotAllowed || resp.StatusCode == http.StatusNotImplemented
			continue
		}
		if trouble == nil {
			b.finish(errors.New("nobody wants the body"))
			return out
		}
		b.endWith(trouble)
		break
	}
	return out
}

// headRefused says whether an answer to HEAD may be another one than that to GET.
// A server that has too much to do is not asked twice for it.
func headRefused(status int) bool {
	return status >= 400 && status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable
}

// methodTripper makes the requests of a chain by another method than GET.
type methodTripper struct {
	next   http.RoundTripper
	method string
}

func (a methodTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.WithContext(req.Context())
	req.Method = a.method
	return a.next.RoundTrip(req)
}
