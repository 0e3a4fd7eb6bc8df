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

// submittedFolder has, for each run that others do, a note ID.json, and while its folder is
// being fetched that, as ID.
const submittedFolder = "submitted"

// Note says that a run which others do, a fleet, is under way: from before it is submitted
// until its folder is whole in its place. A start that finds the note waits for that run, and
// begins none beside it.
type Note struct {
	dir string // submittedFolder, in the history's
	run string // ID of the run
	of  noted
}

// noted is what a note says.
type noted struct {
	Schedule string    `json:"schedule"`
	Started  time.Time `json:"started"`
	ID       string    `json:"id"` // of the run where it is done; "" = there is no note
}

// note is the note of a run.
func (j *Job) note(run folder) *Note {
	n := &Note{dir: filepath.Join(j.Dir, submittedFolder), run: run.id, of: noted{Schedule: run.schedule, Started: run.started}}
	if of, err := readNote(n.path()); err == nil {
		n.of = of
	}
	return n
}

// ID is what the run is called by those who do it; "" = it was not submitted.
func (n *Note) ID() string { return n.of.ID }

func (n *Note) path() string { return filepath.Join(n.dir, n.run+".json") }

// Write notes that the run is submitted as id from now on. It is written whole or not at all.
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

// Drop removes the note: nobody does the run, or it is in its place.
func (n *Note) Drop() error {
	n.of.ID = ""
	return removeFile(n.path())
}

// Space is where the run's folder is to be put together. What a kill has left there is removed.
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

// known are the folders of runs, and those to come of runs that others do: they have not ended.
// A note whose folder is there goes: a kill came between the two.
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
