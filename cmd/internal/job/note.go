package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// submittedFolder has a note ID.json for each run that a fleet does. While the run's folder is
// downloaded, it is there as ID.
const submittedFolder = "submitted"

// Note records that a fleet does a run: from before it is submitted until its folder is complete in
// its place. A start that finds the note waits for that run, and does not begin another.
type Note struct {
	dir string // submittedFolder, in the history's
	run string // ID of the run
	of  noted
}

type noted struct {
	Schedule string    `json:"schedule"`
	Started  time.Time `json:"started"`
	ID       string    `json:"id"` // ID of the run in the fleet; "" = there is no note
}

func (j *Job) note(run folder) *Note {
	n := &Note{dir: filepath.Join(j.Dir, submittedFolder), run: run.id, of: noted{Schedule: run.schedule, Started: run.started}}
	if of, err := readNote(n.path()); err == nil {
		n.of = of
	}
	return n
}

// ID is the ID of the run in the fleet; "" = it was not submitted.
func (n *Note) ID() string { return n.of.ID }

func (n *Note) path() string { return filepath.Join(n.dir, n.run+".json") }

// Write records that the run is submitted as id from now on. The file is complete or not there.
func (n *Note) Write(id string) error {
	of := n.of
	of.ID = id
	err := writeFile(n.path(), func(out io.Writer) error {
		text, err := json.Marshal(of)
		if err != nil {
			return err
		}
		_, err = out.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	n.of = of
	return nil
}

// Drop removes the note: the fleet does not do the run, or the run is in its place.
func (n *Note) Drop() error {
	n.of.ID = ""
	return removeFile(n.path())
}

// Space is an empty folder in which to put together the run's folder. It removes what a killed
// process has left there.
func (n *Note) Space() (dir string, err error) {
	dir = filepath.Join(n.dir, n.run)
	left, err := filepath.Glob(dir + ".part-*")
	for _, name := range append(left, dir) {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return dir, err
}

func readNote(name string) (of noted, err error) {
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, &of)
	}
	if err == nil && (of.ID == "" || of.Started.IsZero()) {
		err = errors.New("this is not a note of a run")
	}
	if err != nil {
		return noted{}, fmt.Errorf("%s: %w", name, err)
	}
	return of, nil
}

// known are the folders of runs, and the runs of a fleet whose folders are not yet there; these are
// unfinished. It removes notes whose folder is there, which a killed process has left.
func (j *Job) known() ([]folder, error) {
	list, err := j.folders()
	if err != nil {
		return nil, err
	}
	notes, err := filepath.Glob(filepath.Join(j.Dir, submittedFolder, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, name := range notes {
		of, err := readNote(name)
		if err != nil {
			return nil, err
		}
		run := folder{id: strings.TrimSuffix(filepath.Base(name), ".json"), schedule: of.Schedule, started: of.Started}
		if _, err := os.Lstat(j.path(run.id)); !errors.Is(err, fs.ErrNotExist) {
			if err := errors.Join(err, j.note(run).Drop()); err != nil {
				return nil, err
			}
			continue
		}
		list = append(list, run)
	}
	slices.SortFunc(list, func(a, b folder) int { return strings.Compare(a.id, b.id) })
	return list, nil
}
