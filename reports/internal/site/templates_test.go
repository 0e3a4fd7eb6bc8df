package site

import (
	"fmt"
	"slices"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// TestTemplates: names stay different if there are few of them with many pages each, but not if
// each belongs to a single page, or if there are very many.
func TestTemplates(t *testing.T) {
	templates := Templates{crawlers: 1}
	count := func(n int, form string, args ...any) {
		for range n {
			templates.count(&URL{URL: &audit.URL{Loc: "https://a.example" + fmt.Sprintf(form, args...), Verdicts: []engine.Verdict{engine.Allow}}, Page: true})
		}
	}
	for i := range 9 {
		count(1, "/news/story-%c", 'a'+i)
		count(10, "/shop/kind-%c/1", 'a'+i)
		count(1, "/top-%c", 'a'+i)
	}
	for i := range 40 {
		count(3, "/many/name-%c%c", 'a'+i%26, 'a'+i/26)
	}
	count(1, "/two/a")
	count(1, "/two/b")
	var got []string
	for _, of := range templates.Ranked() {
		got = append(got, fmt.Sprint(of.Name, " ", of.URLs))
	}
	want := []string{"/many/{…} 120", "/news/{…} 9", "/two/a 1", "/two/b 1"}
	for i := range 9 {
		want = append(want, fmt.Sprintf("/shop/kind-%c/{n} 10", 'a'+i), fmt.Sprintf("/top-%c 1", 'a'+i))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
