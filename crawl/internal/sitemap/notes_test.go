package sitemap

import (
	"strings"
	"testing"
)

// TestCountIn checks that a remark follows its URL however long both are.
func TestCountIn(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3000)
	for _, c := range []struct{ url, remark, want string }{
		{"http://a.test/", "no title", "http://a.test/ (no title)"},
		{"", "no title", "no title"},
		{"http://a.test/", "", "http://a.test/"},
		{long, "no title", long[:189] + " (no title)"},
		{"http://a.test/", long, "http://a.test/ (" + long[:100] + ")"},
		{long, long, long[:97] + " (" + long[:100] + ")"},
		{strings.Repeat("ä", 200), "nö", strings.Repeat("ä", 97) + " (nö)"},
	} {
		var n Notes
		n.CountIn("code", []byte(c.url), []byte(c.remark))
		if n[0].Detail != c.want || len(n[0].Detail) > maxNote {
			t.Errorf("%d and %d bytes: %q", len(c.url), len(c.remark), n[0].Detail)
		}
	}
}
