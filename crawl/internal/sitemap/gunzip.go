package sitemap

import (
	"bufio"
	"sync"
)

// gunzip inflates its input, up to a number of inflated bytes.
type gunzip struct {
	in      *bufio.Reader
	members GzipReader
	left    int64 // inflated bytes that may still be read
}

var gunzips = sync.Pool{New: func() any { return new(gunzip) }}

func newGunzip(in *bufio.Reader, limit int64) *gunzip {
	g := gunzips.Get().(*gunzip)
	g.in = in
	g.members.Reset(in)
	g.left = limit
	return g
}

func (g *gunzip) free() {
	g.in = nil
	g.members.Reset(nil)
	gunzips.Put(g)
}

func (g *gunzip) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, ErrTooLarge
	}
	n, err := g.members.Read(p)
	g.left -= int64(n)
	return n, err
}

// EmptyMembers returns how many gzip members without content were skipped, in
// all layers. Call it before Free.
func (c *Content) EmptyMembers() (n int64) {
	for _, g := range c.zips {
		n += g.members.Empty
	}
	return n
}
