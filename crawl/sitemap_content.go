package crawl

import (
	"bufio"
	"io"
	"strings"
	"sync"

	"robots-audit/crawl/internal/gzipstream"
)

// maxGzip is how often a sitemap may be gzipped, Content-Encoding apart.
const maxGzip = 2

// content is the text of one sitemap, in UTF-8, whatever it came wrapped in:
// gzip, told by its magic number and not by the file's name, once or twice;
// then any charset. It ends in body_too_large after a number of inflated bytes.
type content struct {
	io.Reader           // the text
	Bytes     int64     // inflated bytes read so far, in the file's own charset
	zips      []*gunzip // outermost first
	plain     *bufio.Reader
	left      int64 // inflated bytes that may still be read
	notes     notes
}

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 16<<10) }}

// newContent begins to read a body. Its URL and Content-Type are needed for
// notes and for the charset; limit is in bytes. Call free when done.
func newContent(body io.Reader, url, mime string, limit int64) *content {
	c := &content{left: limit, plain: readers.Get().(*bufio.Reader)}
	c.plain.Reset(body)
	for len(c.zips) < maxGzip && gzipstream.Begins(c.plain) {
		g := newGunzip(c.plain, limit+windowSize) // the innermost text meets its limit first
		c.zips = append(c.zips, g)
		c.plain = readers.Get().(*bufio.Reader)
		c.plain.Reset(g)
	}
	if len(c.zips) > 1 {
		c.notes.add(NoteNestedGzip, "gzipped twice")
	}
	path, _, _ := strings.Cut(url, "?")
	if _, none := c.plain.Peek(1); len(c.zips) == 0 && none == nil && strings.HasSuffix(strings.ToLower(path), ".gz") {
		c.notes.add(NoteNotGzip, "named .gz, but not gzipped")
	}
	c.Reader = decode((*counter)(c), c.plain, mime, &c.notes)
	return c
}

// Gzip says whether the content was gzipped.
func (c *content) Gzip() bool { return len(c.zips) > 0 }

// free gives the buffers back; the notes are complete then.
func (c *content) free() {
	for _, g := range c.zips {
		if g.members.Garbage {
			c.notes.add(NoteGzipGarbage, "bytes after the last gzip member")
		}
		put(g.in)
		g.free()
	}
	put(c.plain)
	c.plain = nil
}

func put(r *bufio.Reader) {
	r.Reset(nil)
	readers.Put(r)
}

// counter reads the inflated bytes, counts and limits them.
type counter content

func (c *counter) Read(p []byte) (int, error) {
	if c.left <= 0 {
		if _, err := c.plain.Peek(1); err != nil {
			return 0, err
		}
		return 0, &Error{CodeBodyTooLarge, errTooLarge}
	}
	n, err := c.plain.Read(p[:min(int64(len(p)), c.left)])
	c.Bytes += int64(n)
	c.left -= int64(n)
	return n, err
}
