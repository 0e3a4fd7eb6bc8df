package audit

import (
	"bytes"
	"testing"

	"robots-audit/crawl"
	"robots-audit/engine"
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

// TestClone compares a clone with its batch, also after the batch was reused.
func TestClone(t *testing.T) {
	used := &URLs{}
	for name, cloned := range map[string]func(u *URLs) *URLs{
		"Clone":  (*URLs).Clone,
		"CopyTo": func(u *URLs) *URLs { c := &URLs{}; u.CopyTo(c); return c },
		"CopyTo, again": func(u *URLs) *URLs {
			(&URLs{List: []URL{{Loc: "z", Verdicts: make([]engine.Verdict, 9), Lines: make([]int32, 9)}, {}, {}, {Lines: []int32{4}}}}).CopyTo(used)
			u.CopyTo(used)
			return used
		},
	} {
		t.Run(name, func(t *testing.T) { testClone(t, cloned) })
	}
}

func testClone(t *testing.T, cloned func(*URLs) *URLs) {
	batch := func() *URLs {
		loc := []byte("https://a.example/x")
		return &URLs{List: []URL{
			{Loc: string(loc), LastMod: "2026-01-02", Sitemap: 3, Verdicts: []engine.Verdict{engine.Disallow, engine.Allow}, Lines: []int32{7, 0}, Hits: []int64{0, 3}},
			{Loc: "https://a.example/y", Origin: 1, Verdicts: []engine.Verdict{engine.Unknown, engine.Allow}},
			{Loc: "", Weight: Weight{Clicks: 5}},
		}}
	}
	original := batch()
	clone := cloned(original)
	original.List[0].Verdicts[0], original.List[0].Lines[0], original.List[0].Hits[1] = engine.Allow, 99, 8
	original.List[1] = URL{Loc: "https://other.example/"}
	checkEqual(t, "clone", clone.List, batch().List)
	clone.List[0].Verdicts = append(clone.List[0].Verdicts, engine.Undefined) // must not reach into the next URL's
	if clone.List[1].Verdicts[0] != engine.Unknown {
		t.Error("the verdicts of two URLs overlap")
	}
}
