package secretfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "secret")
	if _, err := Read(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Read(filepath.Dir(name)); err == nil || !strings.Contains(err.Error(), "holds no secret") {
		t.Errorf("a folder: %v", err)
	}
	if err := os.WriteFile(name, []byte("word\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[os.FileMode]string{
		0o600: "", 0o400: "", 0o700: "",
		0o644: "mode 0644", 0o604: "mode 0604", 0o640: "mode 0640", 0o440: "mode 0440", 0o620: "mode 0620", 0o602: "mode 0602",
	} {
		if runtime.GOOS == "windows" {
			break
		}
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		text, err := Read(name)
		switch {
		case want == "" && (err != nil || string(text) != "word\n"):
			t.Errorf("%04o: %q, %v", mode, text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "chmod 600")):
			t.Errorf("%04o: %v, want %s", mode, err, want)
		}
	}
	os.Chmod(name, 0o600)
	if err := os.WriteFile(name, make([]byte, maxBytes+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(name); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("a large file: %v", err)
	}
}
