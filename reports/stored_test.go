package reports

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"robots-audit/audit"
)

// TestOpenStored reads a run, and one of its files, unchanged.
func TestOpenStored(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	r := openRun(t, testOptions(dir))
	second, first := siteRecords("b.example", 1, 3), siteRecords("z.example", 0, 2)
	writeAll(t, r, second)
	writeAll(t, r, first)
	closeRun(t, r)

	run, err := OpenStored(dir, "1.9.0")
	noError(t, err)
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
	if urls := countURLs(t, site); urls != 3 {
		t.Errorf("%d URLs, want 3", urls)
	}

	name := filepath.Join(dir, "records", "b.example"+recordsExt)
	alone, err := OpenStored(name, "1.9.0")
	noError(t, err)
	if len(alone.Sites) != 1 || alone.Sites[0].Name != "b.example" || alone.ID != "" || len(alone.Crawlers) != len(run.Crawlers) {
		t.Errorf("of one file: %+v", alone)
	}

	if _, err := OpenStored(dir, "7.0.0"); !errors.Is(err, ErrOtherVersion) || !strings.Contains(err.Error(), dir) {
		t.Errorf("another major version: %v", err)
	}
	gone(t, dir, journalName) // the journal also lists sites
	if _, err := OpenStored(dir, "1.9.0"); err != nil {
		t.Errorf("without a journal: %v", err)
	}
	noError(t, os.WriteFile(name, []byte("no frame"), 0o644))
	damaged, err := OpenStored(dir, "1.9.0") // the journal does not have the name of its site
	noError(t, err)
	if of, ok := damaged.Site(strings.TrimSuffix(filepath.Base(name), recordsExt)); !ok || of.Damage == nil || !strings.Contains(of.Damage.Error(), name) {
		t.Errorf("a damaged file of records: %+v; want a site by its name", damaged.Sites)
	}
	if _, err := OpenStored(name, "1.9.0"); !errors.Is(err, ErrNotRecords) || !strings.Contains(err.Error(), name) {
		t.Errorf("a file of something else: %v", err)
	}
	gone(t, dir, "records")
	if _, err := OpenStored(dir, "1.9.0"); !errors.Is(err, ErrNoRecords) {
		t.Errorf("no records: %v", err)
	}
	if _, err := OpenStored(t.TempDir(), "1.9.0"); !errors.Is(err, ErrNoRun) {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestOpenStoredDamage damages the records of one of three sites: this is reported before they are
// read, and the other sites are unchanged.
func TestOpenStoredDamage(t *testing.T) {
	t.Parallel()
	was := folder(t, straightRun(t))
	damages := recordDamages()
	damages["as it was"] = func(*testing.T, string, map[string]string) {}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			dir := straightRun(t)
			damage(t, dir, was)
			run, err := OpenStored(dir, "1.9.0")
			noError(t, err)
			if other, ok := run.Site("example.org:8080"); !ok || other.Damage != nil || countURLs(t, other) != 300 {
				t.Errorf("the other site: %v, %v", ok, other.Damage)
			}
			site, ok := run.Site("example.com")
			if !ok || (site.Damage == nil) != (name == "as it was") {
				t.Fatalf("%v, damage %v", ok, site.Damage)
			}
			unchecked, err := OpenUnchecked(dir, "1.9.0")
			noError(t, err)
			later, ok := unchecked.Site("example.com")
			if later.Check(); !ok || fmt.Sprint(later.Damage) != fmt.Sprint(site.Damage) {
				t.Errorf("checked later: %v, damage %v; want %v", ok, later.Damage, site.Damage)
			}
			if site.Damage == nil {
				countURLs(t, site)
				countURLs(t, later)
				return
			}
			if !strings.HasPrefix(site.Damage.Error(), filepath.Join(dir, recordsOfCom)+": ") {
				t.Errorf("%v; want the name of the file", site.Damage)
			}
			for _, err := range site.Records() {
				if err == nil {
					t.Error("records are read")
				}
			}
		})
	}
}

// Records of a later audit than their line belong to a run that was cut off.
func TestRecordsOfLaterAudit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		ended time.Time
		taken bool
	}{{"in a run that was cut off", start.Add(time.Minute), true}, {"in a run that has come to its end", time.Time{}, false}} {
		facts := fileFacts{size: 7, sum: "00000000", ended: c.ended}
		if is, err := facts.compare(&countedBytes{size: 8}, start.Add(time.Hour)); is != c.taken || (err == nil) != c.taken {
			t.Errorf("records of a later audit than their line, %s: %v, %v", c.name, is, err)
		}
	}
}

// countURLs reads the records of a site to their end.
func countURLs(t *testing.T, s StoredSite) (n int) {
	t.Helper()
	var last audit.Record
	for rec, err := range s.Records() {
		noError(t, err)
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

// TestOpenStoredUnwritten reads runs with reports that could not be written: each of these sites
// has its reason, and the others can be read.
func TestOpenStoredUnwritten(t *testing.T) {
	t.Parallel()
	for _, other := range []string{"", "b.example"} {
		dir := filepath.Join(t.TempDir(), "run")
		o := testOptions(dir)
		o.disk = fullDisk{site: "a.example", op: "append", err: syscall.ENOSPC}
		r := openRun(t, o)
		writeAll(t, r, siteRecords("a.example", 0, 3))
		if other != "" {
			writeAll(t, r, siteRecords(other, 1, 3))
		}
		closeRun(t, r)
		run, err := OpenStored(dir, "1.9.0")
		if errors.Is(err, ErrNoRecords) != (other == "") || run == nil {
			t.Fatalf("run %v, error %v", run, err)
		}
		if _, ok := run.Site(other); ok != (other != "") {
			t.Errorf("of the other site: %v", ok)
		}
		if why := run.Unwritten["a.example"]; len(run.Unwritten) != 1 || !strings.Contains(why, "could not be written") || !strings.Contains(why, syscall.ENOSPC.Error()) {
			t.Errorf("not written: %q", run.Unwritten)
		}
	}
}
