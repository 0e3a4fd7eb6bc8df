package engine

import (
	"bytes"
	"fmt"
	"testing"

	"robots-audit/engine/internal/match/matchtest"
)

// BenchmarkMatrix judges whole URLs for several crawlers at once and counts the
// effect of each rule: for one crawler, for three with their own groups, and
// for 24 crawlers of three profiles. Four of these have their own groups and 20
// use "*". Every group has 100 rules.
func BenchmarkMatrix(b *testing.B) {
	rules, paths := matchtest.Default(500).Draw(benchPaths)
	urls := benchURLs(paths)
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
			judge := func(i int) { m.Verdicts(urls[i&(benchPaths-1)], out) }
			matchtest.Measure(b, paths, judge)
		})
	}
}

// BenchmarkMatrixMixed judges whole URLs for the first 24 crawlers of the list. The file
// has one group for all of them, which their profiles read in different ways.
func BenchmarkMatrixMixed(b *testing.B) {
	for _, mix := range matchtest.Mixes {
		b.Run(mix.String(), func(b *testing.B) {
			rules, paths := mix.Draw(benchPaths)
			urls, body := benchURLs(paths), benchBody(rules)
			crawlers := Crawlers()[:24]
			read := map[string]*Robots{}
			var files []*Robots
			for _, c := range crawlers {
				if read[c.Profile] == nil {
					read[c.Profile] = mustProfile(b, c.Profile).Read(File{Status: 200, Body: body})
					files = append(files, read[c.Profile])
				}
			}
			Share(files...)
			var groups []*Group
			for _, c := range crawlers {
				groups = append(groups, read[c.Profile].Group(c))
			}
			m, out := NewMatrix(groups...), make([]Decision, len(groups))
			judge := func(i int) { m.Verdicts(urls[i&(benchPaths-1)], out) }
			matchtest.Measure(b, paths, judge)
		})
	}
}
