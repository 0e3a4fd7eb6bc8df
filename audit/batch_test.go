package audit

import (
	"bytes"
	"testing"

	"robots-audit/crawl"
)

// A buffer returns its URLs unchanged, whatever they have in common.
func TestBuffer(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 70_000) // more than a prefix may have
	urls := []crawl.SitemapURL{
		{Loc: []byte("https://a.example/")}, {Loc: []byte("https://a.example/shop/area-17/a-thing")}, {Loc: []byte("https://a.example/shop/area-17/a-thing-of-another-kind")},
		{Loc: []byte("https://a.example/shop/area-17/a-thing"), LastMod: []byte("2026-01-02"), Written: []byte("/shop/area-17/a-thing#it")}, {Loc: []byte("https://a.example/shop/area-17/a-thing")},
		{}, {Loc: []byte("/"), LastMod: []byte("x")}, {Loc: long}, {Loc: append(bytes.Clone(long), "y"...)}, {Loc: long[:1]},
	}
	var b buffer
	for range 2 {
		var want []byte
		for i := range urls {
			u := &urls[i]
			b.addURL(u.Loc, u, i)
			want = append(append(append(want, u.Loc...), u.LastMod...), u.Written...)
		}
		if got := b.whole(); got != string(want) || b.size != len(want) {
			t.Errorf("%d bytes are %q, want %q", b.size, got, want)
		}
		for i, p := range b.list {
			if u := &urls[i]; int(p.shared)+int(p.rest) != len(u.Loc) || int(p.lastmod) != len(u.LastMod) || int(p.written) != len(u.Written) || int(p.sitemap) != i {
				t.Errorf("%d: %+v", i, p)
			}
		}
		b.reset()
	}
}
