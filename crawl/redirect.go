package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"robots-audit/crawl/internal/weburl"
)

// errAllowance ends a URL that takes longer than Site.allowance.
var errAllowance = &Error{CodeTimeout, errors.New("the request and its redirects took too long")}

// attempt requests a URL once, hop by hop, and returns the body of the final
// response. left limits the time until the final response header, or until the
// end of the body if the limits ask for it whole.
func (s *Site) attempt(ctx context.Context, raw string, lim limits, left *countdown) *body {
	out := &Outcome{URL: raw, Started: time.Now().UTC()}
	ctx, cancel := context.WithCancelCause(left.with(ctx))
	left.arm(func() { cancel(errAllowance) })
	b := newBody(out, func() { left.disarm(); cancel(nil) })

	u, err := weburl.Read(raw)
	if err != nil {
		b.endWith(&Error{CodeBadURL, err})
		return b
	}
	tripper := s.tripper(lim)
	seen := map[string]bool{}
	for {
		seen[u.String()] = true
		resp, cancelBody, err := s.ask(ctx, tripper, u, lim.Refresh, b)
		if err != nil {
			b.endWith(err)
			return b
		}
		if lim.Each != nil {
			lim.Each(resp)
		}
		if !redirects(resp.StatusCode) {
			if !lim.Whole {
				left.disarm()
			}
			b.begin(resp, cancelBody, lim.Each != nil)
			return b
		}
		drain(resp.Body, cancelBody)
		if u, err = out.follow(u, resp, seen, &lim, left); err != nil {
			b.endWith(err)
			return b
		}
	}
}

// follow returns the target of a redirect, unless it must not be followed.
func (o *Outcome) follow(from *url.URL, resp *http.Response, seen map[string]bool, lim *limits, left *countdown) (*url.URL, *Error) {
	last := &o.Hops[len(o.Hops)-1]
	next, err := target(from, resp.Header.Get("Location"), last)
	switch {
	case err != nil:
	case seen[next.String()]:
		err = &Error{CodeRedirectLoop, fmt.Errorf("it redirects back to %s", weburl.Truncate(next.String(), 200))}
	case len(o.Hops) > lim.Hops:
		err = &Error{CodeTooManyRedirects, fmt.Errorf("more than %d redirects", lim.Hops)}
	case lim.Allowed != nil:
		left.pause() // it may request another host's robots.txt: that time does not count for this URL
		err = lim.Allowed(next.String())
		left.resume()
	}
	if err != nil {
		last.Code = err.Code
	}
	return next, err
}

// ask makes one request of the chain and records its hop. cancelBody ends the
// reading of its body.
func (s *Site) ask(ctx context.Context, tripper http.RoundTripper, u *url.URL, refresh *validator, b *body) (resp *http.Response, cancelBody func(), trouble *Error) {
	b.trace = new(requestTrace)
	req := requestTemplate.WithContext(context.WithValue(ctx, requestTraceKey{}, b.trace))
	req.URL, req.Host, req.Header = u, u.Host, http.Header{}
	refresh.setConditions(u.String(), req.Header)
	b.out.Hops = append(b.out.Hops, Hop{URL: u.String(), Started: time.Now().UTC()})
	hop := &b.out.Hops[len(b.out.Hops)-1]
	start := time.Now()
	resp, err := tripper.RoundTrip(req)
	hop.Millis = millis(time.Since(start))
	hop.Address = b.trace.address
	if err != nil {
		trouble = classify(ctx, err, phaseWaiting)
		hop.Code = trouble.Code
	} else {
		hop.Status = resp.StatusCode
		hop.Header = reportedHeaders(resp.Header)
	}
	b.out.Status = hop.Status
	return resp, b.trace.cancelBody, trouble
}

// requestTemplate is the common part of all requests. WithContext copies it, and it is never
// changed.
var requestTemplate = &http.Request{Method: http.MethodGet, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}

// begin takes the final response: only a 2xx is streamed, or any.
func (b *body) begin(resp *http.Response, cancelBody func(), anyStatus bool) {
	b.out.Type = weburl.Truncate(resp.Header.Get("Content-Type"), maxHeaderValue)
	if resp.StatusCode/100 == 2 || anyStatus {
		b.src = resp.Body
		return
	}
	drain(resp.Body, cancelBody)
	b.endWith(&Error{CodeHTTPStatus, fmt.Errorf("HTTP %d", resp.StatusCode)})
}

// redirects reports whether a status is a redirect with a Location (RFC 9110
// 15.4).
func redirects(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// target resolves the Location of a redirect and stores it in the hop.
func target(base *url.URL, location string, hop *Hop) (*url.URL, *Error) {
	if location == "" {
		return nil, &Error{CodeBadRedirect, errors.New("no Location")}
	}
	hop.Location = weburl.Truncate(location, weburl.MaxLength)
	if len(location) > weburl.MaxLength {
		return nil, &Error{CodeBadRedirect, fmt.Errorf("a Location of %d bytes", len(location))}
	}
	next, err := weburl.ReadRelative(location, base.String())
	if err != nil {
		return nil, &Error{CodeBadRedirect, err}
	}
	hop.Location = next.String()
	return next, nil
}
