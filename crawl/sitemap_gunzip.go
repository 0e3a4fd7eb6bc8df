package crawl

import (
	"bufio"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// gunzip reads what is gzipped in its input, member after member. What follows
// the last member is passed over and marked as garbage.
type gunzip struct {
	in      *bufio.Reader
	z       gzip.Reader
	begun   bool
	garbage bool
	left    int64 // bytes that may still come out
}

var gunzips = sync.Pool{New: func() any { return new(gunzip) }}

func newGunzip(in *bufio.Reader, limit int64) *gunzip {
	g := gunzips.Get().(*gunzip)
	g.in, g.begun, g.garbage, g.left = in, false, false, limit
	return g
}

func (g *gunzip) free() {
	g.in = nil
	gunzips.Put(g)
}

// isGzip says whether a member begins here: gzip's magic number and its only method.
func isGzip(in *bufio.Reader) bool {
	head, _ := in.Peek(3)
	return string(head) == "\x1f\x8b\x08"
}

func (g *gunzip) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, &Error{CodeBodyTooLarge, errTooLarge}
	}
	if !g.begun {
		g.begun = true
		if err := g.member(); err != nil {
			return 0, noInflate(err)
		}
	}
	for {
		n, err := g.z.Read(p)
		g.left -= int64(n)
		if err == io.EOF {
			switch _, none := g.in.Peek(1); {
			case none != nil:
				err = none // io.EOF, or what became of the body
			case !isGzip(g.in):
				g.garbage = true
			default:
				err = g.member()
			}
		}
		if n > 0 || err != nil {
			return n, noInflate(err)
		}
	}
}

// member begins with the next member.
func (g *gunzip) member() error {
	if err := g.z.Reset(g.in); err != nil {
		return err
	}
	g.z.Multistream(false)
	return nil
}

// noInflate gives an error of inflating its code. Errors of the body have theirs.
func noInflate(err error) error {
	var own *Error
	if err == nil || err == io.EOF || errors.As(err, &own) {
		return err
	}
	return &Error{CodeSitemapBroken, err}
}
