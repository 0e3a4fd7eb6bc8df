package summary

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"robots-audit/audit"
	"robots-audit/engine"
)

// askedSite is a finished site with these treatments.
func askedSite(name string, contradictions []Contradiction, treatments ...Treated) *Site {
	return &Site{Line: &Line{Name: name, Records: 1, Asked: treatments}, Entry: Entry{Contradictions: contradictions}}
}

// TestAskedTotals counts sites by treatment, in the order of the user whatever the order of the sites. Copies of the
// totals do not change.
func TestAskedTotals(t *testing.T) {
	sites := []*Site{
		askedSite("a", nil, Treated{Crawler: "Bingbot", Treatment: audit.LetIn}),
		askedSite("b", nil, Treated{Crawler: "Googlebot", Treatment: audit.LetIn}, Treated{Crawler: "Bingbot", Treatment: audit.Refused}, Treated{Crawler: "GPTBot", Treatment: "of a later version"}),
		askedSite("c", nil),
	}
	want := `[{"crawler":"Bingbot","sites":{"let_in":1,"refused":1}},{"crawler":"Googlebot","sites":{"let_in":1}},{"crawler":"GPTBot","sites":{"unclear":1}}]`
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}} {
		var totals Totals
		for _, i := range order {
			before := totals
			said, _ := json.Marshal(before.Asked)
			totals.Count(sites[i].Line)
			if now, _ := json.Marshal(before.Asked); string(now) != string(said) {
				t.Errorf("a copy changed from %s to %s", said, now)
			}
		}
		text, err := json.Marshal(totals.Asked)
		if err != nil || string(text) != want {
			t.Errorf("%s (%v), want %s", text, err, want)
		}
		var back []AskedTotal
		if err := json.Unmarshal(text, &back); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(totals.Asked, back, cmpopts.IgnoreUnexported(AskedTotal{})); diff != "" {
			t.Error(diff)
		}
		if got := back[0].Words(); got != "refused by 1 site, let in by 1" {
			t.Error(got)
		}
	}
}

// TestMatrix orders sites: contradictions first, then treatments. It keeps a bounded number of them.
func TestMatrix(t *testing.T) {
	in, refused, unclear := Treated{Crawler: "X", Treatment: audit.LetIn}, Treated{Crawler: "X", Treatment: audit.Refused}, Treated{Crawler: "X", Treatment: audit.Unclear}
	var m Matrix
	for i := range 2*maxMatrix + 10 {
		m.add(askedSite(fmt.Sprintf("in-%05d", i), nil, in))
	}
	m.add(askedSite("unclear", nil, unclear))
	m.add(askedSite("refused", nil, refused))
	m.add(askedSite("warning", []Contradiction{{Severity: engine.Warning, Sentence: "w"}, {Severity: engine.Warning}}, in))
	m.add(askedSite("error", []Contradiction{{Severity: engine.Error, Sentence: "e"}}, refused))
	m.add(askedSite("not asked", nil))
	m.Sort()
	var got []string
	for _, r := range m.Rows[:5] {
		got = append(got, r.Name+" "+r.First)
	}
	if diff := cmp.Diff([]string{"error e", "warning w", "refused ", "unclear ", "in-00000 "}, got); diff != "" {
		t.Error(diff)
	}
	if len(m.Rows) != maxMatrix || m.Sites != 2*maxMatrix+14 || m.Contradicting != 2 || m.LetIn != 2*maxMatrix+10 {
		t.Errorf("%d rows of %d sites, %d with contradictions, %d let in", len(m.Rows), m.Sites, m.Contradicting, m.LetIn)
	}
	if m.Rows[0].Of("X").Treatment != audit.Refused || m.Rows[0].Of("Y") != nil {
		t.Error("treatments of the first row")
	}
}
