package main

import (
	"path/filepath"
	"slices"
	"testing"

	"robots-audit/audit/fleet"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
)

// TestFleetFilesTravel: a worker reads the copy of every file that a setting names. On its own
// machine the path may be missing, or another file.
func TestFleetFilesTravel(t *testing.T) {
	var s audits.Settings
	f := s.Flags("submit")
	list := filepath.Join(t.TempDir(), "crawlers.tsv") // not on the worker's machine
	for name, value := range map[string]string{"crawler-list": list, "crawlers": "Googlebot,OwnBot"} {
		if err := f.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	run := &fleet.Run{ID: "r1", Settings: fleetwork.Pack(f)}
	inputs := t.TempDir()
	for _, input := range fleetwork.Inputs(run.Settings) {
		if input.Path != list {
			t.Errorf("%+v travels", input)
		}
		clitest.Write(t, inputs, map[string]string{input.Name: "OwnBot\tus\tsearch\tgoogle\tOwnBot\t\tyes\tyes\t\thttps://us.example/\t2026-09\n"})
	}
	a, err := prepare(1, 0)(t.Context(), run, inputs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range a.Auditor.Crawlers {
		names = append(names, c.Name)
	}
	if !slices.Contains(names, "OwnBot") {
		t.Errorf("the run asks about %q", names)
	}
}
