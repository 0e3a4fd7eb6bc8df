package crawl

import (
	"context"
	"errors"
	"io"
	"net/url"
	"time"
)

// errFTP is the cause if an FTP server's reply is an answer with a matching
// HTTP status.
type errFTP struct {
	status int
	reply  error
}

func (e *errFTP) Error() string { return "FTP " + e.reply.Error() }

// askFTP fetches the robots.txt of an ftp origin, as the user "anonymous". It
// applies only to the FTP site: for http there is another robots.txt.
//
// The server's reply becomes the HTTP status with the same meaning: 200; 404 for
// 550 (no such file); 403 for any other reply 5yz, which is final; 503 for 4yz,
// which is temporary (RFC 959 4.2.1). Detail has the reply itself.
func (s *Site) askFTP(ctx context.Context, u *url.URL) *RobotsFile {
	file := new(RobotsFile)
	file.Outcome = *s.retry(ctx, func(left *countdown) *Outcome {
		out := &Outcome{URL: u.String(), Started: time.Now().UTC()}
		ctx, cancel := context.WithCancelCause(left.with(ctx))
		left.arm(func() { cancel(errAllowance) })
		b := newBody(out, func() { left.disarm(); cancel(nil) })
		defer b.Close()
		src, err := s.retrieve(ctx, u, b)
		if err != nil {
			b.endWith(err)
			return out
		}
		b.src = src
		file.Body = readRobots(b)
		return out
	})
	return file
}

// retrieve logs in and requests the file, and records the only hop.
func (s *Site) retrieve(ctx context.Context, u *url.URL, b *body) (io.ReadCloser, *Error) {
	hop := Hop{URL: u.String(), Started: time.Now().UTC()}
	start := time.Now()
	conn := &ftpConn{site: s, ctx: ctx, host: u.Hostname(), port: portOf(u), trace: b.trace}
	s.pace.meter.beginWait()
	src, err := conn.retrieve(u)
	s.pace.endWait(ctx)
	hop.Millis, hop.Address = millis(time.Since(start)), b.trace.address
	var trouble *Error
	switch answer := (*errFTP)(nil); {
	case err == nil:
		hop.Status = 200
	case errors.As(err, &answer):
		hop.Status = answer.status
		trouble = &Error{CodeHTTPStatus, answer}
	default:
		trouble = classify(ctx, err, b.trace.phase.Load())
		hop.Code = trouble.Code
	}
	b.out.Hops = append(b.out.Hops, hop)
	b.out.Status = hop.Status
	return src, trouble
}
