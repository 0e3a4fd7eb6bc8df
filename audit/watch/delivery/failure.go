package delivery

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"robots-audit/crawl/errno"
)

// failure is the reason why a try failed.
type failure struct {
	what      string        // in plain words
	remedy    string        // what to do, sentences without the last point; "" = it is in what, or not known
	lasting   bool          // the receiver will also refuse it later
	wait      time.Duration // wait before the next try that the receiver asks for; 0 = none
	ofMessage bool          // only this message is the problem, not the channel: the next one may be tried at once
}

func (f *failure) Error() string { return f.what }

// inWords describes the cause of a network error in plain words, where the standard library uses
// those of system calls.
func inWords(err error) string {
	var unknown *net.DNSError
	var untrusted *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var timeout net.Error
	switch {
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return "the host does not exist"
	case errors.As(err, &unknown):
		return "its name could not be looked up"
	case errors.As(err, &untrusted):
		return "its certificate is not trusted: " + untrusted.Err.Error()
	case errors.As(err, &record):
		return "it does not use TLS there"
	case errno.Refused(err):
		return "the connection was refused"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errno.Reset(err), errno.Gone(err), errors.Is(err, net.ErrClosed):
		return "it closed the connection"
	case strings.Contains(err.Error(), "transport connection broken"): // of net/http, without a type
		return "its answer was incomplete or not HTTP"
	}
	return err.Error()
}
