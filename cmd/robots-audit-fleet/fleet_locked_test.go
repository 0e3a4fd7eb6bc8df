package main

import (
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
)

// TestFleetFolderInUse: a folder that another process uses is no wrong usage.
func TestFleetFolderInUse(t *testing.T) {
	out := filepath.Join(t.TempDir(), "fleet")
	local, err := fleetwork.OpenLocal(out)
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	if code, said := call("submit", "-local", "http://127.0.0.1:1", "-out", out); code != cli.ExitFailed || !strings.Contains(said, "Wait until it ends") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
