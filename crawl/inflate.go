package crawl

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// inflater undoes Content-Encoding: gzip, the only one that is asked for. A
// body in any other encoding ends in bad_encoding at its first byte, so that
// nobody parses compressed bytes as rules. It sets Response.Uncompressed,
// which keeps colly from inflating a second time.
type inflater struct {
	next http.RoundTripper
}

func (i inflater) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := i.next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	resp.Uncompressed = true
	switch encoding := strings.ToLower(strings.TrimSpace(strings.Join(resp.Header.Values("Content-Encoding"), ","))); encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		resp.Body = &gzipBody{wire: resp.Body}
	default:
		resp.Body = &gzipBody{wire: resp.Body, err: &Error{CodeBadEncoding, fmt.Errorf("the Content-Encoding %q was not asked for", cut(encoding, 64))}}
	}
	return resp, nil
}

// inflation is the memory that inflating takes, about 50 KB; it is pooled.
type inflation struct {
	in *bufio.Reader
	z  gzip.Reader
}

var inflations = sync.Pool{New: func() any { return &inflation{in: bufio.NewReaderSize(nil, 8<<10)} }}

// gzipBody inflates the members of a gzip stream, one after the other. What
// follows a whole member and is none itself is passed over, as browsers do.
type gzipBody struct {
	wire io.ReadCloser
	f    *inflation
	err  error
}

func (b *gzipBody) Read(p []byte) (int, error) {
	if b.f == nil && b.err == nil {
		b.start()
	}
	for b.err == nil {
		n, err := b.f.z.Read(p)
		if err == io.EOF {
			err = b.member()
		}
		if err != nil {
			b.err = inflateError(err)
		}
		if n > 0 || len(p) == 0 {
			return n, nil
		}
	}
	return 0, b.err
}

// start reads the first member's header. A body without a byte is an empty
// body: answers to HEAD and errors carry the header without any content.
func (b *gzipBody) start() {
	b.f = inflations.Get().(*inflation)
	b.f.in.Reset(b.wire)
	if _, err := b.f.in.Peek(1); err != nil {
		b.err = err
		return
	}
	if err := b.f.z.Reset(b.f.in); err != nil {
		b.err = inflateError(err)
		return
	}
	b.f.z.Multistream(false)
}

// member goes on to the next member; io.EOF: there is none.
func (b *gzipBody) member() error {
	head, err := b.f.in.Peek(2)
	if err != nil && err != io.EOF {
		return err
	}
	if len(head) < 2 || head[0] != 0x1f || head[1] != 0x8b {
		return io.EOF
	}
	if err := b.f.z.Reset(b.f.in); err != nil {
		return err
	}
	b.f.z.Multistream(false)
	return nil
}

// inflateError keeps what the wire said and calls everything else a bad encoding.
func inflateError(err error) error {
	var e *Error
	if err == io.EOF || errors.As(err, &e) {
		return err
	}
	return &Error{CodeBadEncoding, err}
}

func (b *gzipBody) Close() error {
	if b.f != nil {
		b.f.in.Reset(nil)
		inflations.Put(b.f)
		b.f = nil
	}
	if b.err == nil {
		b.err = http.ErrBodyReadAfterClose
	}
	return b.wire.Close()
}
