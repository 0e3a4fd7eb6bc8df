package engine

import (
	"strings"
	"testing"

	"robots-audit/engine/internal/match/matchtest"
)

// benchURLs puts an origin before paths, as in a sitemap.
func benchURLs(paths []string) []string {
	list := make([]string, len(paths))
	for i, path := range paths {
		list[i] = "https://www.example.com" + path
	}
	return list
}

// benchBody is a file with one group; every tenth rule allows.
func benchBody(rules []string) []byte {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i, value := range rules {
		if i%10 == 0 {
			b.WriteString("Allow: " + value + "\n")
		} else {
			b.WriteString("Disallow: " + value + "\n")
		}
	}
	return []byte(b.String())
}

// benchGroup is the "*" group in a file of these rules, as today's Google reads it.
func benchGroup(rules []string) *Group {
	p, _ := ProfileByName("google")
	return p.Parse(benchBody(rules)).Group(Crawler{Name: "FooBot", Tokens: []string{"FooBot"}})
}

// benchPaths is how many paths are judged in turn: too many for the processor's branch prediction
// to learn.
const benchPaths = 8192

var decisionSink Decision

// BenchmarkVerdict judges whole URLs by one group. U is taken on the paths alone.
func BenchmarkVerdict(b *testing.B) {
	for _, mix := range matchtest.Mixes {
		b.Run(mix.String(), func(b *testing.B) {
			rules, paths := mix.Draw(benchPaths)
			urls, g := benchURLs(paths), benchGroup(rules)
			judge := func(i int) { decisionSink = g.Verdict(urls[i&(benchPaths-1)]) }
			matchtest.Measure(b, paths, judge)
		})
	}
}
