package edit

import (
	"context"
	"slices"
	"testing"

	"robots-audit/engine"
)

// TestJoined has two elements that each work for one URL, but not together: the rewritten rule
// beats the inserted one.
func TestJoined(t *testing.T) {
	req := &request{File: parsed("User-agent: *\nDisallow: /m/\nAllow: /m/*.jpg\n"), Want: engine.Disallow,
		Crawlers: crawlersNamed(t, "Googlebot"), Set: []string{"/m/a.jpg", "/m/b.jpgx"}, Known: all([]string{"/m/k.jpg"})}
	f := newFinder(context.Background(), req)
	f.findCells(&Result{})
	f.deciding()
	f.reader = f.newReader()
	s := &search{finder: f}
	s.places, s.fresh = f.places()
	a, b, both := newBitset(2), newBitset(2), newBitset(2)
	a.add(0)
	b.add(1)
	both.or(a)
	both.or(b)
	s.goal = both
	text := "Allow: /m/*.jpg"
	inserted := element{insertion: &insertion{pattern: "/m/a.jpg$"}, covers: a}
	rewritten := element{change: f.newChange(Edit{Op: Replace, Line: 3, Text: text + "$", Was: text}), covers: b}
	deleted := element{change: f.newChange(Edit{Op: Delete, Line: 3, Was: text}), covers: b, flips: 1}
	reaching := func(list []*change) (n int) {
		for _, c := range list {
			if s.goal.within(s.coveredBy(s.groupsOf(s.read(s.file.apply(c.edits))))) {
				n++
			}
		}
		return n
	}
	if list := s.joined(mode{}, []element{inserted, rewritten}, true); len(list) != 1 || reaching(list) != 0 {
		t.Fatalf("the two are not in each other's way: %v", list)
	}
	if list := s.joined(mode{}, []element{inserted, rewritten, deleted}, true); len(list) != 2 || reaching(list) != 1 {
		t.Errorf("%d changes, %d of them reach the goal; want one of two", len(list), reaching(list))
	}
	c := s.join(mode{}, []element{rewritten, {change: deleted.change, covers: both}, inserted})
	want := []Edit{{Op: Insert, Line: 1, Text: "Disallow: /m/a.jpg$"}, deleted.change.edits[0]}
	if !slices.Equal(c.edits, want) {
		t.Errorf("joined %v, want %v", c.edits, want)
	}
}
