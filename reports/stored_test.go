package reports

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
)

// TestOpenStored reads a run, and one file of it, as they were written.
func TestOpenStored(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := openRun(t, testOptions(dir))
	second, first := siteRecords("b.example", 1, 3), siteRecords("z.example", 0, 2)
	writeAll(t, r, second)
	writeAll(t, r, first)
	closeRun(t, r)

	run, err := OpenStored(dir, "1.9.0")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range run.Sites {
		names = append(names, s.Name)
	}
	if want := []string{"z.example", "b.example"}; !slices.Equal(names, want) || run.Finished.IsZero() || len(run.Crawlers) == 0 {
		t.Errorf("sites %q, finished %v, %d crawlers; want %q in the order of the list", names, run.Finished, len(run.Crawlers), want)
	}
	site, ok := run.Site("b.example")
	if !ok {
		t.Fatal("the run does not know b.example")
	}
	urls, wantURLs := countURLs(t, site), 0
	for _, rec := range second {
		if rec.URLs != nil {
			wantURLs += len(rec.URLs.List)
		}
	}
	if urls != wantURLs || urls == 0 {
		t.Errorf("%d URLs, want %d", urls, wantURLs)
	}

	name := filepath.Join(dir, "records", "b.example"+recordsExt)
	alone, err := OpenStored(name, "1.9.0")
	if err != nil {
		t.Fatal(err)
	}
	if len(alone.Sites) != 1 || alone.Sites[0].Name != "b.example" || alone.ID != "" || len(alone.Crawlers) != len(run.Crawlers) {
		t.Errorf("of one file: %+v", alone)
	}

	if _, err := OpenStored(dir, "7.0.0"); !errors.Is(err, ErrOtherVersion) || !strings.Contains(err.Error(), dir) {
		t.Errorf("another major version: %v", err)
	}
	if err := os.WriteFile(name, []byte("no frame"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStored(dir, "1.9.0"); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("a damaged file of records: %v; want its name", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "records")); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStored(dir, "1.9.0"); !errors.Is(err, ErrNoRecords) {
		t.Errorf("no records: %v", err)
	}
	if _, err := OpenStored(t.TempDir(), "1.9.0"); !errors.Is(err, ErrNoRun) {
		t.Errorf("an empty folder: %v", err)
	}
}

// countURLs reads the records of a site to their end.
func countURLs(t *testing.T, s StoredSite) (n int) {
	t.Helper()
	var last audit.Record
	for rec, err := range s.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if rec.URLs != nil {
			n += len(rec.URLs.List)
		}
		last = rec
	}
	if last.Done == nil {
		t.Error("the records do not end with Done")
	}
	return n
}
