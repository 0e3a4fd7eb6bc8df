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

// Reindexed says how a history was rebuilt.
type Reindexed struct {
	Runs    int // that were entered from their folders
	Carried history.Carried
	Poorer  []string // what is lost, one sentence for each run that was entered from less than it was at first
}

// Reindex makes the history anew from the folders of runs, with the same steps that entered
// them, in the order in which the old file has them, or else the oldest first. Nobody is asked, and nobody is told anything. The old file stays
// in its place until the new one is complete.
//
// A run whose folder, or a folder that it was compared with, the retention has removed is
// taken over as the old file has it, so that the new file has the rows of the old one. Where
// the old file is damaged it is entered from what there is, and Poorer says what is lost.
//
// A run that was never entered, since the old file was damaged when it was made, is left to
// the next start, which asks and tells.
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

// reenter enters a run again, unless the old file knows more of it than the folders do.
func (j *Job) reenter(ctx context.Context, run folder) (entered bool, poorer string, err error) {
	held, ok := j.DB.Held(run.id)
	if ok && held.Folder == "" { // a kill came before its folder went
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

// comparedWith is the ID of the run that the comparison in the run's folder is with; "" = it
// has none, or none that can be read.
func (e *entering) comparedWith() (string, error) {
	file, err := os.Open(filepath.Join(e.Dir, comparisonsFolder, e.run.id, "changes.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	defer file.Close()
	head := json.NewDecoder(bufio.NewReader(file)) // the rest of it may be large
	head.Token()
	for head.More() {
		name, err := head.Token()
		if err != nil {
			return "", nil
		}
		var side struct{ ID string }
		if name == "old" {
			head.Decode(&side) // where it is damaged, the run before says what there is
			return side.ID, nil
		}
		var other json.RawMessage
		if head.Decode(&other) != nil {
			return "", nil
		}
	}
	return "", nil
}

// missing says what a run was compared with, or is made of, and cannot be read any more; "" =
// all is there.
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

// onceEntered are the runs without those after the last one that has a file of confirmations,
// which is written right before a run is entered. Where none has one, somebody has put the
// folders together, and all are entered.
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
