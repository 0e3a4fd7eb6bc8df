package delivery

import (
	"context"
	"crypto/x509"
	"errors"
)

// Mail is a channel: one mail for each message, to all recipients.
type Mail struct {
	Route
	SMTP        string         // "host:port"
	TLS         string         // "starttls" (required, not tried), "tls" from the first byte, or "none", on loopback alone
	From        string         // address, with or without a name
	To          []string       // addresses, as From
	User        string         // "" = no login
	Password    Secret         // of User
	AttachBelow int64          // workbooks are attached, the gravest alert's first, as long as they are not larger than this, in bytes and together; 0 = none
	Roots       *x509.CertPool // certificate authorities trusted; nil = the system's
}

func (m *Mail) secrets() []string { return []string{string(m.Password)} }

// Check says what is wrong with the configuration.
func (m *Mail) Check() error { return m.check() }

func (m *Mail) send(ctx context.Context, p parcel) (string, error) { return "", errors.New("not yet") }
