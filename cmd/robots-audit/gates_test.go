package main

import (
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
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

// TestVerifyCutRun verifies a run that stopped early: met expectations of its sites say nothing about
// those that are missing.
func TestVerifyCutRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "e.csv")
	clitest.WriteFile(t, file, "/,Googlebot,allow\n")
	cut := filepath.Join("testdata", "0.1.0", "cut")
	for flags, want := range map[string]int{"": cli.ExitUnknown, " -site www.example.com": cli.ExitDone} {
		code, said := call(strings.Fields("verify -expect " + file + " -run " + cut + flags)...)
		if code != want || strings.Contains(said, "this run stopped early") != (flags == "") {
			t.Errorf("%q: exit code %d, want %d: %s", flags, code, want, said)
		}
	}
}
