package reports

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"robots-audit/reports/internal/disk"
	"time"
)

// Overview is what a run says of itself in few words, without its sites.
type Overview struct {
	ID       string // of the run: "20261122T060000Z"
	Version  string // of the program that made it
	Started  time.Time
	Finished time.Time // zero = the run was cut short, or goes on
	Totals   *Totals   // as its summary has them; nil = it has none yet
}

// maxOverview bounds what is read of a summary to find its totals, which stand before its sites.
const maxOverview = 4 << 20

// ReadOverview reads the overview of the run in a folder: a few kilobytes, however large it
// is. The error is ErrNoRun where the folder holds none.
func ReadOverview(dir string) (Overview, error) {
	m, err := readManifest(filepath.Join(dir, "run.json"))
	switch {
	case err != nil:
		return Overview{}, fmt.Errorf("%s: %w", dir, err)
	case m == nil:
		return Overview{}, fmt.Errorf("%s: %w", dir, ErrNoRun)
	}
	o := Overview{ID: m.ID, Version: m.Version, Started: m.Started}
	if m.Finished != nil {
		o.Finished = *m.Finished
	}
	o.Totals, err = readTotals(filepath.Join(dir, "summary.json"))
	if err != nil {
		return o, fmt.Errorf("%s: summary.json: %w", dir, err)
	}
	return o, nil
}

// readTotals reads the totals of a summary; nil = there is none.
func readTotals(name string) (*Totals, error) {
	root := disk.NewRoot(filepath.Dir(name))
	defer root.Close()
	file, err := root.Open(name, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := json.NewDecoder(bufio.NewReader(&boundedReader{file, maxOverview}))
	if open, err := in.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.Join(errors.New("it is no object of JSON"), err)
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return nil, err
		}
		if key == "totals" {
			totals := &Totals{}
			return totals, in.Decode(totals)
		}
		var skipped json.RawMessage
		if err := in.Decode(&skipped); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("it has no totals")
}

// boundedReader is a file that is an error beyond so many bytes.
type boundedReader struct {
	file *os.File
	left int
}

func (r *boundedReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errors.New("its totals are not where they should be")
	}
	n, err := r.file.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}
