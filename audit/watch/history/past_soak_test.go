//go:build soak

package history

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit"
)

// TestPastCosts tells what the past and the notes of a site take of the processor, read by a
// PastReader, and by the statements that one would write first, in one run: of the real files
// of TestLongHistory, after 1, 30 and 1,000 runs, with an important list and without. Both say
// the same. TEST_SEED sets another course, TEST_TIMES fewer runs. Times are those of the
// processor; the reader is to take less of it, and after one run less than half.
func TestPastCosts(t *testing.T) {
	seed, runs := uint64(1), 1000
	if n, err := strconv.Atoi(os.Getenv("TEST_TIMES")); err == nil {
		runs = n
	}
	if n, err := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64); err == nil {
		seed = n
	}
	for _, list := range []string{"no important list", "an important list"} {
		w := newWorld(t, seed, 200)
		if list[0] == 'n' {
			for _, s := range w.sites {
				s.urls = nil
				w.read(s)
			}
		}
		db, err := Open(t.Context(), t.TempDir())
		noError(t, err)
		defer db.Close()
		for n := range runs {
			w.enter(t, db, n, w.run())
			if n+1 == 1 || n+1 == 30 || n+1 == 1000 {
				after, before, rows := w.pastCosts(t, db)
				t.Logf("%s, %d runs: %v a site by a PastReader, %v by joins: %.2f of it (%d rules and URLs a site)", list, n+1, after, before, float64(after)/float64(before), rows)
				if after > before || n == 0 && after > before/2 {
					t.Error("that is too much")
				}
			}
		}
	}
}

// pastCosts tells what a site takes by a PastReader and by joins, and how many rules and URLs it has.
func (w *world) pastCosts(t *testing.T, db *DB) (after, before time.Duration, rows int) {
	ctx := context.WithoutCancel(t.Context())
	costs := func(do func()) time.Duration {
		runtime.GC()
		return medianOf(t, do) / time.Duration(len(w.sites))
	}
	want, got := map[string]*audit.Past{}, map[string]*audit.Past{}
	before = costs(func() {
		for _, s := range w.sites {
			past, err := db.joinedPast(ctx, s.name, "shops", "none")
			noError(t, err)
			_, err = db.joinedNotes(ctx, s.name)
			noError(t, err)
			want[s.name] = past
		}
	})
	after = costs(func() {
		r, err := db.OpenPast(ctx, "shops", "none")
		noError(t, err)
		for _, s := range w.sites {
			past, err := r.Past(s.name)
			noError(t, err)
			_, err = r.Notes(s.name)
			noError(t, err)
			got[s.name] = past
		}
		noError(t, r.Close())
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("-joins +reader:\n%s", diff)
	}
	for _, past := range got {
		rows += len(past.Rules) + len(past.Blocked)
	}
	return after, before, rows / len(w.sites)
}
