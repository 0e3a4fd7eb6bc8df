package engine

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// plainPrecedence is precedence without keys.
func plainPrecedence(p *Profile, rules []Rule) []ranked {
	list := []ranked{}
	for i := range rules {
		list = p.appendRanked(list, int32(i), &rules[i])
	}
	if !p.FirstMatch {
		slices.SortStableFunc(list, func(a, b ranked) int {
			return cmp.Or(cmp.Compare(b.octets, a.octets), cmp.Compare(kindOrder(rules, &a), kindOrder(rules, &b)))
		})
	}
	return list
}

// TestPrecedence holds the order of precedence to that of a stable sort, for groups of
// few and of many rules, of few and of many lengths.
func TestPrecedence(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	values := []string{"", "/", "/a", "/a/index.html", "/*b", "/c$", "*", "/a*", "/%c3%a4", "/" + strings.Repeat("x", 40)}
	for _, size := range []int{0, 1, 2, 3, 10, 64, 65, 200, 255, 256, 257, 1000, 3000} {
		for _, longest := range []int{0, 8, 300, 3000} {
			var rules []Rule
			for i := range size {
				value := values[random.Intn(len(values))]
				if longest > 0 && random.Intn(3) > 0 {
					value = "/" + strings.Repeat("y", random.Intn(longest))
				}
				rules = append(rules, Rule{Allow: random.Intn(2) == 0, Value: value, Line: i + 2})
			}
			for _, p := range Profiles() {
				if got, want := p.precedence(rules), plainPrecedence(p, rules); !slices.Equal(got, want) {
					t.Errorf("%s: %d rules of up to %d bytes are in another order", p.Name, size, longest)
				}
			}
		}
	}
}

func BenchmarkPrecedence(b *testing.B) {
	random := rand.New(rand.NewSource(1))
	p := mustProfile(b, "google")
	for _, size := range []int{12, 80, 500, 10000} {
		rules := make([]Rule, size)
		for i := range rules {
			rules[i] = Rule{Allow: random.Intn(9) == 0, Value: "/" + strings.Repeat("y", random.Intn(60)), Line: i}
		}
		for name, order := range map[string]func(*Profile, []Rule) []ranked{"keys": (*Profile).precedence, "stable": plainPrecedence} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					order(p, rules)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size), "ns/rule")
			})
		}
	}
}
