//go:build soak

package history

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit"
)

// TestPastCosts tells what the past and the notes of a site take of the processor, read by a
// PastReader, and by the statements that one would write first, in one run: of the real files
// of TestLongHistory, after 1, 30 and 1,000 runs. Both say the same. TEST_SEED sets another
// course. The reader is to take less than half of the time.
func TestPastCosts(t *testing.T) {
	seed := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64); err == nil {
		seed = n
	}
	w := newWorld(t, seed, 200)
	db, err := Open(t.Context(), t.TempDir())
	noError(t, err)
	defer db.Close()
	for n := range 1000 {
		entries := w.run()
		w.enter(t, db, n, entries)
		switch n + 1 {
		case 1, 30, 1000:
			w.comparePasts(t, db, n+1)
		}
	}
}

func (w *world) comparePasts(t *testing.T, db *DB, runs int) {
	ctx := context.WithoutCancel(t.Context())
	joined := func() {
		for _, s := range w.sites {
			_, err := db.joinedPast(ctx, s.name, "shops", "none")
			noError(t, err)
			_, err = db.joinedNotes(ctx, s.name)
			noError(t, err)
		}
	}
	read := func() {
		r, err := db.OpenPast(ctx, "shops", "none")
		noError(t, err)
		for _, s := range w.sites {
			_, err := r.Past(s.name)
			noError(t, err)
			_, err = r.Notes(s.name)
			noError(t, err)
		}
		noError(t, r.Close())
	}
	rounds := max(1, 20/runs)
	costs := func(do func()) time.Duration {
		runtime.GC()
		return medianOf(t, func() {
			for range rounds {
				do()
			}
		}) / time.Duration(rounds*len(w.sites))
	}
	before, after := costs(joined), costs(read)
	t.Logf("%4d runs: %v a site by a PastReader, %v by joins: %.2f of it", runs, after, before, float64(after)/float64(before))
	if after > before/2 {
		t.Errorf("after %d runs, a PastReader takes %v, and joins %v", runs, after, before)
	}
	r, err := db.OpenPast(ctx, "shops", "none")
	noError(t, err)
	defer r.Close()
	for _, s := range w.sites {
		got, err := r.Past(s.name)
		noError(t, err)
		want, err := db.joinedPast(ctx, s.name, "shops", "none")
		noError(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s (-joins +reader):\n%s", s.name, diff)
		}
	}
}

var _ = sql.ErrNoRows
var _ audit.Past
var _ = filepath.Join
