package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"robots-audit/audit/watch/history"
)

// partialFolder has a file ID.json for each run that audits only some sites of its schedule: those
// whose robots.txt has changed. It is there from before the run for as long as the history has the
// run: without it, the run would count as one of all sites.
const partialFolder = "partial"

// partial are the sites of a partial run; nil = the run audits all sites.
func (j *Job) partial(id string) ([]string, error) {
	name := filepath.Join(j.Dir, partialFolder, id+".json")
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var of struct {
		Sites []string `json:"sites"`
	}
	if err == nil {
		err = json.Unmarshal(text, &of)
	}
	if err == nil && len(of.Sites) == 0 {
		err = errors.New("it names no site")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return of.Sites, nil
}

func (j *Job) isPartial(id string) bool { return IsPartial(j.Dir, id) }

// IsPartial reports whether a run of the history in a folder audited only some sites of its schedule.
func IsPartial(dir, id string) bool {
	_, err := os.Lstat(filepath.Join(dir, partialFolder, id+".json"))
	return err == nil
}

// RunSites makes a run of a schedule that audits only some of its sites, after completing what an
// earlier start has left.
func (j *Job) RunSites(ctx context.Context, schedule string, sites []string) error {
	if _, err := j.Recover(ctx); err != nil {
		return err
	}
	id, started := j.newID(j.Now())
	err := writeFile(filepath.Join(j.Dir, partialFolder, id+".json"), func(out io.Writer) error {
		return json.NewEncoder(out).Encode(map[string][]string{"sites": sites})
	})
	if err != nil {
		return err
	}
	run := folder{id: id, schedule: schedule, started: started}
	defer j.forget()
	if err := j.audit(ctx, run, false); err != nil {
		return err
	}
	return j.finish(ctx, run, true)
}

// lastWhole is the last run of a schedule that is not partial; ok = false if there is none.
func (j *Job) lastWhole(ctx context.Context, schedule string) (run history.Run, ok bool, err error) {
	run, ok, err = j.DB.LastRun(ctx, schedule)
	if err != nil || !ok || !j.isPartial(run.ID) {
		return run, ok, err
	}
	whole, err := j.wholes(ctx)
	for _, r := range whole {
		if r.Schedule == schedule {
			return r, true, nil
		}
	}
	return run, false, err
}

// wholes are the last runs of all schedules that are not partial, the newest first.
func (j *Job) wholes(ctx context.Context) (list []history.Run, err error) {
	runs, err := j.DB.Runs(ctx)
	for _, r := range slices.Backward(runs) {
		if !j.isPartial(r.ID) && !slices.ContainsFunc(list, func(o history.Run) bool { return o.Schedule == r.Schedule }) {
			list = append(list, r)
		}
	}
	return list, err
}

// partials are the IDs of partial runs.
func (j *Job) partials() (ids []string, err error) {
	lists, err := os.ReadDir(filepath.Join(j.Dir, partialFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range lists {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// sweepPartial removes the lists of partial runs that are neither in the history nor have a folder: they
// were killed at their start.
func (j *Job) sweepPartial(entered map[string]bool) error {
	ids, err := j.partials()
	for _, id := range ids {
		if _, missing := os.Lstat(j.path(id)); !entered[id] && errors.Is(missing, fs.ErrNotExist) {
			err = errors.Join(err, removeFile(filepath.Join(j.Dir, partialFolder, id+".json")))
		}
	}
	return err
}
