package sitemap

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// burst returns its text in bursts of so many bytes, with a wait before each. It fails the
// test if a large window waits for the next burst.
type burst struct {
	t    *testing.T
	text string
	size int
	left int // of the burst
}

func (b *burst) Read(p []byte) (int, error) {
	if b.left == 0 {
		if len(p) > smallWindow {
			b.t.Errorf("a window of %d bytes and more waits for a server", len(p))
		}
		b.left = b.size
	}
	n := copy(p[:min(len(p), b.left)], b.text)
	if b.text = b.text[n:]; n == 0 {
		return 0, io.EOF
	}
	if b.left -= n; n < len(p) {
		b.left = 0 // the reader knows too
	}
	return n, nil
}

// The position where one window replaces another makes no difference: each position in an
// entry is tested once.
func TestWindowChanges(t *testing.T) {
	const head, entry = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`, "<url><loc>https://a.example/&amp;%d</loc><lastmod>2026-01-02</lastmod></url>\n"
	var entries strings.Builder
	for i := range 20 {
		fmt.Fprintf(&entries, entry, i)
	}
	for pad := range 3 * len(entry) {
		text := head + "<!--" + strings.Repeat("x", 2*smallWindow-len(head)-2*len(entry)+pad) + "-->" + entries.String() + "</urlset>"
		for name, src := range map[string]io.Reader{"whole": strings.NewReader(text), "in halves": iotest.HalfReader(strings.NewReader(text)), "byte by byte": iotest.OneByteReader(strings.NewReader(text)),
			"in bursts": &burst{t: t, text: text, size: smallWindow + 100}, "in small bursts": &burst{t: t, text: text, size: 700}} {
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
			if len(s.small) != smallWindow || s.buf != nil {
				t.Errorf("windows of %d and %d bytes are kept", len(s.small), len(s.buf))
			}
		}
	}
}
