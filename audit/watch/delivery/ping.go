package delivery

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"robots-audit/crawl"
)

// Ping is a URL of a service that expects a request after each run, and raises an alarm if there is
// none, such as healthchecks.io. So people hear of it when the whole machine is off.
type Ping struct {
	URL      Secret         // https, or http if Internal; who knows it can send a ping
	Internal bool           // its host may have a private address
	Roots    *x509.CertPool // certificate authorities trusted; nil = the system's
}

// Event is what a ping reports, as the end of the URL's path.
type Event string

// The events of a run.
const (
	RunBegan    Event = "start"
	RunComplete Event = ""
	RunFailed   Event = "fail"
)

// Check returns an error for an invalid configuration, without any part of the URL.
func (p *Ping) Check() error {
	if u, err := url.Parse(string(p.URL)); err == nil && u.User != nil {
		return errors.New("url: it has a user or a password, which are not sent. Remove them")
	}
	return p.webhook().Check()
}

func (p *Ping) webhook() *Webhook { return &Webhook{URL: p.URL, Internal: p.Internal} }

// pingTime bounds one try of a ping, and pingPause is the time before the second. Tests make them
// shorter.
var pingTime, pingPause = 10 * time.Second, time.Second

// Send sends a ping, and tries it once more if it fails. The error says in plain words why, without
// the URL's secret parts.
func (p *Ping) Send(ctx context.Context, about Event) error {
	failed := p.try(ctx, about)
	if failed != nil && !failed.lasting {
		select {
		case <-ctx.Done():
		case <-time.After(pingPause):
			failed = p.try(ctx, about)
		}
	}
	if failed == nil {
		return nil
	}
	return errors.New(redacted(failed.what, p.webhook().secrets()))
}

func (p *Ping) try(ctx context.Context, about Event) *failure {
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	u, err := url.Parse(string(p.URL))
	if err != nil { // the error's text would quote the URL
		return &failure{what: "the URL cannot be read", lasting: true}
	}
	host := u.Host
	if about != RunComplete {
		u = u.JoinPath(string(about))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return &failure{what: "the URL cannot be read", lasting: true}
	}
	req.Header.Set("User-Agent", "robots-audit")
	var internal []string
	if p.Internal {
		internal = []string{host}
	}
	resp, err := crawl.Outward(pingTime, p.Roots, internal...).RoundTrip(req) // which follows no redirect
	if err != nil {
		return unreachable(host, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 == 2 {
		return nil
	}
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return refusal(host, resp, string(answer))
}
