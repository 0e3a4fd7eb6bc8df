package crawl

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

const filledEntries = 300

// filled makes a cache file of some hundred entries.
func filled(t *testing.T, clock *wound) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cache.db")
	c := cacheAt(t, clock, path)
	for i := range filledEntries {
		e := entry{Answer: Outcome{Status: 200}, Came: clock.at, Checked: clock.at, Until: clock.at.Add(day), body: bytes.Repeat([]byte{byte(i)}, i*7)}
		value, err := e.encode(fmt.Sprint("key", i), clock.at)
		if err != nil {
			t.Fatal(err)
		}
		c.put(fmt.Sprint("key", i), value)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// read reads all entries of filled and returns how many are whole.
func readAll(t *testing.T, c *Cache) int {
	whole := 0
	for i := range filledEntries {
		if e, ok := decodeEntry(fmt.Sprint("key", i), c.get(fmt.Sprint("key", i))); ok {
			whole++
			if len(e.body) != i*7 || len(e.body) > 0 && e.body[0] != byte(i) {
				t.Fatalf("entry %d has another body", i)
			}
		}
	}
	return whole
}

// A file that cannot be used is set aside at once (fault 47), and the run has an empty cache.
func TestCacheSetsAside(t *testing.T) {
	clock := newWound()
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
			db, err := bbolt.Open(path, 0o600, nil)
			if err != nil {
				return err
			}
			defer db.Close()
			return db.Update(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("theirs")); return err })
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
			c := cacheAt(t, clock, path)
			aside := path + ".corrupt-20260301T120000"
			if !strings.Contains(c.Warning, aside) {
				t.Errorf("warning %q does not name %s", c.Warning, aside)
			}
			if kept, err := os.ReadFile(aside); err != nil || !bytes.Equal(kept, before) {
				t.Errorf("the old file was not kept as it was: %v", err)
			}
			c.put("a", []byte("b"))
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			again := cacheAt(t, clock, path)
			if again.Warning != "" || string(again.get("a")) != "b" {
				t.Errorf("the new file does not work: %s", again.Warning)
			}
		})
	}
}

// Damage within the file shows when it is read: that ends the use of the
// cache, never the run, and no entry is taken for what it is not.
func TestCacheDamagedWithin(t *testing.T) {
	clock := newWound()
	path := filled(t, clock)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	found := map[string]int{}
	for range 40 {
		bad := bytes.Clone(good)
		for range 20 { // pages of noise beyond the two that bbolt checks
			at := 2*4096 + random.IntN(len(bad)-3*4096)
			for i := range 64 {
				bad[at+i] = byte(random.Uint32())
			}
		}
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := openCache(path, clock.now)
		if err != nil {
			t.Fatal(err)
		}
		whole := readAll(t, c)
		c.put("a", []byte("b"))
		switch err := c.Close(); {
		case c.Warning != "":
			found["at opening"]++
		case err != nil:
			found["later"]++
			if !strings.Contains(err.Error(), ".corrupt-") {
				t.Errorf("not set aside: %v", err)
			}
		case whole < filledEntries:
			found["in entries"]++
		default:
			found["nowhere"]++
		}
		if whole == filledEntries && c.Warning != "" {
			t.Error("entries of a file that was set aside")
		}
	}
	t.Log(found)
	if found["in entries"]+found["later"]+found["at opening"] < 20 {
		t.Errorf("damage was mostly not seen: %v", found)
	}
}

// Two runs do not share a file (fault 46).
func TestCacheOfAnotherRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache.db")
	first := cacheAt(t, newWound(), path)
	took := time.Duration(math.MaxInt64)
	for range 3 { // what is slow in itself is slow each time, other than a busy machine
		start := time.Now()
		if _, err := OpenCache(path); !errors.Is(err, ErrCacheBusy) {
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
	second, err := OpenCache(path)
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
		if c, err := OpenCache(path); err == nil {
			t.Errorf("%s was opened", path)
			c.Close()
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("something was left behind: %v", entries)
	}
}

// Entries that nobody asked for in 60 days are dropped, and the file does not grow by the new.
func TestCacheSweep(t *testing.T) {
	clock := newWound()
	path := filled(t, clock)
	size := func() int64 {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := size()
	clock.pass(59 * day)
	c := cacheAt(t, clock, path)
	if n := readAll(t, c); n != filledEntries {
		t.Fatalf("%d entries are left after 59 days", n)
	}
	e, _ := decodeEntry("key200", c.get("key200"))
	value, err := e.encode("key200", clock.at)
	if err != nil {
		t.Fatal(err)
	}
	c.put("key200", value)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	clock.pass(2 * day)
	c = cacheAt(t, clock, path)
	if n := readAll(t, c); n != 1 {
		t.Errorf("%d entries are left after 61 days, want the one that was used", n)
	}
	for i := range filledEntries - 30 {
		c.put(fmt.Sprint("new", i), bytes.Repeat([]byte("x"), i*7))
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if after := size(); after > before*3/2 {
		t.Errorf("the file grew from %d to %d", before, after)
	}
}

// What waits to be written is bounded, and seen by who asks in the meantime.
func TestCacheWaits(t *testing.T) {
	c := cacheAt(t, newWound(), filepath.Join(t.TempDir(), "cache.db"))
	length := func(i int) int { return i % 30 / 29 * cacheBytes / 4 }
	for i := range 3 * cacheEntries {
		c.put(fmt.Sprint(i), make([]byte, length(i)))
		if len(c.waiting) >= cacheEntries || c.size >= cacheBytes {
			t.Fatalf("%d entries of %d bytes wait", len(c.waiting), c.size)
		}
		if len(c.get(fmt.Sprint(i))) != length(i) {
			t.Fatalf("entry %d is not seen", i)
		}
	}
	c.put("29", nil)
	if c.get("29") != nil {
		t.Error("deleted, and still seen")
	}
}

// BenchmarkCache is one site's share: an entry of 3 KB that is looked for and written.
func BenchmarkCache(b *testing.B) {
	c, err := OpenCache(filepath.Join(b.TempDir(), "cache.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	e := entry{Answer: Outcome{Status: 200, Hops: []Hop{{URL: "http://example.test/robots.txt", Status: 200}}}, body: make([]byte, 3<<10)}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		key := fmt.Sprint(n % 10_000)
		decodeEntry(key, c.get(key))
		value, err := e.encode(key, time.Now())
		if err != nil {
			b.Fatal(err)
		}
		c.put(key, value)
	}
}
