package sitemap

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// Where the first window ends and a larger one takes its place makes no difference: each
// place of an entry comes to lie there once.
func TestWindowGrows(t *testing.T) {
	const head, entry = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`, "<url><loc>https://a.example/&amp;%d</loc><lastmod>2026-01-02</lastmod></url>\n"
	var entries strings.Builder
	for i := range 20 {
		fmt.Fprintf(&entries, entry, i)
	}
	for pad := range 3 * len(entry) {
		text := head + "<!--" + strings.Repeat("x", firstWindow-len(head)-2*len(entry)+pad) + "-->" + entries.String() + "</urlset>"
		for name, src := range map[string]io.Reader{"whole": strings.NewReader(text), "in halves": iotest.HalfReader(strings.NewReader(text)), "byte by byte": iotest.OneByteReader(strings.NewReader(text))} {
			s := NewScanner(src)
			n := 0
			for ; s.Next(); n++ {
				if want := fmt.Sprintf("https://a.example/&%d", n); string(s.URL.Loc) != want || string(s.URL.LastMod) != "2026-01-02" {
					t.Errorf("padded by %d, %s: %q of %q, want %q", pad, name, s.URL.Loc, s.URL.LastMod, want)
				}
			}
			if n != 20 || s.Broken != "" || len(s.Notes) != 0 || s.Err != io.EOF {
				t.Errorf("padded by %d, %s: %d URLs, %q, %v, %v", pad, name, n, s.Broken, s.Notes, s.Err)
			}
			s.Free()
			if len(s.buf) != firstWindow {
				t.Errorf("a window of %d bytes is kept", len(s.buf))
			}
		}
	}
}
