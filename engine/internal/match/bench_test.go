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

// benchPaths is how many paths are judged in turn: too many for the processor's branch prediction
// to learn.
const benchPaths = 8192

// benchWorkload returns the rules of a mix, the longest first, and its paths.
func benchWorkload(mix matchtest.Mix) (list []Pattern, paths []string) {
	rules, paths := mix.Draw(benchPaths)
	for _, rule := range rules {
		text, end := strings.CutSuffix(rule, "$")
		list = append(list, Pattern{Text: text, End: end})
	}
	slices.SortStableFunc(list, func(a, b Pattern) int { return cmp.Compare(len(b.Text), len(a.Text)) })
	return list, paths
}

// BenchmarkScan is U, the unit in which the benchmarks are compared.
func BenchmarkScan(b *testing.B) {
	_, paths := matchtest.Default(1000).Draw(benchPaths)
	matchtest.Scan(b, paths)
}

// BenchmarkCompile compiles patterns. tries/pattern is how many patterns can be tried
// one by one in the time to compile one: see CompileCost.
func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10000} {
		b.Run(fmt.Sprintf("rules=%d", n), func(b *testing.B) {
			patterns, paths := benchWorkload(matchtest.Default(n))
			start, tries := time.Now(), 0
			for i := 0; tries < 1<<20; i++ {
				for k := range patterns {
					if patterns[k].Match(paths[i&(benchPaths-1)]) {
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
	eachMix(b, func(set *Set, path string) { rankSink = set.Best(path) })
}

// BenchmarkAll finds all patterns that match paths of the workload.
func BenchmarkAll(b *testing.B) {
	var scratch Scratch
	eachMix(b, func(set *Set, path string) { rankSink = int32(len(set.All(path, &scratch))) })
}

// eachMix measures a search with each mix of rules and paths.
func eachMix(b *testing.B, find func(set *Set, path string)) {
	for _, mix := range matchtest.Mixes {
		b.Run(mix.String(), func(b *testing.B) {
			patterns, paths := benchWorkload(mix)
			set := Compile(patterns, nil)
			matchtest.Measure(b, paths, func(i int) { find(set, paths[i&(benchPaths-1)]) })
		})
	}
}
