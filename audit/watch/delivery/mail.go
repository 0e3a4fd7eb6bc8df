package delivery

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"strconv"
)

// Mail is a channel: one mail for each message, to all recipients.
type Mail struct {
	Route
	SMTP        string         // "host:port"
	TLS         string         // "starttls" (required, not optional), "tls" from the first byte, or "none", only for loopback
	From        string         // address, with or without a name
	To          []string       // addresses, as From
	User        string         // "" = no login
	Password    Secret         // of User
	AttachBelow int64          // workbooks of the most severe alerts are attached first, while their total size is smaller than this, in bytes; 0 = none
	Roots       *x509.CertPool // certificate authorities trusted; nil = the system's
}

func (m *Mail) secrets() []string { return []string{string(m.Password)} }

// Check returns an error for an invalid configuration.
func (m *Mail) Check() error {
	host, port, err := net.SplitHostPort(m.SMTP)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || host == "" || bad != nil || n == 0 {
		return fmt.Errorf("smtp = %q is not \"host:port\", such as \"smtp.example.com:587\"", m.SMTP)
	}
	if m.TLS == "none" && !onLoopback(host) {
		return errors.New(`tls = "none" is allowed only for a server on this machine. Use "starttls" or "tls"`)
	}
	if _, err := mail.ParseAddress(m.From); err != nil {
		return fmt.Errorf("from = %q is not a mail address. Write it as \"Name <user@example.com>\"", m.From)
	}
	for _, to := range m.To {
		if _, err := mail.ParseAddress(to); err != nil {
			return fmt.Errorf("to = %q is not a mail address. Write it as \"user@example.com\"", to)
		}
	}
	return nil
}

// onLoopback reports whether the name of a host is this machine.
func onLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// send sends one mail. If the server finds it too large, it is sent again without attachments.
func (m *Mail) send(ctx context.Context, p parcel) (r receipt, err error) {
	letter, err := m.letter(p, m.AttachBelow)
	if err != nil {
		return r, err
	}
	r, err = m.post(ctx, letter, p.tries)
	var failed *failure
	if attached := len(letter.attached) > 0; attached && errors.As(err, &failed) && failed.ofMessage {
		letter.Close()
		if letter, err = m.letter(p, 0); err != nil {
			return r, err
		}
		r, err = m.post(ctx, letter, p.tries)
	}
	letter.Close()
	return r, err
}
