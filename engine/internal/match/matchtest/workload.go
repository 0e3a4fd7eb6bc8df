package matchtest

import (
	_ "embed"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The workload: one group of rules mixed from many sites, and paths of real sites. Both
// are drawn from a sample with the shape of real files; sample/README.md names its
// sources. A generated rule set has only what its author thought of. This one also has
// the forty rules with the same beginning, and the one of a hundred bytes.

//go:embed sample/rules.txt
var rulesText string

//go:embed sample/paths.txt
var pathsText string

// Mix says how rules and paths are drawn.
type Mix struct {
	Rules   int     // at most 10,000
	Wild    float64 // the share of rules with a wildcard: 0.2 or 0.3, as in real files
	Derived float64 // the share of paths that are derived from the rules; the others are links of real sites
}

// Mixes are the mixes that the benchmarks of verdicts use.
var Mixes = func() (all []Mix) {
	for _, wild := range []float64{0.2, 0.3} {
		for _, derived := range []float64{0.5, 0.1} {
			for _, n := range []int{10, 100, 1000, 10000} {
				all = append(all, Mix{n, wild, derived})
			}
		}
	}
	return all
}()

// String returns the mix as a part of a benchmark's name:
// "rules=100/wild=20%/derived=50%".
func (m Mix) String() string {
	percent := func(share float64) string { return strconv.Itoa(int(share*100+0.5)) + "%" }
	return "rules=" + strconv.Itoa(m.Rules) + "/wild=" + percent(m.Wild) + "/derived=" + percent(m.Derived)
}

// Default is the mix for tests with a single mix: a hundred rules, like a large shop.
func Default(rules int) Mix { return Mix{rules, 0.2, 0.5} }

// Draw returns the rules, all different and in no order, and n paths. The same mix always draws
// the same, unless TEST_SEED is a number: a result for one seed only is overfitted.
func (m Mix) Draw(n int) (rules, paths []string) {
	literal, wild, links := shuffled(sample().literal, 1), shuffled(sample().wild, 2), sample().paths
	wilds := int(float64(m.Rules)*m.Wild + 0.5)
	rules = append(rules, wild[:wilds]...)
	rules = shuffled(append(rules, literal[:m.Rules-wilds]...), 3)
	r := source(4)
	for len(paths) < n {
		path := links[r.IntN(len(links))]
		if r.Float64() < m.Derived {
			path = derive(r, rules[r.IntN(len(rules))])
		}
		if len(path) <= 120 {
			paths = append(paths, path)
		}
	}
	return rules, paths
}

// derive returns a path that the rule matches.
func derive(r *rand.Rand, rule string) string {
	words := []string{"article", "index.html", "42", "product-7", "a/b", "x"}
	text, end := strings.CutSuffix(rule, "$")
	for strings.Contains(text, "*") {
		text = strings.Replace(text, "*", words[r.IntN(len(words))], 1)
	}
	if !end {
		text += words[r.IntN(len(words))]
	}
	return text
}

// sample is the sample: rules without and with wildcards, and paths.
var sample = sync.OnceValue(func() (all struct{ literal, wild, paths []string }) {
	for rule := range strings.FieldsSeq(rulesText) {
		if strings.ContainsAny(rule, "*$") {
			all.wild = append(all.wild, rule)
		} else {
			all.literal = append(all.literal, rule)
		}
	}
	all.paths = strings.Fields(pathsText)
	return all
})

// shuffled returns the list in a random order.
func shuffled(list []string, of uint64) []string {
	list = slices.Clone(list)
	source(of).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// source makes the random numbers for one kind of draw.
func source(of uint64) *rand.Rand {
	seed, _ := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64)
	return rand.New(rand.NewPCG(seed, of))
}
