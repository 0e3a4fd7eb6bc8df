package delivery

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"io/fs"
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

// explain describes the cause of an error of the network or a file in plain words, where the standard
// library uses those of system calls, and says what to do; "" = not known.
func explain(err error) (what, remedy string) {
	var unknown *net.DNSError
	var untrusted *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var timeout net.Error
	switch {
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return "the host does not exist", "Check the name of the host"
	case errors.As(err, &unknown):
		return "its name could not be looked up", "Check the network and the name server of this machine"
	case errors.As(err, &untrusted):
		return "its certificate is not trusted: " + untrusted.Err.Error(), "Check the name of the host. If the certificate is from your own authority, set ca_cert"
	case errors.As(err, &record):
		return "it does not use TLS there", "Check the port and tls"
	case errno.Refused(err):
		return "the connection was refused", "Check the host and the port, and the firewalls on the way"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time", "Check the host and the port, and the firewalls on the way"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errno.Reset(err), errno.Gone(err), errors.Is(err, net.ErrClosed):
		return "it closed the connection", "Check the port and tls, and the log of the receiver"
	case strings.Contains(err.Error(), "transport connection broken"): // of net/http, without a type
		return "its answer was incomplete or not HTTP", ""
	case errors.Is(err, fs.ErrNotExist):
		return err.Error(), "Make its folder, or correct path"
	case errors.Is(err, fs.ErrPermission):
		return err.Error(), "Give the user who runs robots-audit the right to write it"
	}
	return err.Error(), ""
}
