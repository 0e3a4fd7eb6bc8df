package history

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"robots-audit/audit"
)

// pastSite is a site as the tests of reading enter it.
func pastSite(n int) Entry {
	return Entry{Settled: true, Site: Site{Name: "example.com", State: "ok", Answer: AnswerOK, Status: 200, SHA256: "s1", Known: int64(10 + n), Crawlers: []Crawler{{"Googlebot", 2}}}}
}

// TestPastSideBySide has more readers at a time than the file has connections: none may wait for
// another. Some have their own reader, some share one.
func TestPastSideBySide(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "history"))
	enter(t, db, testRun(0, "daily"), pastSite(0))
	shared, err := db.OpenPast(t.Context(), "daily", testRun(1, "daily").ID)
	noError(t, err)
	defer shared.Close()
	check := func(past *audit.Past, err error) {
		if err != nil || len(past.Points) != 1 || past.Points[0].Known != 10 || past.Points[0].Blocked["Googlebot"] != 2 {
			t.Errorf("%+v, %v", past, err)
		}
	}
	var readers sync.WaitGroup
	for range 16 {
		readers.Go(func() { check(db.Past(t.Context(), "example.com", "daily", testRun(1, "daily").ID)) })
		readers.Go(func() {
			for range 10 {
				check(shared.Past("example.com"))
				if id, ok, err := shared.Settled("example.com"); id != runID(0) || !ok || err != nil {
					t.Errorf("settled %q, %v, %v", id, ok, err)
				}
				if notes, err := shared.Notes("example.com"); len(notes) != 0 || err != nil {
					t.Errorf("notes %v, %v", notes, err)
				}
			}
		})
	}
	enter(t, db, testRun(1, "daily"), pastSite(1)) // meanwhile: readers do not see it
	readers.Wait()
}

// A reader sees the history at the time of opening. Later writes stay in the file next to
// history.db until the reader is closed: 8 kB for a try of a delivery, or 12 MB for one each minute
// of a day.
func TestPastMoment(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, dir)
	enter(t, db, testRun(0, "daily"), pastSite(0))
	r, err := db.OpenPast(t.Context(), "daily", runID(5))
	noError(t, err)
	defer r.Close()
	noted := pastSite(1)
	noted.Notes = []Note{{"url", "u1", "seen", runID(0)}}
	enter(t, db, testRun(1, "daily"), noted)
	number := 0
	try := func(times int, text string) (wal int64) {
		for n := range times {
			if text != "{}" { // a delivery of its own
				number++
			}
			err := db.update(t.Context(), func(tx *Tx) error {
				return tx.SaveDelivery(Delivery{ID: fmt.Sprint("d", number), Run: runID(0), Channel: "mail 1", Message: []byte(text), Entered: day0, Next: day0, Error: fmt.Sprint("try ", n)})
			})
			noError(t, err)
		}
		info, err := os.Stat(filepath.Join(dir, fileName+"-wal"))
		noError(t, err)
		return info.Size()
	}
	before, after := try(1, "{}"), try(100, "{}")
	t.Logf("each try of a delivery takes %d bytes while a reader is open", (after-before)/100)
	if after-before > 100*20_000 {
		t.Errorf("100 tries take %d bytes", after-before)
	}
	large := strings.Repeat("x", 100_000)
	before, after = after, try(60, large) // SQLite moves more than 1,000 pages into the file, and starts the log again
	if after < before+60*int64(len(large)) {
		t.Errorf("%d bytes, then %d after 60 large tries: what the reader needs has been folded in", before, after)
	}
	past, err := r.Past("example.com")
	if err != nil || len(past.Points) != 1 || len(past.Notes) != 0 {
		t.Errorf("%+v, %v", past, err)
	}
	noError(t, r.Close())
	if _, err := r.Past("example.com"); err == nil {
		t.Error("a closed reader reads")
	}
	if grown := try(60, large); grown > after+2*int64(len(large)) {
		t.Errorf("%d bytes when it was closed, and %d after 60 more tries", after, grown)
	}
	past, err = db.Past(t.Context(), "example.com", "daily", runID(5))
	if err != nil || len(past.Points) != 2 || len(past.Notes) != 1 {
		t.Errorf("afterwards: %+v, %v", past, err)
	}
}

// A file that is replaced under a reader is not noticed, one that is cut short is an error.
func TestPastFileGone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows lets nobody replace a file that is open")
	}
	const sites = 50 // of many pages each
	for name, do := range map[string]func(file string) error{
		"removed": os.Remove,
		"replaced": func(file string) error {
			return errors.Join(os.WriteFile(file+".x", []byte("else"), 0o644), os.Rename(file+".x", file))
		},
		"cut":     func(file string) error { return os.Truncate(file, 5000) },
		"emptied": func(file string) error { return os.Truncate(file, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			db := mustOpen(t, dir)
			all := benchEntries(sites, 0)
			enter(t, db, testRun(0, "daily"), all...)
			noError(t, db.Close()) // all of it is in the file
			db, err := OpenReader(t.Context(), dir)
			noError(t, err)
			defer db.Close()
			r, err := db.OpenPast(t.Context(), "daily", "")
			noError(t, err)
			defer r.Close()
			noError(t, do(filepath.Join(dir, fileName)))
			lost := 0
			for n := range sites {
				past, err := r.Past(all[n].Site.Name)
				switch {
				case err != nil:
					if lost++; !strings.Contains(err.Error(), fileName) {
						t.Errorf("%v: the file is not named", err)
					}
				case len(past.Points) != 1 || len(past.Rules) != 40 || len(past.Blocked) != 50:
					t.Fatalf("site %d: %d points, %d rules, %d URLs", n, len(past.Points), len(past.Rules), len(past.Blocked))
				}
			}
			if whole := name == "removed" || name == "replaced"; whole != (lost == 0) {
				t.Errorf("%d of %d sites are errors", lost, sites)
			}
		})
	}
}

// A timeline has the last MaxPoints runs, and says when the first one of all was; runs of
// another schedule do not count.
func TestPastMaxPoints(t *testing.T) {
	db := mustOpen(t, t.TempDir())
	const runs = 2*audit.MaxPoints + 10
	noError(t, db.update(t.Context(), func(tx *Tx) error {
		for n := range runs {
			if err := enterIn(t.Context(), tx, testRun(n, []string{"weekly", "daily"}[n%2]), pastSite(n)); err != nil {
				return err
			}
		}
		return nil
	}))
	past, err := db.Past(t.Context(), "example.com", "daily", "")
	noError(t, err)
	day := func(n int) time.Time { return day0.AddDate(0, 0, n) }
	first, last := past.Points[0], past.Points[len(past.Points)-1]
	if len(past.Points) != audit.MaxPoints || !past.Begins.Equal(day(1)) || !first.Started.Equal(day(11)) || first.Known != 21 || !last.Started.Equal(day(runs-1)) {
		t.Errorf("%d points from %v (%d) to %v, since %v", len(past.Points), first.Started, first.Known, last.Started, past.Begins)
	}
}
