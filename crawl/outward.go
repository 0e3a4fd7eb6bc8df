package crawl

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"time"
)

// Outward is for what is sent, and not crawled: messages to a webhook. It connects
// under the guard that crawling is under, so that an address in a configuration, or a
// name that somebody else points inwards later, reaches no router and no metadata of a
// cloud. Ports are free, since whoever wrote the URL named one. Trusted hosts ("host",
// or "host:port" where the port is not the protocol's own) may have any address. It
// follows no redirect, keeps no connection, and uses no proxy, which would connect
// where the guard cannot look. An error of the guard is an *Error with
// CodeBlockedAddress.
func Outward(timeout time.Duration, roots *x509.CertPool, trusted ...string) http.RoundTripper {
	g := newGuard(false, trusted, nil)
	t := &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			host, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, &Error{CodeBadURL, err}
			}
			d := net.Dialer{Timeout: timeout}
			if !g.trusts(host, port) {
				d.Control = anyPort.Safe
			}
			c, err := d.DialContext(ctx, network, address)
			if err != nil && codeOf(err, phaseConnect) == CodeBlockedAddress {
				err = &Error{CodeBlockedAddress, err}
			}
			return c, err
		},
		TLSClientConfig:        &tls.Config{RootCAs: roots},
		TLSHandshakeTimeout:    timeout,
		ResponseHeaderTimeout:  timeout,
		MaxResponseHeaderBytes: maxHeader,
		ForceAttemptHTTP2:      true,
		DisableKeepAlives:      true,
		DisableCompression:     true, // what answers say is cut by its length on the wire
	}
	return guarded{next: t, guard: g}
}
