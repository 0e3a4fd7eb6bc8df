package reports

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// disk is the file system as far as a site's files need it. Files are opened,
// written and closed again in one step, so that sites in flight hold no file
// descriptors. Tests put a disk in its place that is full.
type disk interface {
	Append(name string, data []byte) error      // to the end of a file, which is created where it is missing
	Create(name string) (io.WriteCloser, error) // an empty file
	Rename(from, to string) error               // within the folder of the run: at once or not at all
	Mkdir(name string) error                    // in a folder that is there; it may be there itself
	Remove(name string) error                   // with all below it; nothing there is no error
}

type osDisk struct{}

func (osDisk) Append(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func (osDisk) Create(name string) (io.WriteCloser, error) { return os.Create(name) }
func (osDisk) Rename(from, to string) error               { return os.Rename(from, to) }
func (osDisk) Remove(name string) error                   { return os.RemoveAll(name) }

func (osDisk) Mkdir(name string) error {
	if err := os.Mkdir(name, 0o755); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// Codes of the trouble of writing a site's report, in its errors with stage "report".
const (
	codeDiskFull    = "disk_full"    // no space, or a quota is used up
	codeReadOnly    = "read_only"    // the place may not be written
	codeWriteFailed = "write_failed" // anything else
)

func diskCode(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC) || isQuota(err):
		return codeDiskFull
	case errors.Is(err, syscall.EROFS) || errors.Is(err, os.ErrPermission):
		return codeReadOnly
	}
	return codeWriteFailed
}
