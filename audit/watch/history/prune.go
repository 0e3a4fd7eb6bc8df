package history

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// Bounds of removal by age. A clock that is wrong for a run or two must not delete old folders.
const (
	minNewer = 3  // minimum number of newer runs in its schedule
	steady   = 10 // last runs of its schedule without a jump of the clock
)

// Prunable returns the runs whose folders may be removed, the oldest first: those beyond the last
// keepRuns of their schedule, and those that started more than keepDays days before now; 0 = no
// such bound. The runs in partial are counted on their own, so that they push out no others. It never
// returns the last run of a site in a schedule, its last settled one, nor the
// base of an open alert.
//
// Because of its age, it returns no run with less than three newer ones in its schedule. It also
// returns none of a schedule whose clock has jumped within its last ten runs; jumps are these
// jumps.
func (db *DB) Prunable(ctx context.Context, keepRuns, keepDays int, partial []string, now time.Time) (prunable []Run, jumps []Jump, err error) {
	ids, err := json.Marshal(partial)
	if err != nil {
		return nil, nil, err
	}
	oldest := ""
	if keepDays > 0 {
		oldest = timeText(now.AddDate(0, 0, -keepDays))
	}
	type old struct {
		Run
		beyond bool // keepRuns
	}
	olds, err := list(ctx, db, func(o *old) []any { return append(o.fields(), &o.beyond) }, `SELECT id, folder, schedule, started, finished, program, ?1 > 0 AND place > ?1 AS beyond
FROM (SELECT *, row_number() OVER (PARTITION BY schedule, id IN (SELECT value FROM json_each(?4)) ORDER BY run DESC) AS place FROM run WHERE folder <> '') AS old
WHERE (beyond OR started < ?2 AND place > ?3)
 AND NOT EXISTS (SELECT 1 FROM alert WHERE ended_run IS NULL AND base_run = old.run)
 AND NOT EXISTS (SELECT 1 FROM site_run AS mine WHERE mine.run = old.run AND NOT EXISTS (
  SELECT 1 FROM site_run AS later JOIN run ON run.run = later.run AND run.schedule = old.schedule
  WHERE later.site = mine.site AND later.run > old.run AND later.settled >= mine.settled))
ORDER BY run`, keepRuns, oldest, minNewer, string(ids))
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

// MarkPruned records that a run's folder was removed. Its rows stay; its finished messages are
// emptied, but for the kind and the time of a periodic one: the next such message begins there.
func (db *DB) MarkPruned(ctx context.Context, runID string) error {
	return db.update(ctx, func(tx *Tx) error {
		run, err := tx.runNumber(runID)
		if err != nil {
			return err
		}
		if err := tx.do("UPDATE run SET folder = '' WHERE run = ?", run); err != nil {
			return err
		}
		return tx.do("UPDATE delivery AS d SET message = CASE WHEN "+periodField("due")+" IS NULL THEN '' ELSE json_object('period', json_object('kind', "+
			periodField("kind")+", 'due', "+periodField("due")+")) END WHERE run = ? AND (accepted IS NOT NULL OR told = 1)", run)
	})
}
