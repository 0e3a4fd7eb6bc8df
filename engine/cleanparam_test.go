package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestCleanedBy compares the index of Clean-param rules with each single rule,
// over random rules and URLs.
func TestCleanedBy(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 10))
	pick := func(from ...string) string { return from[rng.IntN(len(from))] }
	taken := 0
	for range 300 {
		var body strings.Builder
		body.WriteString("User-agent: *\nDisallow:\n")
		for range rng.IntN(30) {
			names := pick("a", "b", "sid", "A", "a&b", "sid&ref&a", "a&a", "&b&", "x;y")
			path := pick("", " /", " /a", " /a/", " /a*b", " *b", " /*/c", " /a/b/c.html", " a", " /b$", " /a*", " /ä", " /a b")
			fmt.Fprintf(&body, "Clean-param: %s%s\n", names, path)
		}
		r := mustProfile(t, "yandex").Parse([]byte(body.String()))
		for range 20 {
			url := "https://www.example.com" + pick("", "/", "/a", "/a/b", "/a/b/c.html", "/b", "/x/c", "/A") + pick("", "?", "?a=1", "?b", "?a=1&b=2&c=3", "?sid=1&sid=2&ref=3#a=1", "?A=1&a=2", "?&&a")
			address, query, _ := strings.Cut(url, "?")
			query, fragment, cut := strings.Cut(query, "#")
			var kept []string
			var lines []int
			for parameter := range strings.SplitSeq(query, "&") {
				name, _, _ := strings.Cut(parameter, "=")
				takes := false
				for _, rule := range r.CleanParams() {
					if rule.Covers(url) && slices.Contains(rule.Names, name) {
						takes = true
						lines = append(lines, rule.Line.Line)
					}
				}
				if !takes {
					kept = append(kept, parameter)
				}
			}
			slices.Sort(lines)
			want := url
			if lines = slices.Compact(lines); lines != nil {
				taken++
				want = address
				if kept != nil {
					want += "?" + strings.Join(kept, "&")
				}
				if cut {
					want += "#" + fragment
				}
			}
			var got []int
			for _, rule := range r.CleanedBy(url) {
				got = append(got, rule.Line.Line)
			}
			if canonical := r.Canonical(url); canonical != want || !slices.Equal(got, lines) {
				t.Fatalf("%s\n%s: %s by lines %v; want %s by %v", &body, url, canonical, got, want, lines)
			}
		}
	}
	if taken < 500 {
		t.Errorf("only %d URLs lost a parameter", taken)
	}
}

// manyCleans returns a file of n Clean-param lines, all for the same paths.
func manyCleans(n int) []byte {
	var body strings.Builder
	for i := range n {
		fmt.Fprintf(&body, "Clean-param: p%d&q%[1]d /shop\nClean-param: sid /shop/%[1]d\n", i)
	}
	return []byte(body.String())
}

// TestCanonicalOfManyLines checks that a URL does not collect all lines of a
// file: only two strings are made, whatever the number of lines.
func TestCanonicalOfManyLines(t *testing.T) {
	p := *mustProfile(t, "yandex")
	p.Limit = -1
	r := p.Parse(manyCleans(9000))
	const url = "https://www.example.com/shop/77?sid=1&id=2&p8=3"
	if got, want := r.Canonical(url), "https://www.example.com/shop/77?id=2"; got != want {
		t.Fatalf("%s, want %s", got, want)
	}
	if n := testing.AllocsPerRun(100, func() { r.Canonical(url) }); n > 5 {
		t.Errorf("%v allocations a URL", n)
	}
}
