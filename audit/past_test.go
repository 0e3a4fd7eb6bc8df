package audit

import (
	"bytes"
	"testing"
	"time"

	"robots-audit/engine"
)

// TestPastWire: a site's past is read as it was written, always as the same bytes, and each URL
// says whether it is in the important list.
func TestPastWire(t *testing.T) {
	first, second := time.Date(2026, 11, 1, 6, 0, 0, 0, time.UTC), time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC)
	early, late := Since{first, "aa", "disallow: /a", 3}, Since{second, "", "", 0}
	past := &Past{
		Begins: first,
		Points: []Point{{Started: first, Answer: "200", Status: 200, SHA256: "aa", Known: 7, Blocked: map[string]int64{"Googlebot": 3}}},
		Rules:  map[string]RulePast{"r1": {first, second}, "r2": {first, first}, "r3": {first, second}},
		Blocked: map[BlockedKey]Since{
			{"u1", "Googlebot"}: early, {"u2", "Googlebot"}: early, {"u3", "Googlebot"}: late, {"u1", "Bingbot"}: early,
		},
		Notes: map[NoteKey]string{{"url", "u1"}: "=1+1 <b>", {"rule", "r1"}: "asked\nAnna"},
	}
	records := []Record{
		{Domain: "example.com", Site: &Site{Name: "example.com", Started: second, Past: past}},
		{Domain: "example.com", URLs: &URLs{List: []URL{
			{Loc: "https://example.com/a", Verdicts: []engine.Verdict{engine.Allow}, Lines: []int32{0}, Weight: Weight{Listed: true}},
			{Loc: "https://example.com/b", Verdicts: []engine.Verdict{engine.Allow}, Lines: []int32{0}},
		}}},
	}
	wire := encodeAll(records)
	for range 20 {
		if again := encodeAll(records); !bytes.Equal(again, wire) {
			t.Fatalf("other bytes:\n%s\n%s", wire, again)
		}
	}
	if n := bytes.Count(wire, []byte(`"u1"`)) + bytes.Count(wire, []byte(`"urls":`)); n != 3+3 {
		t.Errorf("%d ids and entries: URLs of one date do not share one:\n%s", n, wire)
	}
	if n := bytes.Count(wire, []byte(`"since":`)); n != 2 {
		t.Errorf("%d entries: rules of one date do not share one:\n%s", n, wire)
	}
	got, err := collect(t, wire)
	noError(t, err)
	checkEqual(t, "decode(encode(x)) differs", got, records, sameRecords)
	if again := encodeAll([]Record{{Domain: "example.com", Site: &Site{Name: "example.com"}}}); bytes.Contains(again, []byte("past")) {
		t.Errorf("a site without history: %s", again)
	}
}
