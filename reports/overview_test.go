package reports

import (
	"errors"
	"path/filepath"
	"testing"
)

// TestReadOverview compares the overview of a run with its files, and checks the error for other
// folders.
func TestReadOverview(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := ReadOverview(dir); !errors.Is(err, ErrNoRun) {
		t.Fatalf("an empty folder: %v", err)
	}
	put := func(name, text string) {
		put(t, dir, name, text)
	}
	put("summary.json", `{"run":{"id":"x","list":[1,{"totals":3}]},"totals":{"sites":3,"ok":1,"unknown":2,"urls":7,"blocked_urls":5},"sites":[`)
	totals, err := readTotals(filepath.Join(dir, "summary.json"))
	if err != nil || totals.Sites != 3 || totals.OK != 1 || totals.Unknown != 2 || totals.URLs != 7 || totals.Blocked != 5 {
		t.Fatalf("%+v, %v", totals, err)
	}
	for _, text := range []string{"", "[]", `{"run":`, `{"run":{}}`, `{"run":{},"sites":[]}`} {
		put("summary.json", text)
		if totals, err := readTotals(filepath.Join(dir, "summary.json")); err == nil {
			t.Errorf("%q: %+v", text, totals)
		}
	}
}
