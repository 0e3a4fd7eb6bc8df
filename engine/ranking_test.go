package engine

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"robots-audit/engine/internal/match"
)

// TestCompiledWhenItPays: patterns are compiled when trying them one by one has cost
// as much, however many URLs that took, for a Group and for a Matrix.
func TestCompiledWhenItPays(t *testing.T) {
	var body strings.Builder
	body.WriteString("User-agent: *\nDisallow: /the/longest/of/all\n")
	for i := range 99 {
		fmt.Fprintf(&body, "Disallow: /%d\n", i)
	}
	for url, tries := range map[string]int{"https://h.example/the/longest/of/all": 1, "https://h.example/none": 100} {
		g := mustProfile(t, "rfc9309").Parse([]byte(body.String())).Group(Crawler{})
		judged := 0
		for ; g.set.Load() == nil && judged < 1e6; judged++ {
			g.Verdict(url)
		}
		if want := scanFirst + match.CompileCost(100)/tries + 1; judged != want {
			t.Errorf("compiled at the %d. URL %s, want %d.", judged, url, want)
		}
		m, out := NewMatrix(g), make([]Decision, 1)
		for judged = 0; m.rules == nil && judged < 1e6; judged++ {
			m.Verdicts(url, out)
		}
		if want := (freeTries+100*mergeCost+match.CompileCost(100)+99)/100 + 1; judged != want { // it tries them all, to count them
			t.Errorf("the Matrix compiled at the %d. URL, want %d.", judged, want)
		}
	}
}

// TestFill fills lists of each length around four, and nothing after them.
func TestFill(t *testing.T) {
	d := Decision{Verdict: Disallow, Rule: &Rule{Line: 7}}
	for n := range 14 {
		list := make([]Decision, 15)
		fill(list[:n], d)
		if slices.ContainsFunc(list[:n], func(got Decision) bool { return got != d }) || slices.Contains(list[n:], d) {
			t.Errorf("fill of %d: %v", n, list)
		}
	}
}

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

// TestPrecedence compares the order of precedence with that of a stable sort. The
// groups have few or many rules, of few or many lengths.
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
