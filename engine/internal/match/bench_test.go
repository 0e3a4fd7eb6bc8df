package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/engine/internal/match/matchtest"
)

// benchPatterns are the rules of the workload, the longest first.
func benchPatterns(n int) []Pattern {
	list := make([]Pattern, 0, n)
	for _, rule := range matchtest.Rules(n) {
		text, end := strings.CutSuffix(rule, "$")
		list = append(list, Pattern{Text: text, End: end})
	}
	slices.SortStableFunc(list, func(a, b Pattern) int { return cmp.Compare(len(b.Text), len(a.Text)) })
	return list
}

// BenchmarkScan is U, the unit in which the benchmarks are compared.
func BenchmarkScan(b *testing.B) { matchtest.Scan(b, matchtest.Paths(1024)) }

// BenchmarkCompile prepares patterns for a fast search. tries/pattern is how many
// patterns can be tried one by one in the time that it takes for one: see CompileCost.
func BenchmarkCompile(b *testing.B) {
	paths := matchtest.Paths(1024)
	for _, n := range []int{10, 100, 1000, 10000} {
		b.Run(fmt.Sprintf("rules=%d", n), func(b *testing.B) {
			patterns := benchPatterns(n)
			start, tries := time.Now(), 0
			for i := 0; tries < 1<<20; i++ {
				for k := range patterns {
					if patterns[k].Match(paths[i&1023]) {
						rankSink++
					}
				}
				tries += n
			}
			try := float64(time.Since(start)) / float64(tries)
			b.ReportAllocs()
			for b.Loop() {
				Compile(patterns, nil)
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(n)/try, "tries/pattern")
		})
	}
}

var rankSink int32

// BenchmarkBest finds the strongest pattern for paths of the workload.
func BenchmarkBest(b *testing.B) {
	paths := matchtest.Paths(1024)
	for _, n := range []int{10, 100, 1000, 10000} {
		b.Run(fmt.Sprintf("rules=%d", n), func(b *testing.B) {
			set := Compile(benchPatterns(n), nil)
			find := func(i int) { rankSink = set.Best(paths[i&1023]) }
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				find(i)
			}
			matchtest.Report(b, paths, find)
		})
	}
}

// BenchmarkAll finds all patterns that match paths of the workload.
func BenchmarkAll(b *testing.B) {
	paths := matchtest.Paths(1024)
	for _, n := range []int{10, 100, 1000, 10000} {
		b.Run(fmt.Sprintf("rules=%d", n), func(b *testing.B) {
			set := Compile(benchPatterns(n), nil)
			var scratch Scratch
			find := func(i int) { rankSink = int32(len(set.All(paths[i&1023], &scratch))) }
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				find(i)
			}
			matchtest.Report(b, paths, find)
		})
	}
}
