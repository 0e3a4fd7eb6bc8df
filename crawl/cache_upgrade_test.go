package crawl

import (
	"crypto/x509"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

// keptCaches are the cache files of releases, beside what their sites served then.
var keptCaches = filepath.Join("..", "cmd", "robots-audit", "testdata", "*", "cache.db")

// ofRelease copies a release's cache, and returns a client that asks as it was asked then, at an
// address that does not answer any more, and the time at which the file was made.
func ofRelease(t *testing.T, kept string) (path string, c *Client, made time.Time) {
	t.Helper()
	text, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "cache.db")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`"address":"(127\.0\.0\.1:\d+)"`).FindSubmatch(text)
	checked := regexp.MustCompile(`"checked":"(2[^"]+)"`).FindSubmatch(text)
	if address == nil || checked == nil {
		t.Fatalf("%s holds no answer", kept)
	}
	if made, err = time.Parse(time.RFC3339, string(checked[1])); err != nil {
		t.Fatal(err)
	}
	return path, &Client{Retries: -1, ConnectTo: []string{"::" + string(address[1])}, RootCAs: x509.NewCertPool()}, made
}

// The cache of a release gives what its sites served then: within the day without a question, and
// where they cannot be reached later, as the last good copy.
func TestCacheOfReleases(t *testing.T) {
	all, err := filepath.Glob(keptCaches)
	if err != nil || len(all) == 0 {
		t.Fatalf("no caches of releases: %v", err)
	}
	for _, kept := range all {
		served, err := os.ReadFile(filepath.Join(filepath.Dir(kept), "robots.txt"))
		if err != nil {
			t.Fatal(err)
		}
		path, c, made := ofRelease(t, kept)
		clock := &testClock{made.Add(time.Hour)}
		c.Cache = cacheAt(t, clock, path)
		site := c.Site()
		defer site.Close()
		ask := func() *RobotsFile { return site.Robots(t.Context(), "https://www.example.com") }
		if f := ask(); f.Status != 200 || !f.FromCache || string(f.Body) != string(served) {
			t.Errorf("%s, within the day: %s", kept, told(f, clock))
		}
		clock.pass(2 * day)
		if f := ask(); f.FromCache || f.Code == "" || string(f.Cached) != string(served) {
			t.Errorf("%s, when the site is down: %s", kept, told(f, clock))
		}
		if c.Cache.Warning != "" {
			t.Error(c.Cache.Warning)
		}
	}
}

// What a newer version keeps in the same file is left alone, and what is there is used.
func TestCacheOfNewerVersion(t *testing.T) {
	all, _ := filepath.Glob(keptCaches)
	path, c, made := ofRelease(t, all[0])
	const newer, value = "robots-audit robots.txt 9", "of another form"
	change := func(f func(tx *bbolt.Tx) error) {
		t.Helper()
		db, err := bbolt.Open(path, 0o600, nil)
		if err == nil {
			err = db.Update(f)
		}
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	change(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket([]byte(newer))
		if err == nil {
			err = b.Put([]byte("key"), []byte(value))
		}
		return err
	})
	clock := &testClock{made.Add(25 * time.Hour)} // so that old entries are looked for
	c.Cache = cacheAt(t, clock, path)
	site := c.Site()
	defer site.Close()
	if f := site.Robots(t.Context(), "https://www.example.com"); f.Cached == nil || c.Cache.Warning != "" {
		t.Errorf("%s %s", told(f, clock), c.Cache.Warning)
	}
	if err := c.Cache.Close(); err != nil {
		t.Fatal(err)
	}
	change(func(tx *bbolt.Tx) error {
		if b := tx.Bucket([]byte(newer)); b == nil || string(b.Get([]byte("key"))) != value {
			t.Error("what a newer version keeps is gone")
		}
		return nil
	})
}
