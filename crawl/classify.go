package crawl

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"

	"code.dny.dev/ssrf"

	"robots-audit/crawl/errno"
)

// classify gives an error of net/http its code. The context is checked first:
// it explains all errors after its end.
func classify(ctx context.Context, err error, phase int32) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	if cause := context.Cause(ctx); cause != nil {
		if errors.As(cause, &known) {
			return known
		}
		if errors.Is(cause, context.DeadlineExceeded) {
			return &Error{CodeTimeout, cause}
		}
		return &Error{CodeCancelled, cause}
	}
	return &Error{codeOf(err, phase), describe(err)}
}

// codeOf looks for typed errors first, then uses the phase. Tests against real
// servers check the untyped errors of net/http, which are found by their text.
func codeOf(err error, phase int32) string {
	for _, c := range causes {
		if c.is(err) {
			return c.code
		}
	}
	var timeout net.Error
	isTimeout := errors.As(err, &timeout) && timeout.Timeout() || errno.TimedOut(err)
	switch {
	case isTimeout && phase <= phaseTLS:
		return CodeConnectTimeout
	case isTimeout:
		return CodeTimeout
	case phase == phaseTLS:
		return CodeTLSInvalid
	case errno.Reset(err):
		return CodeConnectionReset
	case phase < phaseTLS:
		return CodeConnectFailed
	case errno.Gone(err), errors.Is(err, net.ErrClosed), errorContains(err, "GOAWAY", "stream error", "client connection lost", "client conn could not be established", "client conn not usable"):
		return CodeConnectionReset
	case phase == phaseBody:
		return CodeBodyIncomplete
	case errors.Is(err, io.EOF), errorContains(err, "server closed idle connection"):
		return CodeConnectionReset
	}
	return CodeBadHTTP // connected, and the error is not one of the network
}

// cause is a test for an error and its code.
type cause struct {
	code string
	is   func(error) bool
}

// causes are tested in this order.
var causes = []cause{
	{CodeBlockedAddress, func(err error) bool {
		return errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedPort) || errors.Is(err, ssrf.ErrProhibitedNetwork) || errors.Is(err, ssrf.ErrInvalidHostPort)
	}},
	{CodeDNSNotFound, func(err error) bool { d, ok := as[*net.DNSError](err); return ok && d.IsNotFound }},
	{CodeDNSTemporary, func(err error) bool { _, ok := as[*net.DNSError](err); return ok }},
	{CodeConnectRefused, errno.Refused},
	{CodeInternal, errno.TooManyFiles}, // our own limit, not the site's fault
	{CodeTLSExpired, func(err error) bool {
		c, ok := as[x509.CertificateInvalidError](err)
		return ok && c.Reason == x509.Expired
	}},
	{CodeTLSWrongHost, func(err error) bool { _, ok := as[x509.HostnameError](err); return ok }},
	{CodeTLSUnknownCA, func(err error) bool { _, ok := as[x509.UnknownAuthorityError](err); return ok }},
	{CodeTLSInvalid, func(err error) bool {
		_, alert := as[tls.AlertError](err)
		_, record := as[tls.RecordHeaderError](err)
		_, verify := as[*tls.CertificateVerificationError](err)
		return alert || record || verify || errors.Is(err, http.ErrSchemeMismatch) || errorContains(err, "remote error: tls:")
	}},
	{CodeHeadersTooLarge, func(err error) bool {
		// HTTP/2 reports a single field over the limit as an error of header compression.
		return errorContains(err, "response headers exceeded", "response header list larger", "COMPRESSION_ERROR")
	}},
}

func as[T error](err error) (T, bool) {
	var t T
	ok := errors.As(err, &t)
	return t, ok
}

func errorContains(err error, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(err.Error(), p) {
			return true
		}
	}
	return false
}

// describe describes an error for people. It removes the local address, which differs
// between runs: two audits of the same web must read the same.
func describe(err error) error {
	if err == io.EOF {
		return errors.New("the connection was closed without an answer")
	}
	if err == io.ErrUnexpectedEOF {
		return errors.New("the body ends before it is whole")
	}
	if errorContains(err, "transport connection broken") && errors.Unwrap(err) != nil {
		return describe(errors.Unwrap(err))
	}
	if d, ok := as[*net.DNSError](err); ok {
		clean := *d
		clean.Server = "" // reports must not show which name server this machine uses
		return &clean
	}
	if op, ok := as[*net.OpError](err); ok && op.Source != nil {
		clean := *op
		clean.Source = nil
		return &clean
	}
	return err
}
