package changes

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/disk"
)

// Errors of Open.
var (
	ErrLocked = errors.New("another comparison is writing to this folder")
	ErrRun    = errors.New("the folder has a run. Name another folder")
	ErrOthers = errors.New("the folder has other files. Name another folder")
)

// files are all files in a report's folder. A folder with only index.html is not ours: the file
// with the name ours identifies a report.
var files = []string{"index.html", "changes.xlsx", ours, "changes.md"}

const ours = "changes.json"

// hidden is the folder for internal files within a comparison's folder.
const hidden = ".robots-audit"

// Open begins a report. The error is ErrLocked if another one is being written to the folder. It is
// ErrRun if the folder contains a run, and ErrOthers if it contains other files than a comparison.
// Open removes temporary files of a report that was killed.
func Open(o Options) (*Report, error) {
	r, err := open(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Dir, err)
	}
	return r, nil
}

func open(o Options) (_ *Report, err error) {
	if o.disk == nil {
		o.disk = disk.NewRoot(o.Dir)
	}
	r := &Report{Comparison: Comparison{Old: o.Old, New: o.New, Version: o.Version}, folder: disk.Folder{FS: o.disk, Dir: o.Dir}}
	r.folder.Temp = r.folder.Path(hidden, "tmp")
	defer func() {
		if err != nil {
			r.folder.Close() // best effort: the first error is returned
		}
	}()
	if err := onlyOurs(r.folder); err != nil {
		return nil, err
	}
	if r.lock, err = disk.Lock(r.folder.FS, r.folder.Path(hidden, "lock"), ErrLocked); err != nil {
		return nil, err
	}
	switch {
	case o.JSONOnly:
		o.outputs = jsonOnly
	case o.outputs == nil:
		o.outputs = allOutputs
	}
	if err := r.begin(o.outputs); err != nil {
		r.lock.Unlock()
		return nil, err
	}
	return r, nil
}

// begin repairs the folder and begins the outputs; the report already has its lock.
func (r *Report) begin(outputs []func(*disk.Folder) (model.Output, error)) error {
	if err := mend(r.folder); err != nil {
		return err
	}
	if err := wholeComparison(r.folder); err != nil {
		return err
	}
	if err := r.folder.FS.Remove(r.folder.Temp); err != nil {
		return err
	}
	if err := r.folder.FS.MkdirAll(r.folder.Temp); err != nil {
		return err
	}
	var err error
	r.outputs, err = newOutputs(r, outputs)
	return err
}

// onlyOurs returns an error if a folder contains files that no comparison has.
func onlyOurs(folder disk.Folder) error {
	entries, err := folder.FS.ReadDir(folder.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var other string
	for _, e := range entries {
		switch {
		case e.Name() == "run.json":
			return ErrRun
		case e.Name() == hidden && e.IsDir(), slices.Contains(files, e.Name()) && e.Type().IsRegular():
		case other == "":
			other = e.Name()
		}
	}
	if other != "" {
		return fmt.Errorf("%w (%q)", ErrOthers, other)
	}
	return nil
}

// wholeComparison returns an error if files have the names of ours, but do not form a comparison.
func wholeComparison(folder disk.Folder) error {
	if _, err := folder.FS.Lstat(folder.Path(ours)); err == nil {
		return nil
	}
	for _, name := range files {
		if _, err := folder.FS.Lstat(folder.Path(name)); err == nil {
			return fmt.Errorf("%w (%q without %s)", ErrOthers, name, ours)
		}
	}
	return nil
}
