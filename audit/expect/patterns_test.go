package expect

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/audit/table"
)

// TestPatterns compares patterns with equivalent regular expressions.
func TestPatterns(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	word := func(alphabet string, n int) string {
		b := make([]byte, rng.IntN(n))
		for i := range b {
			b[i] = alphabet[rng.IntN(len(alphabet))]
		}
		return string(b)
	}
	var list []Expectation
	var all []int
	var expressions []*regexp.Regexp
	for i := range 300 {
		pattern := "/" + word("ab/*.", 6) + []string{"*", "$", "*$"}[rng.IntN(3)]
		list = append(list, Expectation{loc: pattern, pattern: i%10 > 0})
		all = append(all, i)
		text := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSuffix(pattern, "$")), `\*`, ".*")
		if strings.HasSuffix(pattern, "$") {
			text += "$"
		}
		expressions = append(expressions, regexp.MustCompile("^"+text))
	}
	p := newPatterns(list, all)
	matched := 0
	for range 2000 { // past the number at which they are compiled
		path := "/" + word("ab/.", 8)
		got := slices.Sorted(p.match("https://x.example" + path))
		var want []int
		for i, e := range expressions {
			if list[i].pattern && e.MatchString(path) {
				want = append(want, i)
			}
		}
		if matched += len(want); !slices.Equal(got, want) {
			t.Fatalf("%s: %v, want %v", path, got, want)
		}
	}
	if matched < 2000 {
		t.Errorf("only %d matches", matched)
	}
}

// BenchmarkKnown judges known URLs by 10,000 patterns.
func BenchmarkKnown(b *testing.B) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "/dir%d/*,Googlebot,allow\n", i)
	}
	set, err := Read("e.csv", []byte(text.String()), table.Options{})
	noError(b, err)
	j, err := NewJudge(set)
	noError(b, err)
	var urls []string
	for i := range 10_000 {
		urls = append(urls, fmt.Sprintf("/dir%d/page-%d.html", i, i))
	}
	list := records("a.example", 0, false, "", testOrigin{"https://a.example", served(200, "User-agent: *\nDisallow: /dir7/\n"), urls})
	j.Add(list[0])
	j.Add(list[1])
	s := j.sites["a.example"]
	b.ReportAllocs()
	for b.Loop() {
		s.seen = audit.NewHashSet() // else no URL is new
		for i := range urls {
			s.addURL(s.origins[0], "https://a.example", list[2].URLs.List[i].Loc)
		}
	}
}
