package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDisk asks file systems that are full, and read-only. They need root to be made.
func TestDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("robots-audit-test", dir, "tmpfs", 0, "size=64k"); errors.Is(err, syscall.EPERM) {
		t.Skip("not allowed to mount")
	} else if err != nil {
		t.Fatal(err)
	}
	defer syscall.Unmount(dir, 0)
	b := opened(t, FolderURL(dir))
	big := filepath.Join(t.TempDir(), "big")
	noError(t, os.WriteFile(big, make([]byte, 100_000), 0o600))
	if err := b.Put(t.Context(), "a/big", big); !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
	// What was written of it is gone again.
	noError(t, b.PutBytes(t.Context(), "a/small", make([]byte, 30_000)))
	if err := os.WriteFile(filepath.Join(dir, "fill"), make([]byte, 100_000), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), FolderURL(dir))
	if err == nil || !strings.Contains(err.Error(), "it cannot be written: the disk is full") {
		t.Error(err)
	}
	noError(t, syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	_, err = Open(t.Context(), FolderURL(dir))
	if err == nil || !strings.Contains(err.Error(), "it cannot be written: it is read-only") {
		t.Error(err)
	}
}
