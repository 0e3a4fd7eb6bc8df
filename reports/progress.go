package reports

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"robots-audit/reports/internal/disk"
)

// Progress is how far a run is, written by the run itself every second.
type Progress struct {
	At       time.Time `json:"at"` // UTC
	Sites    int64     `json:"sites"`
	Total    int64     `json:"total,omitempty"` // sites of the list; 0 = not known
	URLs     int64     `json:"urls"`
	Blocked  int64     `json:"blocked"`
	Rate     float64   `json:"urls_per_second"`
	Left     float64   `json:"seconds_left,omitempty"` // 0 = not known
	Waiting  string    `json:"waiting_for,omitempty"`  // the site that keeps the run waiting; "" = none
	Stage    string    `json:"waiting_at,omitempty"`   // the current stage of that site
	WaitedOn float64   `json:"waiting_seconds,omitempty"`
}

// progressFile is the file of a run's progress, within hidden.
const progressFile = "progress.json"

// TellProgress writes the run's progress to a file in its folder, for other processes. Close and
// Discard remove the file; if a run was killed, its time shows that it is old. Any goroutine may
// call it until then.
func (r *Run) TellProgress(p Progress) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	f, err := r.folder.FS.Create(r.temp(progressFile))
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return r.folder.FS.Rename(r.temp(progressFile), r.path(hidden, progressFile))
}

// maxProgress bounds the size of the file.
const maxProgress = 64 << 10

// ReadProgress reads the progress that the run in a folder wrote last; nil = there is none.
func ReadProgress(dir string) (*Progress, error) {
	root := disk.NewRoot(dir)
	defer root.Close()
	file, err := root.Open(filepath.Join(dir, hidden, progressFile), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p := &Progress{}
	if err := json.NewDecoder(io.LimitReader(file, maxProgress)).Decode(p); err != nil {
		return nil, err
	}
	return p, nil
}

// forgetProgress removes the progress of a run that has ended or is started again.
func (r *Run) forgetProgress() { r.folder.FS.Remove(r.path(hidden, progressFile)) } // best effort: its time shows that it is old
