package main

import (
	"path/filepath"
	"testing"

	"robots-audit/cmd/internal/clitest"
)

// TestGates runs the table of gates: situation, exit code, first line printed. No gate passes if
// nothing was checked. The fleet's rows run in its own tests.
func TestGates(t *testing.T) {
	n := clitest.Gates(t, filepath.Join("testdata", "gates.tsv"), *update, run,
		"robots-audit -domains sites.txt -out both", "robots-audit http://a.example -out a", "robots-audit http://b.example -out b", "robots-audit http://down.example -out down",
		"robots-audit http://down.example -urls silent.txt -out silent", "robots-audit http://bare.example -out bare")
	if n < 50 {
		t.Errorf("%d rows", n)
	}
}
