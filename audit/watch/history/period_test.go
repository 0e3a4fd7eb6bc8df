package history

import (
	"errors"
	"testing"
	"time"
)

// TestActivity: each run counts in one period, also one that started before the set time and was
// entered after it.
func TestActivity(t *testing.T) {
	db, err := Open(t.Context(), t.TempDir())
	noError(t, err)
	defer db.Close()
	day := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	enter := func(id string, from, to int) {
		t.Helper()
		noError(t, db.update(t.Context(), func(tx *Tx) error {
			at := day.Add(time.Duration(from) * time.Hour)
			return errors.Join(
				tx.AddRun(Run{ID: id, Schedule: "shops", Started: at, Finished: day.Add(time.Duration(to) * time.Hour), Program: "1"}),
				tx.AddSite(t.Context(), Entry{Site: Site{Name: "shop.example"}}),
			)
		}))
	}
	count := func(run string, hour, want int) {
		t.Helper()
		a, err := db.ActivitySince(t.Context(), run, day.Add(time.Duration(hour)*time.Hour), []string{"first"})
		if noError(t, err); a.Runs != want || a.Sites != 1 {
			t.Errorf("since %s, %d:00: %+v, want %d runs", run, hour, a, want)
		}
	}
	enter("first", 1, 2)
	count("", 0, 1)
	enter("long", 6, 9) // a message was sent at 8:00
	count("first", 8, 1)
	enter("last", 10, 11)
	count("first", 8, 2)
	count("long", 9, 1)
	count("", 8, 2)
}
