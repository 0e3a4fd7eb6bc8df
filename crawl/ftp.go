package crawl

import (
	"context"
	"errors"
	"io"
	"net/url"
	"time"
)

// errFTP is the cause where an FTP server's reply is an answer of its kind.
type errFTP struct {
	status int
	reply  error
}

func (e *errFTP) Error() string { return "FTP " + e.reply.Error() }

// askFTP fetches the robots.txt of an ftp origin, as the user "anonymous". It
// applies to the FTP site alone: crawlers that read http use that of http.
//
// What the server replies is told as the HTTP status that means the same to a
// reader: 200; 404 for 550 (no such file); 403 for any other reply 5yz, which
// is final; 503 for 4yz, which is not (RFC 959 4.2.1). Detail has the reply itself.
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

// retrieve logs in and asks for the file, and notes the one hop that there is.
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
