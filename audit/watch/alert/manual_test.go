package alert

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit/compare"
)

// TestManual: every condition has its line, with a level.
func TestManual(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(Manual(), "\n"), "\n")
	if len(lines) != 14 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		if words := strings.Fields(line); words[0] != fmt.Sprintf("AL%02d", i+1) || !slices.Contains(Severities, compare.Severity(words[1])) || len(words) < 4 {
			t.Errorf("%q", line)
		}
	}
}
