package urlindex

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
)

// manyURLs are realistic URLs of a number of sites: folders of a few words and a number.
func manyURLs(n, sites int) func(yield func(URL, error) bool) {
	return func(yield func(URL, error) bool) {
		folders := [...]string{"damen/schuhe", "herren/jacken", "shop/accessoires", "blog/2024", "en/category", "Product/Detail", "forum/viewtopic.php?t=", "news"}
		names := [...]string{"stiefel-aus-leder", "jacke-gefuettert", "item", "artikel", "how-to-care-for-leather", "thread"}
		x := uint64(1)
		for i := range n {
			x = x*6364136223846793005 + 1442695040888963407
			site := i / ((n + sites - 1) / sites)
			loc := fmt.Sprintf("https://www.shop%d.example/%s/%s-%d", site, folders[x>>33%8], names[x>>40%6], x>>44)
			if !yield(URL{Loc: loc, Site: int32(site)}, nil) {
				return
			}
		}
	}
}

const benchURLs = 100_000

func BenchmarkBuild(b *testing.B) {
	path := filepath.Join(b.TempDir(), "urls.index")
	for b.Loop() {
		if err := Build(b.Context(), path, "key", manyURLs(benchURLs, 20)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchURLs, "ns/URL")
}

func BenchmarkSearch(b *testing.B) {
	path := filepath.Join(b.TempDir(), "urls.index")
	if err := Build(b.Context(), path, "key", manyURLs(benchURLs, 20)); err != nil {
		b.Fatal(err)
	}
	x, err := Open(path, "key", nil)
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	for _, c := range []struct{ name, text string }{
		{"prefix", "www.shop7.example/damen"}, {"path", "/damen"}, {"all", "e"}, {"common", "leder"}, {"two", "qz"}, {"none", "xyzzy"},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := x.Search(context.Background(), Query{Text: c.text, Limit: 100}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
