package summary

import (
	"testing"

	"robots-audit/audit"
)

// TestFailing counts the sites that each word of -fail-on fails: by their
// findings and by their state, unknown sites apart.
func TestFailing(t *testing.T) {
	var got Totals
	for _, line := range []*Line{
		{State: "ok", Records: 1, Findings: &audit.Severities{}},
		{State: "ok", Records: 1, Findings: &audit.Severities{Info: 2}},
		{State: "warn", Records: 1, Findings: &audit.Severities{Warning: 1, Info: 1}},
		{State: "warn", Records: 1, Findings: &audit.Severities{Error: 3, Warning: 1}},
		{State: "warn", Records: 1}, // of a run before findings were counted
		{State: "critical", Records: 1, Findings: &audit.Severities{Info: 1}},
		{State: "unknown", Records: 1, Findings: &audit.Severities{Critical: 1}},
	} {
		got.Count(line)
	}
	for word, want := range map[string]int{"info": 5, "warn": 4, "warning": 4, "error": 2, "critical": 1, "": 0, "nonsense": 0} {
		if n := got.Failing(word); n != want {
			t.Errorf("%q fails %d sites, want %d", word, n, want)
		}
	}
	if want := (audit.Severities{Critical: 1, Error: 3, Warning: 2, Info: 4}); got.Findings != want {
		t.Errorf("%+v, want %+v", got.Findings, want)
	}
}
