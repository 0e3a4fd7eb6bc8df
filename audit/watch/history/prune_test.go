package history

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Compares retention with a literal form of its rules. A run is removed by number or age, unless it
// is a site's last one in its schedule, its last settled one, or the base of an open alert.
func TestPrunable(t *testing.T) {
	const runs = 40
	for seed := range uint64(2) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		db := mustOpen(t, t.TempDir())
		schedules := []string{"a", "b"}
		type of struct{ schedule, site string }
		last, settled := map[of]int{}, map[of]int{}
		var schedule [runs]string
		for n := range runs {
			schedule[n] = schedules[rnd.IntN(2)]
			var entries []Entry
			for s := range 4 {
				if s == 3 && n > 20 || rnd.IntN(4) == 0 { // one site is given up
					continue
				}
				e := Entry{Site: Site{Name: fmt.Sprint(s)}, Settled: rnd.IntN(3) > 0}
				last[of{schedule[n], e.Site.Name}] = n
				if e.Settled {
					settled[of{schedule[n], e.Site.Name}] = n
				}
				entries = append(entries, e)
			}
			enter(t, db, testRun(n, schedule[n]), entries...)
		}
		noError(t, db.update(t.Context(), func(tx *Tx) error {
			return errors.Join(tx.SaveAlert(Alert{ID: "held", Site: "1", Condition: "AL01", Base: runID(2), Raised: runID(5)}),
				tx.SaveAlert(Alert{ID: "ended", Site: "1", Condition: "AL02", Base: runID(3), Raised: runID(5), EndedRun: runID(6)}))
		}))
		noError(t, db.MarkPruned(t.Context(), runID(0)))
		for _, keep := range []struct{ runs, days int }{{0, 0}, {5, 0}, {0, 12}, {10, 30}, {1, 1}, {100, 400}} {
			var want []string
			for n := 1; n < runs; n++ {
				later := 0
				for _, s := range schedule[n+1:] {
					if s == schedule[n] {
						later++
					}
				}
				keptFor := n == 2
				for _, m := range []map[of]int{last, settled} {
					for k, v := range m {
						keptFor = keptFor || k.schedule == schedule[n] && v == n
					}
				}
				old := keep.runs > 0 && later >= keep.runs || keep.days > 0 && runs-n > keep.days && later >= 3
				if old && !keptFor {
					want = append(want, runID(n))
				}
			}
			list, jumps, err := db.Prunable(t.Context(), keep.runs, keep.days, nil, day0.AddDate(0, 0, runs))
			var got []string
			for _, r := range list {
				got = append(got, r.ID)
			}
			if err != nil || jumps != nil || !slices.Equal(got, want) {
				t.Errorf("seed %d, %+v: %v (%v, %v), want %v", seed, keep, got, jumps, err, want)
			}
		}
	}
}

// Retention by age with wrong clocks: the starts of a schedule's runs in days, the last one now,
// and the number of old runs to remove.
func TestPrunableJump(t *testing.T) {
	daily := func(from, to int) (days []int) {
		for day := from; day <= to; day++ {
			days = append(days, day)
		}
		return days
	}
	for name, c := range map[string]struct {
		days []int
		keep int
		want int
		jump string // in days, from and to; "" = none is reported
	}{
		"as it should be":                    {daily(0, 450), 400, 50, ""},
		"four runs, the last far ahead":      {[]int{0, 1, 2, 802}, 400, 0, "2 802"},
		"many runs, the last far ahead":      {append(daily(0, 300), 1100), 400, 0, "300 1100"},
		"and the next ones too":              {slices.Concat(daily(0, 300), daily(1100, 1108)), 400, 0, "300 1100"},
		"ten of them are believed":           {slices.Concat(daily(0, 300), daily(1100, 1111)), 400, 301, ""},
		"ahead, back, and ahead again":       {append(daily(0, 300), 1100, 301, 1101), 400, 0, "1100 301"},
		"a little ahead takes some":          {append(daily(0, 410), 700), 400, 0, "410 700"},
		"after a run that was ahead":         {append(daily(0, 300), 1100, 301, 302), 400, 0, ""},
		"off over weekends":                  {[]int{0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18, 21}, 10, 9, ""},
		"each quarter":                       {[]int{0, 91, 182, 273, 364, 455, 546, 637}, 400, 3, ""},
		"each quarter, and two newer ones":   {[]int{0, 91, 182}, 100, 0, ""},
		"each quarter, and three newer ones": {[]int{0, 91, 182, 273}, 100, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			db := mustOpen(t, t.TempDir())
			noError(t, db.update(t.Context(), func(tx *Tx) error { // one commit: each waits for the disk
				for n, day := range c.days {
					r := testRun(n, "a")
					r.Started = day0.AddDate(0, 0, day)
					if err := errors.Join(tx.AddRun(r), tx.AddSite(t.Context(), Entry{Site: Site{Name: "a"}, Settled: true})); err != nil {
						return err
					}
				}
				return nil
			}))
			list, jumps, err := db.Prunable(t.Context(), 0, c.keep, nil, day0.AddDate(0, 0, c.days[len(c.days)-1]))
			if err != nil || len(list) != c.want || c.want > 0 && list[c.want-1].ID != runID(c.want-1) {
				t.Errorf("%d go, want the oldest %d; %v", len(list), c.want, err)
			}
			jump := ""
			for _, j := range jumps {
				jump = fmt.Sprint(int(j.From.Sub(day0).Hours()/24), " ", int(j.To.Sub(day0).Hours()/24))
			}
			if jump != c.jump {
				t.Errorf("told is a jump %q, want %q", jump, c.jump)
			}
		})
	}
}

// Removing the folder of a run empties its messages, but the last digest is still found. So the next
// digest begins where it ended.
func TestPrunedPeriod(t *testing.T) {
	db := mustOpen(t, t.TempDir())
	for n := range 3 {
		enter(t, db, testRun(n, "a"))
	}
	digest := func(n int) (due time.Time) {
		due = day0.AddDate(0, 0, n)
		noError(t, db.EnterDelivery(t.Context(), Delivery{ID: fmt.Sprint("digest", n), Run: runID(n), Channel: "mail 1", Entered: due, Accepted: due,
			Message: fmt.Appendf(nil, `{"lines":["long"],"period":{"kind":"digest","due":%q}}`, timeText(due))}))
		noError(t, db.EnterDelivery(t.Context(), Delivery{ID: fmt.Sprint("alerts", n), Run: runID(n), Channel: "mail 1", Entered: due, Accepted: due, Message: []byte(`{"lines":["long"]}`)}))
		return due
	}
	for n := range 2 {
		due := digest(n)
		noError(t, db.MarkPruned(t.Context(), runID(n)))
		run, last, err := db.LastPeriod(t.Context(), "mail 1", "digest", due.Add(time.Hour))
		if err != nil || run != runID(n) || !last.Equal(due) {
			t.Errorf("after the folder of run %d was removed: the last digest is of %q, due %v (%v)", n, run, last, err)
		}
		long, err := list(t.Context(), db, func(id *string) []any { return []any{id} }, "SELECT id FROM delivery WHERE message LIKE '%long%'")
		if err != nil || len(long) > 0 {
			t.Errorf("%v are not emptied (%v)", long, err)
		}
	}
}
