package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/reports"
	"robots-audit/reports/changes"
)

// A folder that another process uses is no wrong usage, for every command that writes there: all
// end with the same code.
func TestFolderInUse(t *testing.T) {
	dir := t.TempDir()
	out := func(name string) string { return filepath.Join(dir, name) }
	begun, err := reports.Open(reports.Options{Dir: out("audit"), Started: time.Now(), Version: cli.Version})
	if err != nil {
		t.Fatal(err)
	}
	defer begun.Close()
	report, err := changes.Open(changes.Options{Dir: out("changes")})
	if err != nil {
		t.Fatal(err)
	}
	defer report.Discard()
	if code, said := call("audit", "http://127.0.0.1:1", "-out", out("audit"), "-quiet"); code != cli.ExitFailed || !strings.Contains(said, "Wait until it ends") {
		t.Errorf("audit: exit code %d: %s", code, said)
	}
	c := comparing{name: "compare", out: out("changes")}
	if _, _, err := c.open(changes.Options{}); !errors.Is(err, changes.ErrLocked) || errors.Is(err, audits.ErrOut) {
		t.Errorf("compare: %v", err)
	}
}
