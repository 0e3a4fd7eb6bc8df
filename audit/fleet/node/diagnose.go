package node

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"robots-audit/crawl/errno"
)

// diagnoseTimeout is how long each server has for a second answer that shows what is wrong.
const diagnoseTimeout = 2 * time.Second

// diagnose says for each server why it does not accept the connection. The client itself returns only the
// last server's error, or none.
func (s *Server) diagnose(opts nats.Options, err error) error {
	if len(s.URLs) == 0 {
		return fmt.Errorf("node of this process: %w", err)
	}
	opts.Timeout = diagnoseTimeout
	opts.AllowReconnect = false
	var all []error
	passes := true
	for _, server := range s.URLs {
		opts.Servers = []string{server}
		nc, bad := opts.Connect()
		if bad == nil { // it has just started
			nc.Close()
			bad = err
		}
		why := s.explain(withoutUser(server), bad)
		passes = passes && Away(why)
		all = append(all, why)
	}
	if passes {
		return away{errors.Join(all...)}
	}
	return errors.Join(all...)
}

// away is an error that may be temporary.
type away struct{ error }

func (a away) Unwrap() error { return a.error }

// Away reports whether an error of Connect may be temporary: no server answers yet, or none leads. A
// refusal lasts until its cause is fixed.
func Away(err error) bool {
	var a away
	return errors.As(err, &a)
}

// explain describes the problem of one server.
func (s *Server) explain(server string, err error) error {
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var authority x509.UnknownAuthorityError
	var dns *net.DNSError
	switch {
	case errors.Is(err, nats.ErrAuthorization) && s.Secrets == nil:
		return fmt.Errorf("server %s needs a user and a password. Name the fleet's secrets", server)
	case errors.Is(err, nats.ErrAuthorization):
		return fmt.Errorf("server %s refuses the password of user %q. These secrets are from another fleet. Copy the secrets of its nodes", server, userWorker)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("server %s does not use TLS, so the password would be sent in plain text. Start it with -secrets", server)
	case errors.As(err, &authority) && s.Secrets == nil:
		return fmt.Errorf("server %s has a certificate of an unknown authority. Name the fleet's secrets", server)
	case errors.As(err, &authority):
		return fmt.Errorf("server %s has a certificate that %s did not sign. The secrets are from another fleet. Copy the secrets of its nodes", server, s.Secrets.CA)
	case errors.As(err, &host):
		return fmt.Errorf("server %s has a certificate only for %s. Make one for this host", server, strings.Join(names(host.Certificate), ", "))
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Errorf("server %s has a certificate that is only valid from %s to %s", server, invalid.Cert.NotBefore.UTC().Format(time.DateOnly), invalid.Cert.NotAfter.UTC().Format(time.DateOnly))
	case errors.As(err, &dns):
		return away{fmt.Errorf("server %s: %s has no address", server, dns.Name)}
	case errors.Is(err, nats.ErrNoServers), errno.Refused(err):
		return away{fmt.Errorf("server %s does not answer. Start a node there, or name another address", server)}
	case errors.Is(err, nats.ErrTimeout), errors.Is(err, os.ErrDeadlineExceeded):
		return away{fmt.Errorf("server %s does not answer in time, or is not a NATS server", server)}
	}
	err = fmt.Errorf("server %s: %w", server, err)
	var op *net.OpError
	if errors.Is(err, io.EOF) || errors.As(err, &op) && op.Op == "dial" { // it is stopping, or unreachable
		return away{err}
	}
	return err
}

// names are the hosts of a certificate.
func names(c *x509.Certificate) []string {
	all := c.DNSNames
	for _, ip := range c.IPAddresses {
		all = append(all, ip.String())
	}
	return all
}

// withoutUser is a URL without its user and password.
func withoutUser(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return text[strings.LastIndexByte(text, '@')+1:]
	}
	u.User = nil
	return u.String()
}
