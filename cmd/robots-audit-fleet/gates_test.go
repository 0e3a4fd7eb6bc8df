package main

import (
	"path/filepath"
	"testing"

	"robots-audit/cmd/internal/clitest"
)

// TestGates runs the fleet's rows of the table of gates.
func TestGates(t *testing.T) {
	if n := clitest.Gates(t, filepath.Join("..", "robots-audit", "testdata", "gates.tsv"), false, program.Run); n < 6 {
		t.Errorf("%d rows", n)
	}
}
