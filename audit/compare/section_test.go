package compare

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"robots-audit/audit"
)

// TestSections compares the cached section of the previous URL with the result for each URL alone.
func TestSections(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	own := &governed{record: &audit.Robots{Origin: "https://example.com"}}
	var found classes
	found[NewlyBlocked] = true
	for range 200 {
		var s, plain sections
		for range 40 {
			loc := []string{"https://example.com", "http://example.com", "https://EXAMPLE.com", "https://m.example.com", "https://example.com:8443"}[r.IntN(5)] +
				[]string{"", "/", "/a", "/a/", "/a/b", "/ab/c", "/a//b", "//a/b", "/?a/b", "/a?b/c", "/#a/b", "?a/b", "/a/b/c?d=://e/f/"}[r.IntN(13)]
			s.add(&Flip{Loc: loc}, own, found)
			plain.last = nil
			plain.add(&Flip{Loc: loc}, own, found)
		}
		if is, want := s.ranked(), plain.ranked(); !reflect.DeepEqual(is, want) {
			t.Fatalf("%+v\nwant\n%+v", is, want)
		}
	}
}
