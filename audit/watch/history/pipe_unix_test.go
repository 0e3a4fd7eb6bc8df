//go:build unix

package history

import (
	"syscall"
	"testing"
)

// pipe makes a named pipe.
func pipe(_ *testing.T, name, _ string) error { return syscall.Mkfifo(name, 0o600) }
