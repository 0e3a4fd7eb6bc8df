package cachefile

import (
	"bytes"
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const filledEntries = 300

// filledHead is the beginning of each value of filled, and is as long as a
// small answer.
var filledHead = strings.Repeat("a head of the value ", 13)

// testClock is a clock that tests set.
type testClock struct{ at time.Time }

func (c *testClock) now() time.Time       { return c.at }
func (c *testClock) pass(d time.Duration) { c.at = c.at.Add(d) }
func newClock() *testClock                { return &testClock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func fileAt(t *testing.T, clock *testClock, path string) *File {
	t.Helper()
	c, err := Open(path, clock.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// filled makes a cache file of some hundred entries.
func filled(t *testing.T, clock *testClock) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cache.db")
	c := fileAt(t, clock, path)
	for i := range filledEntries {
		c.Put(fmt.Sprint("key", i), []byte(filledHead), bytes.Repeat([]byte{byte(i)}, i*7))
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// readAll reads all entries of filled and returns how many are intact.
func readAll(t *testing.T, c *File) int {
	whole := 0
	for i := range filledEntries {
		if value := c.Get(fmt.Sprint("key", i)); value != nil {
			whole++
			if string(value) != filledHead+strings.Repeat(string([]byte{byte(i)}), i*7) {
				t.Fatalf("entry %d has another value", i)
			}
		}
	}
	return whole
}

// An unusable file is renamed at once (fault 47), and the run has an empty cache.
func TestCacheSetsAside(t *testing.T) {
	clock := newClock()
	for name, damage := range map[string]func(path string) error{
		"text":  func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("no cache\n"), 2000), 0o600) },
		"short": func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) },
		"zeros": func(path string) error { return os.WriteFile(path, make([]byte, 64<<10), 0o600) },
		"end missing": func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return os.Truncate(path, info.Size()/2)
		},
		"only the beginning left": func(path string) error { return os.Truncate(path, 16<<10) },
		"another program's": func(path string) error {
			os.Remove(path)
			db, err := sql.Open("sqlite", path)
			if err != nil {
				return err
			}
			defer db.Close()
			_, err = db.Exec("CREATE TABLE theirs (a)")
			return err
		},
		"a database of bbolt that is another program's": func(path string) error {
			text, err := os.ReadFile(olderCache)
			if err != nil {
				return err
			}
			return os.WriteFile(path, bytes.ReplaceAll(text, []byte("robots-audit "), []byte("their-thing. ")), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filled(t, clock)
			if err := damage(path); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c := fileAt(t, clock, path)
			aside := path + ".corrupt-20260301T120000"
			if !strings.Contains(c.Warning, aside) {
				t.Errorf("warning %q does not name %s", c.Warning, aside)
			}
			if kept, err := os.ReadFile(aside); err != nil || !bytes.Equal(kept, before) {
				t.Errorf("the old file was not kept as it was: %v", err)
			}
			c.Put("a", []byte("b"))
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			again := fileAt(t, clock, path)
			if again.Warning != "" || string(again.Get("a")) != "b" {
				t.Errorf("the new file does not work: %s", again.Warning)
			}
		})
	}
}

// Two runs do not share a file (fault 46).
func TestCacheOfAnotherRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache.db")
	first := fileAt(t, newClock(), path)
	took := time.Duration(math.MaxInt64)
	for range 3 { // really slow code is slow each time, unlike a busy machine
		start := time.Now()
		if _, err := Open(path, time.Now); !errors.Is(err, ErrBusy) {
			t.Fatalf("got %v", err)
		}
		took = min(took, time.Since(start))
	}
	if took > time.Second {
		t.Errorf("waited %v for another run", took)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := Open(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
}

func TestCacheWhereNoneCanBe(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(file, "cache.db")} {
		if c, err := Open(path, time.Now); err == nil {
			t.Errorf("%s was opened", path)
			c.Close()
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("something was left behind: %v", entries)
	}
}

// Entries that were not written for 60 days are dropped, and new entries do not make the file
// grow.
func TestCacheSweep(t *testing.T) {
	clock := newClock()
	path := filled(t, clock)
	size := func() int64 {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := size()
	const day = 24 * time.Hour
	clock.pass(59 * day)
	c := fileAt(t, clock, path)
	if n := readAll(t, c); n != filledEntries {
		t.Fatalf("%d entries are left after 59 days", n)
	}
	c.Put("key200", c.Get("key200"))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	clock.pass(2 * day)
	c = fileAt(t, clock, path)
	if n := readAll(t, c); n != 1 {
		t.Errorf("%d entries are left after 61 days, want the one that was used", n)
	}
	for i := range filledEntries - 30 {
		c.Put(fmt.Sprint("new", i), bytes.Repeat([]byte("x"), i*7))
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if after := size(); after > before*3/2 {
		t.Errorf("the file grew from %d to %d", before, after)
	}
}

// Pending values are limited in number, and Get returns them.
func TestCacheWaits(t *testing.T) {
	c := fileAt(t, newClock(), filepath.Join(t.TempDir(), "cache.db"))
	length := func(i int) int { return i % 30 / 29 * maxPendingBytes / 4 }
	for i := range 3 * maxPending {
		c.Put(fmt.Sprint(i), make([]byte, length(i)))
		if len(c.pending) >= maxPending || c.pendingBytes >= maxPendingBytes {
			t.Fatalf("%d entries of %d bytes wait", len(c.pending), c.pendingBytes)
		}
		if len(c.Get(fmt.Sprint(i))) != length(i) {
			t.Fatalf("entry %d is not seen", i)
		}
	}
	c.Put("29")
	if c.Get("29") != nil {
		t.Error("deleted, and still seen")
	}
}

func TestCacheOnFullDisk(t *testing.T) {
	c := fileAt(t, newClock(), filepath.Join(t.TempDir(), "cache.db"))
	if _, err := c.db.Exec("PRAGMA max_page_count = 1"); err != nil { // no free page from now on
		t.Fatal(err)
	}
	c.Put("a", make([]byte, 1<<20))
	if err := c.Close(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a write that failed is not told: %v", err)
	}
	c.Put("a", []byte("b"))
	if c.Get("a") != nil {
		t.Error("still in use")
	}
	if _, err := os.Stat(c.path); err != nil {
		t.Errorf("a file that is not damaged was set aside: %v", err)
	}
}

// olderCache is the cache of a release that used bbolt.
var olderCache = filepath.Join("..", "..", "..", "cmd", "robots-audit", "testdata", "0.1.0", "cache.db")

// The file of an older version is replaced without a warning.
func TestCacheOfOlderVersion(t *testing.T) {
	all, err := filepath.Glob(filepath.Join(filepath.Dir(olderCache), "..", "*", "cache.db"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no caches of releases: %v", err)
	}
	for _, older := range all {
		path := filepath.Join(t.TempDir(), "cache.db")
		text, err := os.ReadFile(older)
		if err := cmp.Or(err, os.WriteFile(path, text, 0o600)); err != nil {
			t.Fatal(err)
		}
		c := fileAt(t, newClock(), path)
		c.Put("a", []byte("b"))
		if err := c.Close(); err != nil || c.Warning != "" {
			t.Errorf("%s: %v, %q", older, err, c.Warning)
		}
		if got := fileAt(t, newClock(), path).Get("a"); string(got) != "b" {
			t.Errorf("%s: %q", older, got)
		}
		if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) > 2 { // the second is SQLite's journal
			t.Errorf("%s: %v, %v", older, files, err)
		}
	}
}

// Data of a newer version in the same file is left unchanged.
func TestCacheOfNewerVersion(t *testing.T) {
	clock := newClock()
	path := filled(t, clock)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE robots_9 (a); INSERT INTO robots_9 VALUES ('b')"); err != nil {
		t.Fatal(err)
	}
	clock.pass(25 * time.Hour) // so that a search for old entries is due
	c := fileAt(t, clock, path)
	if n := readAll(t, c); n != filledEntries || c.Warning != "" {
		t.Errorf("%d entries, %q", n, c.Warning)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	var value string
	if err := db.QueryRow("SELECT a FROM robots_9").Scan(&value); err != nil || value != "b" {
		t.Errorf("%q, %v", value, err)
	}
}
