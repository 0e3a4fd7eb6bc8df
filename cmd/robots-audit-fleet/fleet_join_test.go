package main

import (
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestSubmitAgain: a repeated submit prints the ID of the queued run, and says so.
func TestSubmitAgain(t *testing.T) {
	_, servers := fleetNode(t, nil)
	dir := t.TempDir()
	list := filepath.Join(dir, "list.txt")
	clitest.WriteFile(t, list, "a.example\n")
	submit := func() (id, told string) {
		code, out, told := called("submit", "-servers", servers, "-bucket", store.FolderURL(filepath.Join(dir, "bucket")), "-domains", list)
		if code != cli.ExitDone {
			t.Fatalf("exit code %d: %s", code, told)
		}
		return out, told
	}
	const says = "No other run is started"
	first, before := submit()
	again, told := submit()
	if first == "" || again != first || strings.Contains(before, says) || strings.Count(told, says) != 1 {
		t.Errorf("%q, then %q:\n%s", first, again, told)
	}
}
