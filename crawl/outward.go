package crawl

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"time"
)

// Outward is for messages that are sent, for example to a webhook. It uses the same
// guard as crawling. So an address in a configuration, or a name that is later changed
// to an internal address, reaches no router and no cloud metadata. Any port is
// allowed, since the author of the URL named it. Trusted hosts ("host", or "host:port"
// if the port is not the protocol's default) may have any address. It follows no
// redirect and keeps no connection. It uses no proxy, since the guard could not check
// the proxy's connections. An error of the guard is an *Error with CodeBlockedAddress.
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
		DisableCompression:     true, // responses are limited by their length on the wire
	}
	return guarded{next: t, guard: g}
}
