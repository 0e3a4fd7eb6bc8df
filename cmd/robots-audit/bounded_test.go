package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a person names and we read whole is bounded: a file that is too long is
// refused with its name.
func TestReadBounded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, make([]byte, maxConfig), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := readBounded(name, maxConfig); err != nil || len(text) != maxConfig {
		t.Errorf("%d bytes, error %v", len(text), err)
	}
	for _, flag := range []string{"-config", "-ca-cert"} {
		if err := os.Truncate(name, maxAuthorities+1); err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		if code := run([]string{"-domains", "-", flag, name}, streams{strings.NewReader(""), &said, &said}); code != exitUsage || !strings.Contains(said.String(), name+": longer than") {
			t.Errorf("%s: exit code %d: %s", flag, code, &said)
		}
	}
}

// Too many crawlers are a mistake of use, said at once.
func TestTooManyCrawlers(t *testing.T) {
	var names, said strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&names, "Bot%d,", i)
	}
	out := filepath.Join(t.TempDir(), "run")
	if code := run([]string{"-domains", "-", "-out", out, "-crawlers", names.String()}, streams{strings.NewReader(""), &said, &said}); code != exitUsage || !strings.Contains(said.String(), "9000 crawlers; a run has 256 at most") {
		t.Errorf("exit code %d: %s", code, &said)
	}
}
