package crawl

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"robots-audit/crawl/internal/sitemap"
	"robots-audit/crawl/internal/weburl"
)

// maxCodings is how many codings of one body are undone. RFC 9110 8.4 allows
// any number of them; more than two are a mistake of a proxy or an attack.
const maxCodings = 4

// gzipOverhead is what a compressed form may be longer than what comes out of it:
// a header, and what cannot be compressed.
const gzipOverhead = 64 << 10

// inflater undoes Content-Encoding: gzip, the only one that is asked for, also
// where it was applied more than once. A body in any other encoding ends in
// bad_encoding at its first byte, so that nobody parses compressed bytes as
// rules. It sets Response.Uncompressed, which keeps colly from inflating a second time.
type inflater struct {
	next  http.RoundTripper
	bytes int64 // of each compressed form, gzipRoom left aside; 0 = no limit
}

func (i inflater) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := i.next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	resp.Uncompressed = true
	codings, err := codingsOf(resp.Header)
	most := i.bytes
	if most > 0 {
		most += gzipOverhead
	}
	for range codings {
		resp.Body = &gzipBody{wire: limitBody(resp.Body, most), trace: requestTraceOf(req.Context())}
	}
	if err != nil {
		resp.Body = &gzipBody{wire: resp.Body, err: &Error{CodeBadEncoding, err}}
	}
	return resp, nil
}

// codingsOf returns how often the body was gzipped, as far as the header tells.
func codingsOf(h http.Header) (int, error) {
	listed := strings.ToLower(strings.Join(h.Values("Content-Encoding"), ","))
	n := 0
	for coding := range strings.SplitSeq(listed, ",") {
		switch strings.Trim(coding, " \t") {
		case "", "identity":
		case "gzip", "x-gzip":
			n++
		default:
			return 0, fmt.Errorf("the Content-Encoding %q was not requested", weburl.Truncate(strings.TrimSpace(listed), 64))
		}
	}
	if n > maxCodings {
		return 0, fmt.Errorf("encoded %d times, but at most %d are decoded", n, maxCodings)
	}
	return n, nil
}

// gzipState is the memory that inflating takes, about 50 KB; it is pooled.
type gzipState struct {
	buffer  *bufio.Reader
	members sitemap.GzipReader
}

var gzipStates = sync.Pool{New: func() any { return &gzipState{buffer: bufio.NewReaderSize(nil, 8<<10)} }}

// gzipBody inflates one coding of a body. Its compressed form is held to the
// same limit as what comes out of it: a stream without content would pass a
// limit on the latter for ever.
type gzipBody struct {
	wire       io.ReadCloser
	trace      *requestTrace
	state      *gzipState
	hasContent bool // something came out
	err        error
}

func (b *gzipBody) Read(p []byte) (int, error) {
	if b.state == nil && b.err == nil {
		b.start()
	}
	if b.err != nil || len(p) == 0 {
		return 0, b.err
	}
	n, err := b.state.members.Read(p)
	b.hasContent = b.hasContent || n > 0
	if err != nil {
		b.err = inflating(err)
		if errors.Is(err, errTooLarge) && !b.hasContent {
			b.err = &Error{CodeBadEncoding, errNoContent}
		}
	}
	return n, b.err
}

// errNoContent is the cause behind a compressed body that reached its limit
// before its first byte of content.
var errNoContent = errors.New("no content up to the limit of bytes")

// start takes up the body. One without a byte is an empty body: answers to
// HEAD and errors carry the header without any content.
func (b *gzipBody) start() {
	b.state = gzipStates.Get().(*gzipState)
	b.state.buffer.Reset(b.wire)
	b.state.members.Reset(b.state.buffer)
	_, b.err = b.state.buffer.Peek(1)
}

func (b *gzipBody) Close() error {
	if b.state != nil {
		b.trace.empty += b.state.members.Empty
		b.state.buffer.Reset(nil)
		gzipStates.Put(b.state)
		b.state = nil
	}
	if b.err == nil {
		b.err = http.ErrBodyReadAfterClose
	}
	return b.wire.Close()
}

// inflating gives an error of inflating its code. What the wire or a limit said stands.
func inflating(err error) error {
	var own *Error
	if err == nil || err == io.EOF || errors.As(err, &own) {
		return err
	}
	return &Error{CodeBadEncoding, err}
}
