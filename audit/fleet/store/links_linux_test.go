package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestLinks gives a bucket folders and objects that are links to files of another user: these are
// not read, written or removed.
func TestLinks(t *testing.T) {
	dir, kept := t.TempDir(), t.TempDir()
	secret := filepath.Join(kept, "id_rsa")
	noError(t, os.WriteFile(secret, []byte("SECRET"), 0o600))
	old := time.Now().Add(-48 * time.Hour)
	noError(t, errors.Join(os.Chtimes(secret, old, old), os.Symlink(kept, filepath.Join(dir, "runs")), os.Symlink(secret, filepath.Join(dir, "object")), syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600)))
	b, ctx := opened(t, FolderURL(dir)), t.Context()
	for _, key := range []string{"runs/id_rsa", "runs/new/one"} {
		_, getErr := b.Get(ctx, key, 100)
		_, newErr := b.PutNew(ctx, key, []byte("x"))
		for does, err := range map[string]error{"get": getErr, "put": b.PutBytes(ctx, key, []byte("x")), "put new": newErr, "delete": b.Delete(ctx, key)} {
			if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "runs")+" is not a plain folder") {
				t.Errorf("%s %s: %v", does, key, err)
			}
		}
	}
	for _, key := range []string{"object", "pipe"} {
		if data, err := b.Get(ctx, key, 100); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %q, %v", key, data, err)
		}
	}
	if keys := list(t, b, ""); len(keys) > 0 {
		t.Error(keys)
	}
	if err := b.PutBytes(ctx, "object", []byte("ours")); err != nil { // in place of the link
		t.Error(err)
	}

	half := t.TempDir()
	noError(t, os.Symlink(kept, filepath.Join(half, incomplete)))
	if _, err := Open(ctx, FolderURL(half)); err == nil || !strings.Contains(err.Error(), incomplete+" is not a plain folder") {
		t.Error(err)
	}
	if text, err := os.ReadFile(secret); string(text) != "SECRET" {
		t.Errorf("%q, %v", text, err)
	}
	if entries, _ := os.ReadDir(kept); len(entries) != 1 {
		t.Error(entries)
	}
}
