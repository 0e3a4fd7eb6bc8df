package site

import (
	"reflect"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// TestFixOf returns the edits of findings, and none where no edit is certain.
func TestFixOf(t *testing.T) {
	finding := func(f engine.Finding) *audit.Finding { return &audit.Finding{Finding: f} }
	for _, c := range []struct {
		origin  int
		finding *audit.Finding
		want    *Fix
		words   string
	}{
		{0, finding(engine.Finding{Line: 5, Replacement: "Disallow: /a"}), &Fix{ReplaceLines, []int{5}, "Disallow: /a"}, "replace line 5"},
		{0, finding(engine.Finding{Line: 5, Delete: []int{5, 7, 9, 11, 13, 15}}), &Fix{DeleteLines, []int{5, 7, 9, 11, 13, 15}, ""}, "delete lines 5, 7, 9, 11, 13 and 1 other"},
		{1, finding(engine.Finding{Line: 5, Replacement: "x"}), nil, ""},
		{0, finding(engine.Finding{Line: 5, Fix: "Check it."}), nil, ""},
		{0, finding(engine.Finding{Replacement: "x"}), nil, ""},
	} {
		got := FixOf(c.origin, c.finding)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %+v", c.finding.Finding, got)
		} else if got != nil && got.Words() != c.words {
			t.Errorf("%+v: %q", got, got.Words())
		}
	}
	for _, c := range []struct {
		fix  Fix
		want string
	}{{Fix{InsertBelow, []int{3}, "Allow: /a"}, "add an Allow rule below line 3"}, {Fix{InsertBelow, []int{3, 9}, "Allow: /a"}, "add Allow rules below lines 3 and 9"}} {
		if got := c.fix.Words(); got != c.want {
			t.Errorf("%+v: %q", c.fix, got)
		}
	}
}
