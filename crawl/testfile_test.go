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
