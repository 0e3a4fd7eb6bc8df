package history

import (
	"context"
	"time"
)

// Prunable returns the runs whose folders may be removed, the oldest first: those
// beyond the last keepRuns of their schedule, and those that started more than keepDays
// days before now; 0 = no such bound. It never returns the last run of a site in a
// schedule, its last settled one, nor one that an alert is compared with until it ends.
func (db *DB) Prunable(ctx context.Context, keepRuns, keepDays int, now time.Time) ([]Run, error) {
	oldest := ""
	if keepDays > 0 {
		oldest = timeText(now.AddDate(0, 0, -keepDays))
	}
	return list(ctx, db, scanRun, `SELECT id, folder, schedule, started, finished, program
FROM (SELECT *, row_number() OVER (PARTITION BY schedule ORDER BY run DESC) AS place FROM run WHERE folder <> '') AS old
WHERE (?1 > 0 AND place > ?1 OR started < ?2)
 AND NOT EXISTS (SELECT 1 FROM alert WHERE ended_run IS NULL AND base_run = old.run)
 AND NOT EXISTS (SELECT 1 FROM site_run AS mine WHERE mine.run = old.run AND NOT EXISTS (
  SELECT 1 FROM site_run AS later JOIN run ON run.run = later.run AND run.schedule = old.schedule
  WHERE later.site = mine.site AND later.run > old.run AND later.settled >= mine.settled))
ORDER BY run`, keepRuns, oldest)
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
