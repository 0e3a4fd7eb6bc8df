package job

import (
	"context"
	"errors"

	"robots-audit/audit/history"
)

// Reindex makes the history anew from the folders of runs, with the same steps that entered
// them, the oldest first. Nobody is asked, and nobody is told anything. The old file stays
// in its place until the new one is complete.
func (j *Job) Reindex(ctx context.Context) (runs int, carried history.Carried, err error) {
	db, finish, err := history.Rebuild(ctx, j.Dir)
	if err != nil {
		return 0, carried, err
	}
	defer db.Close()
	j.DB, j.replay = db, true
	defer func() { j.DB, j.replay = nil, false }()
	list, err := j.folders()
	if err != nil {
		return 0, carried, err
	}
	for _, run := range list {
		if err := ctx.Err(); err != nil {
			return runs, carried, err
		}
		if run.finished.IsZero() {
			j.leave(run, "it has not ended")
			continue
		}
		if err := db.TakeOver(ctx, history.Run{ID: run.id, Started: run.started}); err != nil {
			return runs, carried, err
		}
		if err := j.enter(ctx, run, false); err != nil {
			return runs, carried, errors.Join(errors.New("run "+run.id), err)
		}
		runs++
		j.Log.Info("entered", "run", run.id, "schedule", run.schedule)
	}
	carried, err = finish(ctx, j.Now())
	return runs, carried, err
}
