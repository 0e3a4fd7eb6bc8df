package sidebyside

import (
	"fmt"
	"strings"
	"testing"

	"robots-audit/audit/compare"
)

// TestChanging folds the different lines that change no URL, and keeps those whose effect is not known.
func TestChanging(t *testing.T) {
	var was strings.Builder
	o := &compare.Origin{}
	was.WriteString("User-agent: *\n")
	for i := range 47 {
		text := fmt.Sprintf("Disallow: /old-%d", i)
		was.WriteString(text + "\n")
		o.Diff = append(o.Diff, compare.Line{Op: compare.Removed, OldLine: 2 + i, Old: text})
	}
	o.Diff[30].NewlyAllowed = 5
	o.Old, o.New = &compare.Answer{Body: []byte(was.String() + "Sitemap: /s.xml\n")}, &compare.Answer{Body: []byte("User-agent: *\nSitemap: /s.xml\n")}
	words := func(f File) string {
		var list []string
		for i := range f.Rows {
			switch r := &f.Rows[i]; {
			case r.Skipped > 0:
				list = append(list, r.Words)
			case r.Old != nil:
				list = append(list, r.Old.Before)
			}
		}
		return fmt.Sprint(strings.Join(list, "; "), f.Folded, f.More)
	}
	if got, want := words(Changing(o)), "30 different lines change no URL, 1 line stays as it is; Disallow: /old-30; 16 different lines change no URL, 1 line stays as it is46 0"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if f := New(o); len(f.Rows) != 49 || f.Folded != 0 {
		t.Errorf("all lines: %d rows, %d folded", len(f.Rows), f.Folded)
	}
	o.Diff[3].Together = 1
	o.Diff[4].NotCounted = true
	o.Diff[5].OtherFlips = 1
	if f := Changing(o); f.Folded != 43 || f.changed() != 4 {
		t.Errorf("%d folded, %d shown", f.Folded, f.changed())
	}
	for i := range o.Diff {
		o.Diff[i] = compare.Line{Op: compare.Removed, OldLine: 2 + i, Old: o.Diff[i].Old}
	}
	if f := Changing(o); f.Folded != 47 || f.changed() != 0 || f.More != 0 {
		t.Errorf("no line changes a URL: %+v", f)
	}
}
