package crawl

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// The cache of a release, which had it in a database of another kind, is replaced without a word:
// the sites are asked, and their answers are kept.
func TestCacheOfReleases(t *testing.T) {
	all, err := filepath.Glob(filepath.Join("..", "cmd", "robots-audit", "testdata", "*", "cache.db"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no caches of releases: %v", err)
	}
	for _, kept := range all {
		text, err := os.ReadFile(kept)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "cache.db")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		clock, server := newTestClock(), &stage{talking: talking{status: 200, body: rules}}
		c := led(serve(t, server.ServeHTTP))
		for _, want := range []string{fmt.Sprintf("200  %q", rules), fmt.Sprintf("200  %q, ours of 0s ago", rules)} {
			c.Cache = cacheAt(t, clock, path)
			got := told(robots(t, c), clock)
			if err := c.Cache.Close(); err != nil || c.Cache.Warning != "" || got != want {
				t.Errorf("%s: %s, want %s; %v, %q", kept, got, want, err, c.Cache.Warning)
			}
		}
	}
}
