package site

import (
	"fmt"
	"reflect"
	"testing"
)

// TestFlipTemplates checks that the two classes are counted separately, and that the one with most
// flips comes first.
func TestFlipTemplates(t *testing.T) {
	var f FlipTemplates
	for i := range 40 {
		f.Count(fmt.Sprintf("https://example.com/post%d.html", i), true, i < 5)
	}
	for i := range 7 {
		f.Count(fmt.Sprintf("https://example.com/shop/%d/", i), false, true)
	}
	list, more := f.Ranked(1)
	want := []FlipTemplate{{"/post{n}.html", 40, 5, "https://example.com/post0.html"}}
	if !reflect.DeepEqual(list, want) || more != 1 {
		t.Errorf("%+v and %d more", list, more)
	}
	if list, more = f.Ranked(10); len(list) != 2 || more != 0 || list[1].NewlyAllowed != 7 || list[1].NewlyBlocked != 0 {
		t.Errorf("%+v and %d more", list, more)
	}
}
