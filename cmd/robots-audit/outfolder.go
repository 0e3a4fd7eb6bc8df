package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/reports"
	"robots-audit/reports/changes"
)

type outFolder struct {
	dir       string
	made      bool // this call created it
	temporary bool // it is removed at the end
}

// abandon removes unfinished files, and the folder if this call created it. Files may still be
// written meanwhile: the program ends.
func (f *outFolder) abandon() {
	reports.RemoveHalfWritten(f.dir)
	for range 10 { // files may be added meanwhile
		if f.unmake() == nil {
			return
		}
	}
}

// unmake removes the folder if this call created it and it is empty.
func (f *outFolder) unmake() error {
	switch {
	case f.temporary:
		return os.RemoveAll(f.dir)
	case f.made:
		return errors.Join(os.RemoveAll(filepath.Join(f.dir, ".robots-audit")), os.Remove(f.dir))
	}
	return nil
}

// open opens the report in its folder. If the error is errOut, the usage was wrong.
func (c *comparing) open(o changes.Options) (folder *outFolder, report *changes.Report, err error) {
	cli.Stop.During(func() (clean func()) {
		if folder, err = c.folder(); err != nil {
			return nil
		}
		o.Dir, o.JSONOnly = folder.dir, folder.temporary
		report, err = changes.Open(o)
		switch {
		case err == nil:
			return folder.abandon
		case !errors.Is(err, changes.ErrLocked): // otherwise another process uses it
			folder.unmake() // best effort
		}
		return nil
	})
	switch {
	case errors.Is(err, changes.ErrRun), errors.Is(err, changes.ErrOthers):
		err = fmt.Errorf("%w %w", audits.ErrOut, err)
	case err != nil && !errors.Is(err, audits.ErrOut):
		err = fmt.Errorf("-out %w", err)
	}
	return folder, report, err
}

// folder returns the output folder, and creates one if none is named. Without a request for output
// it is a temporary one.
func (c *comparing) folder() (*outFolder, error) {
	if c.out != "" {
		info, err := os.Stat(c.out)
		if err == nil && !info.IsDir() {
			return nil, fmt.Errorf("%w %s: this is a file. Name a folder, or remove -out", audits.ErrOut, c.out)
		}
		return &outFolder{dir: c.out, made: errors.Is(err, fs.ErrNotExist)}, nil
	}
	if c.json {
		dir, err := os.MkdirTemp("", "robots-audit-")
		return &outFolder{dir: dir, made: true, temporary: true}, err
	}
	base := "robots-audit-" + c.name + "-" + time.Now().UTC().Format("20060102-150405")
	for n, dir := 2, base; ; n++ {
		err := os.Mkdir(dir, 0o755)
		if !errors.Is(err, fs.ErrExist) || n == 100 {
			return &outFolder{dir: dir, made: err == nil}, err
		}
		dir = fmt.Sprintf("%s-%d", base, n)
	}
}
