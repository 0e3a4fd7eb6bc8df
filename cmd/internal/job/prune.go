package job

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"robots-audit/audit/watch/schedule"
	"robots-audit/reports"
)

// hidden is the folder in a run's folder that is not for users.
const hidden = ".robots-audit"

// removedPrefix marks a run's folder that is being removed, so that what a killed process leaves of
// it is no run.
const removedPrefix = ".removed-"

// prune removes the folders of runs beyond the retention, with their other files.
func (j *Job) prune(ctx context.Context) error {
	partial, err := j.partials()
	if err != nil {
		return err
	}
	list, jumps, err := j.DB.Prunable(ctx, j.KeepRuns, j.KeepDays, partial, j.Now())
	if err != nil {
		return err
	}
	for _, jump := range jumps {
		j.Log.Warn("no old folder of a run is removed until there are more runs, because the clock has jumped", "schedule", jump.Schedule, "from", jump.From, "to", jump.To)
	}
	for _, run := range list {
		if err := j.DB.MarkPruned(ctx, run.ID); err != nil {
			return err
		}
		if err := j.remove(run.ID); err != nil {
			return err
		}
		j.Log.Info("removed an old folder of a run. Its figures are still in the history", "run", run.ID)
	}
	return nil
}

func (j *Job) remove(id string) error {
	aside := filepath.Join(j.Dir, runsFolder, removedPrefix+id)
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

// sweep removes what a killed process has left of removed folders.
func (j *Job) sweep() error {
	left, err := filepath.Glob(filepath.Join(j.Dir, runsFolder, removedPrefix+"*"))
	if err != nil {
		return err
	}
	for _, name := range left {
		if err := j.remove(strings.TrimPrefix(filepath.Base(name), removedPrefix)); err != nil {
			return err
		}
	}
	return nil
}

// entered returns which runs are in the history, and the newest of them that is not in the future.
func (j *Job) entered(ctx context.Context) (by map[string]bool, newest string, err error) {
	by = map[string]bool{}
	if j.DB == nil {
		return by, "", nil
	}
	if err := errors.Join(j.sweep(), j.sweepEmpty()); err != nil {
		return nil, "", err
	}
	runs, err := j.DB.Runs(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, run := range runs {
		by[run.ID] = true
		if !schedule.Ahead(run.Started, j.Now()) { // otherwise runs would count as old because a clock was once ahead
			newest = max(newest, run.ID)
		}
		if run.Folder != "" {
			continue
		}
		if _, err := os.Lstat(j.path(run.ID)); err == nil { // a process was killed before it removed the folder
			if err := j.remove(run.ID); err != nil {
				return nil, "", err
			}
		}
	}
	return by, newest, j.sweepPartial(by)
}

// sweepEmpty removes the folders of runs that were killed at their start. Such a folder has the
// name of a run, and no run.json. It has only empty folders, the common files of pages, and hidden
// files with a journal without sites. Folders with any other file stay.
func (j *Job) sweepEmpty() error {
	entries, err := os.ReadDir(filepath.Join(j.Dir, runsFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if at, err := time.Parse(idLayout, e.Name()); err != nil || folderID(at) != e.Name() || !e.IsDir() {
			continue
		}
		empty, err := holdsNothing(j.path(e.Name()))
		if err != nil {
			return err
		}
		if !empty {
			continue
		}
		if err := j.remove(e.Name()); err != nil {
			return err
		}
		j.Log.Info("removed the folder of a run that was stopped before its first site", "run", e.Name())
	}
	return nil
}

// holdsNothing reports whether a run's folder has only the files that a run has before its first
// site is complete.
func holdsNothing(dir string) (bool, error) {
	nothing := true
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, _ := filepath.Rel(dir, name)
		switch folder, file := filepath.Split(below); {
		case folder == hidden+string(filepath.Separator) && file == "lock", strings.HasPrefix(folder, filepath.Join(hidden, "tmp")+string(filepath.Separator)):
			return nil
		case reports.IsAsset(filepath.ToSlash(below)): // written before the first page
			return nil
		case folder == hidden+string(filepath.Separator) && file == "journal.jsonl":
			if info, err := d.Info(); err != nil || info.Size() == 0 {
				return err
			}
		}
		nothing = false
		return filepath.SkipAll
	})
	return nothing && err == nil, err
}
