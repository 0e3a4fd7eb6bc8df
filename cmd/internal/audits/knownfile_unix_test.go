//go:build unix

package audits

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"robots-audit/cmd/internal/clitest"
)

// A ZIP is read from its end, which a pipe does not have.
func TestKnownPipe(t *testing.T) {
	t.Parallel()
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
	if _, err := ReadKnown(pipe, ""); err == nil || !strings.Contains(err.Error(), "cannot be read from a pipe") {
		t.Errorf("%v, want that it cannot be read from a pipe", err)
	}
}
