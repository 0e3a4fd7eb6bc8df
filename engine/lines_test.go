package engine

import (
	"testing"

	"robots-audit/engine/internal/match"
)

// TestIsDisallow puts each byte in each place of the field.
func TestIsDisallow(t *testing.T) {
	for at := range len(disallow) {
		for c := range 256 {
			field := []byte(disallow)
			field[at] = byte(c)
			if got, want := isDisallow(match.Load8(string(field))), equalFold(string(field), disallow); got != want {
				t.Errorf("%q is the field: %v", field, got)
			}
		}
	}
}
