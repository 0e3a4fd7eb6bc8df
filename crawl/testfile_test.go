package crawl

import (
	"bytes"

	"github.com/klauspost/compress/gzip"
)

// gzipped returns a gzip stream of one member.
func gzipped(content string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(content))
	z.Close()
	return b.String()
}

// repeated is a file of one piece, again and again, without an end. A read begins with the
// beginning of the piece.
type repeated string

func (r repeated) Read(p []byte) (n int, err error) {
	for n < len(p) {
		n += copy(p[n:], r)
	}
	return n, nil
}
