package fleetwork

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestScratch: a worker removes folders of killed workers, but not of workers that run or have just
// started, or other folders.
func TestScratch(t *testing.T) {
	in := filepath.Join(t.TempDir(), "scratch")
	living, end, err := OpenScratch(in)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{scratchPrefix + "killed", scratchPrefix + "young", "other"} {
		file := filepath.Join(in, name, scratchLock)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if name != scratchPrefix+"young" {
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chtimes(filepath.Join(living, scratchLock), old, old); err != nil {
		t.Fatal(err)
	}
	_, endSecond, err := OpenScratch(in)
	if err != nil {
		t.Fatal(err)
	}
	endSecond()
	is := func(dir string) bool {
		_, err := os.Stat(dir)
		return err == nil
	}
	if is(filepath.Join(in, scratchPrefix+"killed")) || !is(filepath.Join(in, scratchPrefix+"young")) || !is(filepath.Join(in, "other")) || !is(living) {
		entries, _ := os.ReadDir(in)
		t.Errorf("what is left: %v", entries)
	}
	end()
	if is(living) {
		t.Error("a worker leaves its folder")
	}
}
