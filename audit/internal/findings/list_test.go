package findings

import (
	"testing"

	"robots-audit/engine"
)

// TestLimit omits findings under one of the same severity, so that the counts by severity stay the
// same.
func TestLimit(t *testing.T) {
	b := &builder{}
	want := map[engine.Severity]int{engine.Warning: MaxFindings + 30, engine.Info: 40, engine.Error: 1, engine.Critical: 3}
	line := 0
	for severity, n := range want {
		for range n {
			line++
			f := Finding{URLs: map[engine.Severity]int64{engine.Warning: 5, engine.Error: 1}[severity]}
			f.ID, f.Severity, f.Line = readersDiffer, severity, line
			b.list = append(b.list, f)
		}
	}
	b.limit()
	got := map[engine.Severity]int{}
	for _, f := range b.list {
		got[f.Severity] += 1 + f.More
	}
	for severity, n := range want {
		if got[severity] != n {
			t.Errorf("%v: %d findings, want %d", severity, got[severity], n)
		}
	}
	if n := len(b.list); n < MaxFindings || n > MaxFindings+5 {
		t.Errorf("%d findings are kept", n)
	}
}
