//go:build unix

package audits

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"robots-audit/audit/table"
	"robots-audit/cmd/internal/clitest"
)

// A ZIP is read from its end, which a pipe does not have, so it is copied.
func TestKnownPipe(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		if w, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil {
			w.Write(clitest.Archived("t.csv", "url\nhttps://a.example/\n"))
			w.Close()
		}
	}()
	known, _, err := ReadKnown(pipe, table.Options{}, "")
	if err != nil || known.URLs != 1 {
		t.Error(known, err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "robots-audit-*.tmp")); left != nil {
		t.Errorf("temporary files are left: %q", left)
	}
}
