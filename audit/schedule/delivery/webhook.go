package delivery

import (
	"context"
	"crypto/x509"
	"errors"
)

// Webhook is a channel: one POST for each message.
type Webhook struct {
	Route
	URL      Secret         // https, or http where Internal; its path is often all that keeps others from posting
	Format   string         // "json" (or ""), "slack", "teams"
	Secret   Secret         // key of the signature, X-Robots-Audit-Signature: sha256=<HMAC of the body>; "" = none
	Internal bool           // its host may have a private address
	Roots    *x509.CertPool // certificate authorities trusted; nil = the system's
}

func (w *Webhook) secrets() []string { return []string{string(w.URL), string(w.Secret)} }

// Check says what is wrong with the configuration.
func (w *Webhook) Check() error { return w.check() }

func (w *Webhook) send(ctx context.Context, p parcel) (string, error) {
	return "", errors.New("not yet")
}
