package reports

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMakePage makes pages of a run whose own are missing, and returns an error if it cannot know the
// sites.
func TestMakePage(t *testing.T) {
	t.Parallel()
	dir, out := straightRun(t), filepath.Join(t.TempDir(), "made")
	for _, name := range []string{"pages", "index.html", hidden} {
		gone(t, dir, name)
	}
	was := folder(t, dir)
	for _, site := range []string{"", "example.com"} {
		if err := (Options{Dir: dir}).MakePage(site, out); err != nil {
			t.Fatalf("%q: %v", site, err)
		}
	}
	made := folder(t, out)
	if !strings.Contains(made["index.html"], "example.org") || !strings.Contains(made["pages/example.com.html"], "/search") {
		t.Errorf("made are %d files, and not what they should be", len(made))
	}
	sameFolder(t, was, folder(t, dir))
	gone(t, dir, packedFile)
	if err := (Options{Dir: dir}).MakePage("", out); err == nil || !strings.Contains(err.Error(), packedFile) {
		t.Errorf("without a journal: %v", err)
	}
}
