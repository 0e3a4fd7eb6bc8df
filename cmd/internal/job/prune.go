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

// hidden is the folder within a run's that is not for people.
const hidden = ".robots-audit"

// removedPrefix begins the name of a run's folder that is being removed, so that what a kill
// leaves of it is no run.
const removedPrefix = ".removed-"

// prune removes the folders of runs beyond the retention, with what belongs to them.
func (j *Job) prune(ctx context.Context) error {
	list, jumps, err := j.DB.Prunable(ctx, j.KeepRuns, j.KeepDays, j.Now())
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

// remove removes what belongs to a run.
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

// sweep removes what a kill has left of folders that were being removed.
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

// entered returns which runs the history has, and which of them is the newest up to now.
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
		if !schedule.Ahead(run.Started, j.Now()) { // else a run is not later because a clock was ahead
			newest = max(newest, run.ID)
		}
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

// sweepEmpty removes the folders of runs that a kill has ended in their first moments: with
// the name of a run, without run.json, and nothing in them but empty folders, what pages have in
// common and what a run keeps hidden, whose journal names no site. Whatever else is in a folder, it stays.
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

// holdsNothing reports whether a folder of a run holds no file but what a run has before its
// first site has ended.
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
		case reports.IsAsset(filepath.ToSlash(below)): // which are there before the first page
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
