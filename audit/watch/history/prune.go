package history

import (
	"context"
	"slices"
	"time"
)

// Bounds of what goes by age. A clock that is wrong for a run or two must not cost old folders.
const (
	minNewer = 3  // runs of its schedule that have to be entered after a run
	steady   = 10 // last runs of its schedule between which the clock must not have jumped
)

// Prunable returns the runs whose folders may be removed, the oldest first: those
// beyond the last keepRuns of their schedule, and those that started more than keepDays
// days before now; 0 = no such bound. It never returns the last run of a site in a
// schedule, its last settled one, nor one that an alert is compared with until it ends.
//
// By age no run is returned that has less than three newer ones in its schedule, nor any of a
// schedule whose clock has jumped within its last ten runs: jumps are those that hold runs back.
func (db *DB) Prunable(ctx context.Context, keepRuns, keepDays int, now time.Time) (prunable []Run, jumps []Jump, err error) {
	oldest := ""
	if keepDays > 0 {
		oldest = timeText(now.AddDate(0, 0, -keepDays))
	}
	type old struct {
		Run
		beyond bool // keepRuns
	}
	olds, err := list(ctx, db, func(o *old) []any { return append(o.fields(), &o.beyond) }, `SELECT id, folder, schedule, started, finished, program, ?1 > 0 AND place > ?1 AS beyond
FROM (SELECT *, row_number() OVER (PARTITION BY schedule ORDER BY run DESC) AS place FROM run WHERE folder <> '') AS old
WHERE (beyond OR started < ?2 AND place > ?3)
 AND NOT EXISTS (SELECT 1 FROM alert WHERE ended_run IS NULL AND base_run = old.run)
 AND NOT EXISTS (SELECT 1 FROM site_run AS mine WHERE mine.run = old.run AND NOT EXISTS (
  SELECT 1 FROM site_run AS later JOIN run ON run.run = later.run AND run.schedule = old.schedule
  WHERE later.site = mine.site AND later.run > old.run AND later.settled >= mine.settled))
ORDER BY run`, keepRuns, oldest, minNewer)
	if err != nil || len(olds) == 0 {
		return nil, nil, err
	}
	runs, err := db.Runs(ctx)
	if err != nil {
		return nil, nil, err
	}
	jumped := jumpsOf(runs, now)
	for _, o := range olds {
		if jump, ok := jumped[o.Schedule]; ok && !o.beyond {
			if !slices.Contains(jumps, jump) {
				jumps = append(jumps, jump)
			}
			continue
		}
		prunable = append(prunable, o.Run)
	}
	return prunable, jumps, nil
}

// MarkPruned enters that a run's folder has been removed. Its rows stay; messages of it
// that are done with are emptied.
func (db *DB) MarkPruned(ctx context.Context, runID string) error {
	return db.update(ctx, func(tx *Tx) error {
		run, err := tx.runNumber(runID)
		if err != nil {
			return err
		}
		if err := tx.do("UPDATE run SET folder = '' WHERE run = ?", run); err != nil {
			return err
		}
		return tx.do("UPDATE delivery SET message = '' WHERE run = ? AND (accepted IS NOT NULL OR told = 1)", run)
	})
}
