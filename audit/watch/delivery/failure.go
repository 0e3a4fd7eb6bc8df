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

// failure is why a try came to nothing.
type failure struct {
	what      string        // in plain words
	lasting   bool          // the receiver will not take it later either
	wait      time.Duration // before the next try, as the receiver asks; 0 = it does not
	ofMessage bool          // it is about this message, and not the channel's fault: the next one may be tried at once
}

func (f *failure) Error() string { return f.what }

// inWords says what is behind an error of the network, of which the standard library
// says it in the words of system calls.
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
