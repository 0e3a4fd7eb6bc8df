package history

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The queries work on the histories of releases, which have one site that they know by its blocked
// URLs.
func TestQueriesOfReleases(t *testing.T) {
	kept, err := filepath.Glob(filepath.Join("..", "..", "..", "cmd", "robots-audit", "testdata", "*", "history", fileName))
	if err != nil || len(kept) == 0 {
		t.Fatalf("no histories of releases: %v", err)
	}
	answered := map[string]bool{"blocked-since": true, "rule-history": true, "blocked-over-time": true, "uptime": true, "open-alerts": true}
	parameters := map[string]string{"site": "www.example.com", "url": "https://www.example.com/sale", "crawler": "Googlebot"}
	for _, name := range kept {
		text, err := os.ReadFile(name)
		noError(t, err)
		dir := t.TempDir()
		noError(t, os.WriteFile(filepath.Join(dir, fileName), text, 0o644))
		db, err := Open(t.Context(), dir)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		defer db.Close()
		for _, q := range Queries {
			var args []any
			for _, p := range q.Parameters {
				args = append(args, sql.Named(p.Name, parameters[p.Name]))
			}
			if found := tableOf(t, db.read, q.SQL, args...); answered[q.Name] && found == "" {
				t.Errorf("%s: %s: no rows", name, q.Name)
			}
		}
		v, err := db.Versions(t.Context(), "www.example.com", 10)
		if err != nil || len(v) != 2 || !strings.Contains(string(v[0].Body), "/sale") || !strings.Contains(string(v[1].Body), "/shop/") {
			t.Errorf("%s: versions %+v, %v", name, v, err)
		}
	}
}
