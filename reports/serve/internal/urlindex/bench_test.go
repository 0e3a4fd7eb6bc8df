package urlindex

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// manyURLs are realistic URLs of a number of sites: folders of a few words and a number, with verdicts of six
// crawlers, and on every twentieth URL clicks and hits.
func manyURLs(d *Dictionary, n, sites int) func(yield func(Entry, error) bool) {
	crawlers, _ := audit.ParseCrawlers("Googlebot,Bingbot,GPTBot,ClaudeBot,Applebot,YandexBot")
	rules := []audit.RuleLine{{Line: 3, Rule: "disallow: /shop/"}, {Line: 4, Rule: "disallow: /forum/viewtopic.php?t=1"}, {Line: 9, Rule: "disallow: /news"}}
	folders := [...]string{"damen/schuhe", "herren/jacken", "shop/accessoires", "blog/2024", "en/category", "Product/Detail", "forum/viewtopic.php?t=", "news"}
	names := [...]string{"stiefel-aus-leder", "jacke-gefuettert", "item", "artikel", "how-to-care-for-leather", "thread"}
	return func(yield func(Entry, error) bool) {
		x := uint64(1)
		var s *Site
		for i := range n {
			x = x*6364136223846793005 + 1442695040888963407
			site := i / ((n + sites - 1) / sites)
			if s == nil || s.at != uint32(site) {
				if s != nil {
					s.End()
				}
				s = d.Site(site, crawlers)
				s.AddRobots(&audit.Robots{Rules: rules})
			}
			folder := x >> 33 % 8
			u := audit.URL{Loc: fmt.Sprintf("https://www.shop%d.example/%s/%s-%d", site, folders[folder], names[x>>40%6], x>>44), Verdicts: make([]engine.Verdict, 6), Lines: make([]int32, 6)}
			for c := range u.Verdicts {
				u.Verdicts[c] = engine.Allow
				if folder == 2 || folder == 6 && x>>44%10 == 1 || folder == 7 && c > 3 {
					u.Verdicts[c], u.Lines[c] = engine.Disallow, []int32{2: 3, 6: 4, 7: 9}[folder]
				}
			}
			if x>>50%20 == 0 {
				u.Clicks, u.Impressions, u.ClicksGiven, u.Hits = int64(x>>48%1000), int64(x>>36%100000), true, []int64{int64(x >> 52 % 50), int64(x >> 57), 0, 0, 0, 1}
			}
			if !yield(s.URL(&u, ""), nil) {
				return
			}
		}
		s.End()
	}
}

const benchURLs = 100_000

func BenchmarkBuild(b *testing.B) {
	path := filepath.Join(b.TempDir(), "urls.index")
	for b.Loop() {
		d := NewDictionary()
		if err := Build(b.Context(), path, "key", d, manyURLs(d, benchURLs, 20)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchURLs, "ns/URL")
}

func BenchmarkSearch(b *testing.B) {
	path := filepath.Join(b.TempDir(), "urls.index")
	d := NewDictionary()
	if err := Build(b.Context(), path, "key", d, manyURLs(d, benchURLs, 20)); err != nil {
		b.Fatal(err)
	}
	x, err := Open(path, "key", nil)
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	for _, c := range []struct {
		name string
		Query
	}{
		{"prefix", Query{Text: "www.shop7.example/damen"}}, {"path", Query{Text: "/damen"}}, {"all", Query{Text: "e"}}, {"common", Query{Text: "leder"}}, {"two", Query{Text: "qz"}}, {"none", Query{Text: "xyzzy"}},
		{"blocked", Query{Filter: Filter{Blocked: BlockedAny}}}, {"blocked text", Query{Text: "leder", Filter: Filter{Blocked: BlockedAny}}}, {"clicks", Query{Sort: ByClicks}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.Limit = 100
			for b.Loop() {
				if _, err := x.Search(context.Background(), c.Query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
