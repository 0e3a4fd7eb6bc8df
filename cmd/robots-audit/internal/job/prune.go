package job

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// gone begins the name of a run's folder that is being removed: one of which a kill has left
// a part is no run.
const gone = ".removed-"

// prune removes the folders of runs beyond the retention, with what belongs to them.
func (j *Job) prune(ctx context.Context) error {
	list, err := j.DB.Prunable(ctx, j.KeepRuns, j.KeepDays, j.Now())
	if err != nil {
		return err
	}
	for _, run := range list {
		if err := j.DB.MarkPruned(ctx, run.ID); err != nil {
			return err
		}
		if err := j.remove(run.ID); err != nil {
			return err
		}
		j.Log.Info("removed the folder of a run beyond the retention; the history keeps its figures", "run", run.ID)
	}
	return nil
}

// remove removes what belongs to a run.
func (j *Job) remove(id string) error {
	aside := filepath.Join(j.Dir, runsFolder, gone+id)
	if err := os.Rename(j.path(id), aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return errors.Join(os.RemoveAll(filepath.Join(j.Dir, comparisonsFolder, id)),
		removeFile(filepath.Join(j.Dir, confirmationsFolder, id+".jsonl")), os.RemoveAll(aside))
}

func removeFile(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sweep removes what a kill has left of folders that were being removed.
func (j *Job) sweep() error {
	left, err := filepath.Glob(filepath.Join(j.Dir, runsFolder, gone+"*"))
	if err != nil {
		return err
	}
	for _, name := range left {
		if err := j.remove(strings.TrimPrefix(filepath.Base(name), gone)); err != nil {
			return err
		}
	}
	return nil
}

// entered tells which runs the history has, and which of them is the newest.
func (j *Job) entered(ctx context.Context) (by map[string]bool, newest string, err error) {
	by = map[string]bool{}
	if j.DB == nil {
		return by, "", nil
	}
	if err := j.sweep(); err != nil {
		return nil, "", err
	}
	runs, err := j.DB.Runs(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, run := range runs {
		by[run.ID] = true
		newest = max(newest, run.ID)
		if run.Folder != "" {
			continue
		}
		if _, err := os.Lstat(j.path(run.ID)); err == nil { // a kill came before its folder went
			if err := j.remove(run.ID); err != nil {
				return nil, "", err
			}
		}
	}
	return by, newest, nil
}
