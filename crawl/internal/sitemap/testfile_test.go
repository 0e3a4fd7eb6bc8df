package sitemap

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// gzipped returns a gzip stream of one member.
func gzipped(content string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, content)
	z.Close()
	return b.String()
}

// repeated is an endless file of one piece, repeated.
type repeated string

// Read fills p, starting with the beginning of the piece each time.
func (r repeated) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], r)
	}
	return n, nil
}

// manyEntries returns a sitemap of n entries of about 190 bytes each, in the
// usual form: a loc on the origin ("https://example.com"), lastmod, changefreq
// and priority.
func manyEntries(origin string, n int) []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for i := range n {
		fmt.Fprintf(&b, "<url><loc>%s/articles/2026/%02d/a-longer-and-quite-usual-article-title-%d</loc><lastmod>2026-11-%02d</lastmod><changefreq>weekly</changefreq><priority>0.5</priority></url>\n", origin, i%12+1, i, i%28+1)
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}
