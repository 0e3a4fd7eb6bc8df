package alert

import (
	"fmt"
	"strings"
	"testing"
)

// TestManual: every condition has its line, with a level.
func TestManual(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(Manual(), "\n"), "\n")
	if len(lines) != 14 || len(levels) != 14 {
		t.Fatalf("%d lines, %d levels", len(lines), len(levels))
	}
	for i, line := range lines {
		if words := strings.Fields(line); words[0] != fmt.Sprintf("AL%02d", i+1) || words[1] != string(levels[words[0]]) || len(words) < 4 {
			t.Errorf("%q", line)
		}
	}
}
