package job

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/pairs"
	"robots-audit/reports"
)

// Reindexed is the result of rebuilding a history.
type Reindexed struct {
	Runs    int // runs that were stored again from their folders
	Carried history.Carried
	Poorer  []string // one sentence for each run that was stored from less data than at first
}

// Reindex rebuilds the history from the folders of runs, with the steps that stored them at first.
// The order is that of the old file, or else the oldest first. It makes no requests and sends no
// messages. The old file stays until the new one is complete.
//
// If the retention has removed the folder of a run, or one that it was compared with, its rows are
// copied from the old file. If the old file is damaged there, the run is stored from the remaining
// data, and Poorer names the loss.
//
// A run that was never stored, because the old file was damaged at its time, is left to the next
// start. That requests robots.txt again and sends messages.
func (j *Job) Reindex(ctx context.Context) (made Reindexed, err error) {
	db, finish, err := history.Rebuild(ctx, j.Dir)
	if err != nil {
		return made, err
	}
	defer db.Close()
	j.DB, j.replay = db, true
	defer func() { j.DB, j.replay = nil, false }()
	if err := j.sweep(); err != nil {
		return made, err
	}
	list, err := j.folders()
	if err != nil {
		return made, err
	}
	slices.SortStableFunc(list, func(a, b folder) int {
		return db.Compare(history.Run{ID: a.id, Started: a.started}, history.Run{ID: b.id, Started: b.started})
	})
	for _, run := range j.onceEntered(list) {
		if err := ctx.Err(); err != nil {
			return made, err
		}
		if run.finished.IsZero() {
			j.skip(run, "it has not ended")
			continue
		}
		entered, poorer, err := j.reenter(ctx, run)
		if err != nil {
			return made, fmt.Errorf("run %s: %w", run.id, err)
		}
		if poorer != "" {
			made.Poorer = append(made.Poorer, poorer)
		}
		if entered {
			made.Runs++
			j.Log.Info("entered", "run", run.id, "schedule", run.schedule)
		}
	}
	made.Carried, err = finish(ctx, j.Now())
	return made, err
}

// reenter stores a run again, unless the old file has more of it than the folders.
func (j *Job) reenter(ctx context.Context, run folder) (entered bool, poorer string, err error) {
	held, ok := j.DB.Held(run.id)
	if ok && held.Folder == "" { // a process was killed before it removed the folder
		return false, "", j.remove(run.id)
	}
	if err := j.DB.TakeOver(ctx, history.Run{ID: run.id, Started: run.started}); err != nil {
		return false, "", err
	}
	e, err := j.begin(ctx, run, false)
	if err != nil {
		if ok && ctx.Err() == nil {
			j.Log.Warn("a run is copied from the old history: "+err.Error(), "run", run.id)
			return false, "", nil
		}
		return false, "", err
	}
	missing, err := e.missing(ctx)
	if err != nil {
		return false, "", err
	}
	if missing != "" && ok {
		j.Log.Info("copied from the old history: "+missing, "run", run.id, "schedule", run.schedule)
		return false, "", nil
	}
	if missing != "" {
		poorer = fmt.Sprintf("run %s: %s. Changes between the two, and alerts opened before or resolved then, are lost", run.id, missing)
	}
	return true, poorer, e.enter(ctx)
}

// comparedWith is the ID of the other run in the run's comparison; "" = there is no comparison, or
// it is unreadable.
func (e *entering) comparedWith() (string, error) {
	file, err := os.Open(filepath.Join(e.Dir, comparisonsFolder, e.run.id, "changes.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	defer file.Close()
	head := json.NewDecoder(bufio.NewReader(file)) // the rest may be large
	head.Token()
	for head.More() {
		name, err := head.Token()
		if err != nil {
			return "", nil
		}
		var side struct{ ID string }
		if name == "old" {
			head.Decode(&side) // if it is damaged, the previous run is used
			return side.ID, nil
		}
		var other json.RawMessage
		if head.Decode(&other) != nil {
			return "", nil
		}
	}
	return "", nil
}

// missing names data that the run was made from, or compared with, and that cannot be read any
// more; "" = none.
func (e *entering) missing(ctx context.Context) (string, error) {
	before, err := e.comparedWith()
	if err != nil {
		return "", err
	}
	old := &reports.StoredRun{}
	if before = cmp.Or(before, e.last); before != "" {
		if old = e.open(before); old == nil {
			return fmt.Sprintf("the folder of the run before it, %s, is missing or damaged", before), nil
		}
	}
	past, err := e.DB.OpenPast(ctx, e.run.schedule, e.run.id)
	if err != nil {
		return "", err
	}
	defer past.Close()
	for _, p := range pairs.Of(old, e.stored) {
		if p.New != nil && p.New.Damage != nil {
			return p.Name + " is damaged in its folder", nil
		}
		settled, _, err := past.Settled(p.Name)
		if err != nil {
			return "", err
		}
		with := []string{settled}
		for _, a := range e.standing.open[p.Name] {
			with = append(with, a.Base)
		}
		slices.Sort(with)
		for _, id := range slices.Compact(with) {
			if id == "" {
				continue
			}
			run := e.open(id)
			if run == nil {
				return fmt.Sprintf("the folder of run %s, which was compared for %s, is missing or damaged", id, p.Name), nil
			}
			if site, ok := run.Site(p.Name); ok && site.Damage != nil {
				return fmt.Sprintf("%s is damaged in the folder of run %s", p.Name, id), nil
			}
		}
	}
	return "", nil
}

// onceEntered are the runs up to the last one with a file of confirmations, which is written right
// before a run is stored. If none has one, a person has collected the folders, and all are stored.
func (j *Job) onceEntered(list []folder) []folder {
	for i, run := range slices.Backward(list) {
		if _, err := os.Lstat(filepath.Join(j.Dir, confirmationsFolder, run.id+".jsonl")); err == nil {
			for _, late := range list[i+1:] {
				j.skip(late, "it was never stored. The next start stores it, and sends its alerts")
			}
			return list[:i+1]
		}
	}
	return list
}
