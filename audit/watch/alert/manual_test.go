package alert

import (
	"slices"
	"strings"
	"testing"

	"robots-audit/audit/compare"
)

// TestManual: every condition has its line, with a level.
func TestManual(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(Manual(), "\n"), "\n")
	codes := []string{ended}
	for _, c := range conditions {
		codes = append(codes, c.code)
	}
	if len(lines) != len(codes) {
		t.Fatalf("%d lines for %d conditions", len(lines), len(codes))
	}
	for _, line := range lines {
		if words := strings.Fields(line); !slices.Contains(codes, words[0]) || !slices.ContainsFunc(Severities, func(s compare.Severity) bool { return s.Word() == words[1] }) || len(words) < 4 {
			t.Errorf("%q", line)
		}
	}
}
