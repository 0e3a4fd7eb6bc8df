package changes

import (
	"archive/zip"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWrongOrder checks that every file of a comparison says that the runs were given in the wrong
// order.
func TestWrongOrder(t *testing.T) {
	dir := t.TempDir()
	r, err := Open(Options{Dir: dir, Version: "1.0",
		Old: Run{Path: "tuesday", ID: "b", Started: start.AddDate(0, 0, 1), Finished: start.AddDate(0, 0, 2)}, New: Run{Path: "monday", ID: "a", Started: start, Finished: start.Add(time.Hour)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Discard)
	add(t, r, shop(t))
	closeReport(t, r)
	files := folder(t, dir)
	book, err := zip.OpenReader(filepath.Join(dir, "changes.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for _, part := range book.File {
		f, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		files["changes.xlsx"] += string(text)
	}
	for _, name := range []string{"index.html", "changes.xlsx", "changes.json", "changes.md"} {
		if !strings.Contains(files[name], "The one called newer started first") {
			t.Errorf("%s does not say that the runs were named in the wrong order", name)
		}
	}
}
