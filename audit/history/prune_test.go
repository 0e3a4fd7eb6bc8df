package history

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Retention, against the decision read out loud: a run goes by number or age, unless
// it is a site's last one in its schedule, its last settled one, or what an open
// alert is compared with.
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
		err := db.update(t.Context(), func(tx *Tx) error {
			if err := tx.SaveAlert(Alert{ID: "held", Site: "1", Condition: "AL01", Base: runID(2), Raised: runID(5)}); err != nil {
				return err
			}
			return tx.SaveAlert(Alert{ID: "ended", Site: "1", Condition: "AL02", Base: runID(3), Raised: runID(5), EndedRun: runID(6)})
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.MarkPruned(t.Context(), runID(0)); err != nil {
			t.Fatal(err)
		}
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
				old := keep.runs > 0 && later >= keep.runs || keep.days > 0 && runs-n > keep.days
				if old && !keptFor {
					want = append(want, runID(n))
				}
			}
			list, err := db.Prunable(t.Context(), keep.runs, keep.days, day0.AddDate(0, 0, runs))
			var got []string
			for _, r := range list {
				got = append(got, r.ID)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("seed %d, %+v: %v (%v), want %v", seed, keep, got, err, want)
			}
		}
	}
}
