package engine

import (
	"bytes"
	"fmt"
	"testing"

	"robots-audit/engine/internal/match/matchtest"
)

// BenchmarkMatrix judges whole URLs for several crawlers at once and counts
// what each rule does: for one crawler, for three with groups of their own, and
// for 24 crawlers of three profiles, four of which have groups of their own and
// 20 fall to "*". Every group has 100 rules.
func BenchmarkMatrix(b *testing.B) {
	paths := matchtest.Paths(1024)
	urls := benchURLs(paths)
	rules := matchtest.Rules(500)
	var body []byte
	for i := range 4 {
		body = append(body, bytes.Replace(benchBody(rules[100*i:100*i+100]), []byte("*"), fmt.Appendf(nil, "bot%c", 'a'+i), 1)...)
	}
	body = append(body, benchBody(rules[400:])...)
	read := func(n int) (groups []*Group) {
		for i := range n {
			p, _ := ProfileByName([]string{"google", "rfc9309", "yandex"}[i%3])
			token := fmt.Sprintf("bot%c", 'a'+i)
			groups = append(groups, p.Parse(body).Group(Crawler{Name: token, Tokens: []string{token}}))
		}
		return groups
	}
	for _, n := range []int{1, 3, 24} {
		b.Run(fmt.Sprintf("crawlers=%d", n), func(b *testing.B) {
			m, out := NewMatrix(read(n)...), make([]Decision, n)
			judge := func(i int) { m.Verdicts(urls[i&1023], out) }
			for i := range urls {
				judge(i)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				judge(i)
			}
			matchtest.Report(b, paths, judge)
		})
	}
}
