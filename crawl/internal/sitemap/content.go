package sitemap

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"sync"
)

// maxGzip is how often a sitemap may be gzipped, in addition to
// Content-Encoding.
const maxGzip = 2

// Content is the text of one sitemap in UTF-8, unwrapped. It may be gzipped
// once or twice, which is recognized by the magic number and not by the file's
// name; and it may have any charset. Read ends with ErrTooLarge after a number
// of inflated bytes. Any other error is the body's own, or one of inflating it.
type Content struct {
	io.Reader           // the text
	Bytes     int64     // inflated bytes read so far, in the file's own charset
	zips      []*gunzip // outermost first
	body      io.Reader
	plain     *bufio.Reader // the buffer with the beginning of the text; nil = it is used up, and the rest is read without a buffer
	left      int64         // inflated bytes that may still be read
	Notes     Notes
}

// ErrTooLarge is the error of a text that is longer than its limit.
var ErrTooLarge = errors.New("longer than the limit")

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 4<<10) }}

// NewContent begins to read a body. Its URL and Content-Type are used for notes
// and for the charset; limit is in bytes. Call Free when done.
func NewContent(body io.Reader, url, mime string, limit int64) *Content {
	c := &Content{left: limit, body: body, plain: readers.Get().(*bufio.Reader)}
	c.plain.Reset(body)
	for len(c.zips) < maxGzip && gzipBegins(c.plain) {
		g := newGunzip(c.plain, limit+windowSize) // the innermost text meets its limit first
		c.zips = append(c.zips, g)
		c.plain = readers.Get().(*bufio.Reader)
		c.plain.Reset(g)
	}
	if len(c.zips) > 1 {
		c.Notes.Count(NoteNestedGzip, "")
	}
	if what := binaryKind(c.plain); what != "" {
		c.Notes.Count(NoteUnsupported, what)
		c.Reader = strings.NewReader("") // nothing in it is for crawlers
		return c
	}
	path, _, _ := strings.Cut(url, "?")
	if _, none := c.plain.Peek(1); len(c.zips) == 0 && none == nil && strings.HasSuffix(strings.ToLower(path), ".gz") {
		c.Notes.Count(NoteNotGzip, "")
	}
	c.Reader = decode((*counter)(c), c.plain, mime, &c.Notes)
	return c
}

// Gzip reports whether the content was gzipped.
func (c *Content) Gzip() bool { return len(c.zips) > 0 }

// Free returns the buffers and completes the notes.
func (c *Content) Free() {
	for _, g := range c.zips {
		if g.members.Garbage {
			c.Notes.Count(NoteGzipGarbage, "")
		}
		putReader(g.in)
		g.free()
	}
	c.dropPlain()
}

// dropPlain returns the buffer with the beginning of the text.
func (c *Content) dropPlain() {
	if c.plain != nil {
		putReader(c.plain)
		c.plain = nil
	}
}

func putReader(r *bufio.Reader) {
	r.Reset(nil)
	readers.Put(r)
}

// inflated returns the source of the next inflated bytes.
func (c *Content) inflated() io.Reader {
	if c.plain != nil && c.plain.Buffered() > 0 {
		return c.plain
	}
	c.dropPlain()
	if n := len(c.zips); n > 0 {
		return c.zips[n-1]
	}
	return c.body
}

// counter reads the inflated bytes, counts and limits them.
type counter Content

func (c *counter) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, c.atLimit()
	}
	n, err := (*Content)(c).inflated().Read(p[:min(int64(len(p)), c.left)])
	c.Bytes += int64(n)
	c.left -= int64(n)
	return n, err
}

// atLimit returns the error of a text that has reached its limit: ErrTooLarge if it
// continues.
func (c *counter) atLimit() error {
	var one [1]byte
	for range 100 {
		switch n, err := (*Content)(c).inflated().Read(one[:]); {
		case n > 0:
			return ErrTooLarge
		case err != nil:
			return err
		}
	}
	return io.ErrNoProgress
}
