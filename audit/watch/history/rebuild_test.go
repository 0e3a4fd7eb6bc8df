package history

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tell enters a story: an alert of a site for each third run, which the fifth run after
// ends, and a message of each run.
func (s story) tell(ctx context.Context, tx *Tx, n int, replayed bool) error {
	if err := enterIn(ctx, tx, s.runs[n], s.entries[n]...); err != nil {
		return err
	}
	alert := func(n int) Alert {
		a := Alert{ID: fmt.Sprint("alert", n), Site: storySites[n%2], Condition: fmt.Sprint("AL", n), Severity: "high", Raised: s.runs[n].ID, Since: s.runs[n].Started, Subjects: []string{"x"}}
		if n > 0 {
			a.Base = s.runs[n-1].ID
		}
		return a
	}
	if n%3 == 0 {
		if err := tx.SaveAlert(alert(n)); err != nil {
			return err
		}
	}
	if ended := n - 5; ended >= 0 && ended%3 == 0 {
		a := alert(ended)
		a.EndedRun, a.Ended = s.runs[n].ID, s.runs[n].Started
		if err := tx.SaveAlert(a); err != nil {
			return err
		}
	}
	if replayed { // all reports were sent before
		return nil
	}
	return tx.SaveDelivery(Delivery{ID: fmt.Sprint("delivery", n), Run: s.runs[n].ID, Channel: "file 1", Message: []byte("{}"), Entered: day0, Next: day0, Tries: n})
}

// tellAll enters all runs of a story.
func (s story) tellAll(t *testing.T, db *DB, replayed bool) {
	t.Helper()
	for n := range s.runs {
		noError(t, db.update(t.Context(), func(tx *Tx) error { return s.tell(t.Context(), tx, n, replayed) }))
	}
}

// A history rebuilt from some of the runs, and from the old file for the others, has the rows of
// the old one.
func TestRebuild(t *testing.T) {
	for seed := range uint64(3) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		s, dir, ctx := makeStory(rnd, 20), t.TempDir(), t.Context()
		db := mustOpen(t, dir)
		for _, r := range s.runs {
			noError(t, os.MkdirAll(filepath.Join(dir, "runs", r.ID), 0o755))
		}
		s.tellAll(t, db, false)
		noError(t, db.Decide(ctx, []string{"alert3"}, day0, Decision{Until: day0.AddDate(1, 0, 0), Note: "seen", Owner: "Ann"}))
		d := Delivery{ID: "delivery2", Tries: 9, Next: day0, Accepted: day0}
		noError(t, db.SaveTry(ctx, d))
		gone := map[int]bool{}
		for n := range s.runs {
			if n == 0 || rnd.IntN(int(seed)+2) == 0 {
				gone[n] = true
				noError(t, db.MarkPruned(ctx, runID(n)))
			}
		}
		want := dump(t, db)
		noError(t, db.Close())

		made, finish, err := Rebuild(ctx, dir)
		noError(t, err)
		for n := range s.runs {
			if !gone[n] {
				noError(t, made.TakeOver(ctx, s.runs[n]))
				var open, want []string
				for k := range n {
					if k%3 == 0 && k+5 >= n {
						want = append(want, fmt.Sprint("alert", k))
					}
				}
				alerts, err := made.OpenAlerts(ctx)
				for _, a := range alerts {
					open = append(open, a.ID)
				}
				slices.Sort(open)
				slices.Sort(want)
				if err != nil || !slices.Equal(open, want) {
					t.Errorf("seed %d, before run %d: %v hold (%v), want %v", seed, n, open, err, want)
				}
				noError(t, made.update(ctx, func(tx *Tx) error { return s.tell(ctx, tx, n, true) }))
			}
		}
		carried, err := finish(ctx, day0)
		if err != nil || carried.Lost != nil || carried.Kept != "" || carried.Runs != len(gone) || carried.Acknowledgements != 1 || carried.Deliveries != len(s.runs) {
			t.Fatalf("%+v (%v), %d runs gone", carried, err, len(gone))
		}
		if n := viewsIn(t, dir); n != fmt.Sprint(len(views)) {
			t.Errorf("%s views in the file before anybody has opened it for writing, want %d", n, len(views))
		}
		got := dump(t, mustOpen(t, dir))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d, gone %v (-old +new):\n%s", seed, gone, diff)
		}
	}
}

// viewsIn counts the views of a history, as any SQL tool finds them.
func viewsIn(t *testing.T, dir string) string {
	t.Helper()
	db, err := OpenReader(t.Context(), dir)
	noError(t, err)
	defer db.Close()
	return tableOf(t, db.read, countViews)
}

// A damaged file is kept, and what of it can be read is carried over; a text is only
// kept.
func TestRebuildOfDamage(t *testing.T) {
	ctx, now := t.Context(), day0.AddDate(0, 1, 0)
	for name, damage := range map[string]func([]byte) []byte{
		"a text":    func([]byte) []byte { return []byte("this is not a history\n") },
		"cut short": func(b []byte) []byte { return b[:len(b)/2] },
		"flipped":   func(b []byte) []byte { return flip(b, 8192, 9000) },
		"empty":     func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := makeStory(rand.New(rand.NewPCG(1, 4)), 5)
			damaged := damagedHistory(t, dir, s, damage)
			db, finish, err := Rebuild(ctx, dir)
			noError(t, err)
			s.tellAll(t, db, true)
			if _, err := os.Stat(filepath.Join(dir, fileName)); err != nil {
				t.Errorf("the old file is gone before the new one is whole: %v", err)
			}
			carried, err := finish(ctx, now)
			if err != nil || carried.Lost == nil || carried.Kept != filepath.Join(dir, "history.db.damaged-20261201T060000Z") {
				t.Fatalf("%+v (%v)", carried, err)
			}
			if kept, err := os.ReadFile(carried.Kept); err != nil || string(kept) != string(damaged) {
				t.Errorf("%d bytes are kept of %d (%v)", len(kept), len(damaged), err)
			}
			if runs, err := mustOpen(t, dir).Runs(ctx); err != nil || len(runs) != len(s.runs) {
				t.Errorf("%d runs (%v), want %d", len(runs), err, len(s.runs))
			}
		})
	}
}

// flip flips all bits of some bytes.
func flip(b []byte, from, to int) []byte {
	for i := from; i < min(to, len(b)); i++ {
		b[i] ^= 0xff
	}
	return b
}

// damagedHistory writes a history and damages it.
func damagedHistory(t *testing.T, dir string, s story, damage func([]byte) []byte) (damaged []byte) {
	t.Helper()
	db := mustOpen(t, dir)
	s.tellAll(t, db, false)
	noError(t, db.Close())
	name := filepath.Join(dir, fileName)
	whole, err := os.ReadFile(name)
	noError(t, err)
	damaged = damage(whole)
	noError(t, os.WriteFile(name, damaged, 0o644))
	return damaged
}

// A rebuild that is abandoned leaves the old history unchanged.
func TestRebuildGivenUp(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	db := mustOpen(t, dir)
	enter(t, db, testRun(0, ""))
	noError(t, db.Close())
	made, _, err := Rebuild(ctx, dir)
	noError(t, err)
	if _, err := Open(ctx, dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("opened while it is made anew: %v", err)
	}
	enter(t, made, testRun(1, ""))
	noError(t, made.Close())
	if runs, err := mustOpen(t, dir).Runs(ctx); err != nil || len(runs) != 1 || runs[0].ID != runID(0) {
		t.Errorf("runs %v (%v)", runs, err)
	}
}

// An alert acknowledged during a rebuild is acknowledged in the new file. Acknowledgements during
// the replacement of the file wait for it.
func TestRebuildAcknowledged(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	s := makeStory(rand.New(rand.NewPCG(1, 5)), 4)
	db := mustOpen(t, dir)
	s.tellAll(t, db, false)
	noError(t, db.Close())
	acknowledge := func(n int) error {
		beside, err := OpenBeside(ctx, dir)
		if err != nil {
			return err
		}
		defer beside.Close()
		return beside.Acknowledge(ctx, []string{"alert3"}, day0.AddDate(1, 0, 0), day0.Add(time.Duration(n)*time.Second), "seen")
	}
	n := 0
	for round := range 4 {
		_, finish, err := Rebuild(ctx, dir)
		noError(t, err)
		noError(t, acknowledge(n)) // the old file has been looked at
		n++
		stop, many := make(chan struct{}), make(chan error)
		go func() {
			for { // once at least, however soon it is over
				if err := acknowledge(n); err != nil {
					many <- err
					return
				}
				n++
				select {
				case <-stop:
					many <- nil
					return
				case <-time.After(10 * time.Millisecond): // requesting the lock again at once would never let others have it
				}
			}
		}()
		carried, err := finish(ctx, day0)
		close(stop)
		if err := errors.Join(err, carried.Lost, <-many); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	got := 0
	for _, row := range dump(t, mustOpen(t, dir)) {
		if strings.HasPrefix(row, "acknowledgement ") {
			got++
		}
	}
	if got != n || n < 8 {
		t.Errorf("%d were acknowledged, and the history has %d", n, got)
	}
}

// A kill between the renaming of a damaged file and that of the new file does not prevent another
// rebuild.
func TestRebuildKeptTwice(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	s := makeStory(rand.New(rand.NewPCG(1, 6)), 3)
	damaged := damagedHistory(t, dir, s, func(b []byte) []byte { return b[:len(b)/2] })
	file := filepath.Join(dir, fileName)
	if err := os.Link(file, damagedName(file, day0)); err != nil {
		t.Skip("a file cannot have two names here: ", err)
	}
	_, finish, err := Rebuild(ctx, dir)
	noError(t, err)
	carried, err := finish(ctx, day0)
	noError(t, err)
	if kept, err := os.ReadFile(carried.Kept); err != nil || string(kept) != string(damaged) {
		t.Errorf("%d bytes are kept of %d (%v)", len(kept), len(damaged), err)
	}
}
