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

// maxCodings is the maximum number of codings of one body. RFC 9110 8.4 allows
// any number, but more than two are a mistake of a proxy or an attack.
const maxCodings = 4

// gzipOverhead is how much longer a compressed body may be than its content, for
// headers and incompressible data.
const gzipOverhead = 64 << 10

// inflater decodes Content-Encoding: gzip, the only one that we request, even if it was
// applied more than once. A body in any other encoding ends with bad_encoding at its
// first byte, so that compressed bytes are never parsed as rules. It sets
// Response.Uncompressed, so that colly does not inflate again.
type inflater struct {
	next  http.RoundTripper
	bytes int64 // limit of each compressed form, plus gzipOverhead; 0 = no limit
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

// codingsOf returns how often the body was gzipped, according to the header.
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

// gzipState is the memory for inflating, about 50 KB; it is pooled.
type gzipState struct {
	buffer  *bufio.Reader
	members sitemap.GzipReader
}

var gzipStates = sync.Pool{New: func() any { return &gzipState{buffer: bufio.NewReaderSize(nil, 8<<10)} }}

// gzipBody inflates one coding of a body. The compressed form has the same
// limit as its content: otherwise a stream without content would never end.
type gzipBody struct {
	wire       io.ReadCloser
	trace      *requestTrace
	state      *gzipState
	hasContent bool // some content was read
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

// errNoContent is the cause if a compressed body reaches its limit before its
// first byte of content.
var errNoContent = errors.New("no content up to the limit of bytes")

// start begins to inflate. No byte at all is an empty body: answers to HEAD and
// errors have the header without content.
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

// inflating adds the code to an error of inflating. It keeps an *Error of the network
// or a limit.
func inflating(err error) error {
	var own *Error
	if err == nil || err == io.EOF || errors.As(err, &own) {
		return err
	}
	return &Error{CodeBadEncoding, err}
}
