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

// TestOpenStored reads a run, and one file of it, as they were written.
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
	gone(t, dir, journalName) // which also tells of sites
	if _, err := OpenStored(dir, "1.9.0"); err != nil {
		t.Errorf("without a journal: %v", err)
	}
	noError(t, os.WriteFile(name, []byte("no frame"), 0o644))
	damaged, err := OpenStored(dir, "1.9.0") // of which the journal does not say the site's name
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

// TestOpenStoredDamage damages the records of one of two sites: it is told before they are read
// where that shows, at the latest when they are read, and the other site is as it was.
func TestOpenStoredDamage(t *testing.T) {
	t.Parallel()
	flip := func(at int) func([]byte) []byte {
		return func(b []byte) []byte {
			b[(at+len(b))%len(b)] ^= 0x55
			return b
		}
	}
	frame := packed(t, audit.Encode(nil, siteRecords("b.example", 1, 3)[0])) // a whole frame less than there was
	later := siteRecords("b.example", 1, 3)[0]
	later.Site.Started = start.Add(time.Hour)
	for _, c := range []struct {
		name   string
		damage func([]byte) []byte // nil = the file goes
		early  bool                // it shows without reading all
	}{
		{"gone", nil, true},
		{"empty", func([]byte) []byte { return nil }, true},
		{"cut", func(b []byte) []byte { return b[:len(b)/2] }, true},
		{"cut after a whole frame", func([]byte) []byte { return []byte(frame) }, true},
		{"other text", func([]byte) []byte { return []byte("no frame") }, true},
		{"its first byte", flip(0), true},
		{"its last byte", flip(-1), true},
		{"more at its end", func(b []byte) []byte { return append(b, "more"...) }, true},
		{"as it was", func(b []byte) []byte { return b }, false},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		writeRun(t, testOptions(dir), siteRecords("z.example", 0, 2), siteRecords("b.example", 1, 3))
		name := filepath.Join(dir, "records", "b.example"+recordsExt)
		text := readBytes(t, name)
		if c.damage == nil {
			gone(t, dir, "records/b.example"+recordsExt)
		} else {
			put(t, dir, "records/b.example"+recordsExt, string(c.damage(text)))
		}
		run, err := OpenStored(dir, "1.9.0")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if site, ok := run.Site("z.example"); !ok || site.Damage != nil || countURLs(t, site) != 2 {
			t.Errorf("%s: the other site: %v, %v", c.name, ok, site.Damage)
		}
		site, ok := run.Site("b.example")
		if !ok || (site.Damage != nil) != c.early {
			t.Errorf("%s: %v, damage %v", c.name, ok, site.Damage)
			continue
		}
		unchecked, err := OpenUnchecked(dir, "1.9.0")
		noError(t, err)
		later, ok := unchecked.Site("b.example")
		if later.Check(); !ok || fmt.Sprint(later.Damage) != fmt.Sprint(site.Damage) {
			t.Errorf("%s: checked later: %v, damage %v; want %v", c.name, ok, later.Damage, site.Damage)
		}
		if !c.early {
			countURLs(t, site)
			countURLs(t, later)
			continue
		}
		if !strings.HasPrefix(site.Damage.Error(), name+": ") {
			t.Errorf("%s: %v; want the name of the file", c.name, site.Damage)
		}
		for _, err := range site.Records() {
			if err == nil {
				t.Errorf("%s: records are read", c.name)
			}
		}
	}
	for _, c := range []struct {
		name  string
		ended time.Time
		taken bool
	}{{"in a run that was cut off", start.Add(time.Minute), true}, {"in a run that has come to its end", time.Time{}, false}} {
		facts := fileFacts{size: 7, sum: "00000000", ended: c.ended}
		if is, err := facts.compare(&countedBytes{size: 8}, later.Site.Started); is != c.taken || (err == nil) != c.taken {
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

// TestOpenStoredUnwritten reads runs of which reports could not be written: that is said of each
// of those sites, and the others can be read.
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
