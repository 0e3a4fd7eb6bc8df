package job

import (
	"bufio"
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

	"robots-audit/engine/escape"
	"robots-audit/reports"
)

// Folders in the history's folder.
const (
	runsFolder          = "runs"
	comparisonsFolder   = "comparisons"
	confirmationsFolder = "confirmations"
)

// ScheduleKey is the key of a run's schedule among the settings in run.json.
const ScheduleKey = "schedule"

// maxManifest limits how much of run.json is read.
const maxManifest = 16 << 20

// folder is a run's folder, as its run.json describes it.
type folder struct {
	id       string // name of the folder
	says     string // ID in its run.json
	schedule string
	started  time.Time
	finished time.Time // zero = interrupted
	version  string    // of the program
	logs     bool      // it was to read access logs
}

var errManifest = errors.New("a run with a damaged run.json is skipped")

// folderID is the name of a run's folder, and its ID in run.json.
func folderID(started time.Time) string { return started.UTC().Format(idLayout) }

const idLayout = "20060102T150405Z"

// folders lists the folders of runs, the oldest first. It skips folders without run.json: those
// runs were killed at their start, and sweepEmpty removes them.
func (j *Job) folders() (list []folder, err error) {
	entries, err := os.ReadDir(filepath.Join(j.Dir, runsFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		f, err := readFolder(filepath.Join(j.Dir, runsFolder, e.Name()))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case errors.Is(err, errManifest): // one damaged run must not prevent others
			j.warnOnce(e.Name(), err.Error())
		case err != nil:
			return nil, err
		case f.says != "" && f.says != f.id: // a copy or a renamed folder, which would be stored twice
			j.skip(f, "its run.json belongs to run "+escape.Show(escape.Cut(f.says, 40))+". Rename the folder like its run")
		default:
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b folder) int { return strings.Compare(a.id, b.id) })
	return list, nil
}

func readFolder(dir string) (folder, error) {
	name := filepath.Join(dir, "run.json")
	if info, err := os.Lstat(name); err != nil {
		return folder{}, err
	} else if !info.Mode().IsRegular() { // others may create files here, and opening a named pipe could block for ever
		return folder{}, fmt.Errorf("%s: not a regular file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return folder{}, err
	}
	defer file.Close()
	var of struct {
		ID         string    `json:"id"`
		Version    string    `json:"version"`
		Started    time.Time `json:"started"`
		Finished   time.Time `json:"finished"`
		Unfinished int       `json:"unfinished"` // sites in progress when it was stopped
		Stopped    bool      `json:"stopped"`
		Settings   struct {
			Schedule string `json:"schedule"` // ScheduleKey
			Logs     string `json:"logs"`     // patterns of access logs
		} `json:"settings"`
	}
	if err := json.NewDecoder(io.LimitReader(file, maxManifest)).Decode(&of); err != nil {
		var disk *fs.PathError
		switch {
		case errors.As(err, &disk):
			return folder{}, err
		case errors.Is(err, io.EOF):
			err = errors.New("the file is empty")
		case errors.Is(err, io.ErrUnexpectedEOF):
			err = errors.New("the file is incomplete")
		case errors.As(err, new(*json.SyntaxError)):
			err = errors.New("the file is not JSON")
		}
		return folder{}, fmt.Errorf("%w: %s: %w. Restore the file, or remove its folder", errManifest, file.Name(), err)
	}
	if of.Unfinished > 0 || of.Stopped { // by a signal, after which it still writes its reports
		of.Finished = time.Time{}
	}
	return folder{id: filepath.Base(dir), says: of.ID, schedule: of.Settings.Schedule, started: of.Started, finished: of.Finished, version: of.Version, logs: of.Settings.Logs != ""}, nil
}

func (j *Job) path(id string) string { return filepath.Join(j.Dir, runsFolder, id) }

// open opens a run in its folder, even if no report of a site could be written. Sites are checked
// one by one; for a rebuilt history all at once, since they are judged together.
func (j *Job) open(id string) (*reports.StoredRun, error) {
	if j.before != nil && j.before.ID == id {
		return j.before, nil
	}
	if info, err := os.Lstat(j.path(id)); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s: the history has a run here, but this is not a folder", j.path(id))
	}
	open := reports.OpenUnchecked
	if j.replay {
		open = reports.OpenStored
	}
	run, err := open(j.path(id), j.Version)
	if errors.Is(err, reports.ErrNoRecords) && len(run.Unwritten) > 0 {
		return run, nil
	}
	return run, err
}

// newID chooses the ID of a run that starts now: the first second from now on without a run.
func (j *Job) newID(now time.Time) (id string, started time.Time) {
	for started = now.UTC().Truncate(time.Second); ; started = started.Add(time.Second) {
		id = folderID(started)
		if _, err := os.Lstat(j.path(id)); errors.Is(err, fs.ErrNotExist) {
			return id, started
		}
	}
}

// writeFile writes a file below the history's folder, completely or not at all.
func writeFile(name string, write func(io.Writer) error) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // no longer there after success
	out := bufio.NewWriter(file)
	if err := errors.Join(write(out), out.Flush(), file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}
