package history

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"robots-audit/crawl/errno"
)

// replace renames a complete file to its final name, and syncs the folder against a power cut.
func replace(from, to string) error {
	f, err := os.OpenFile(from, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(to))
}

// syncFolder syncs the names in a folder to the disk. If folders cannot be opened for that, the
// system does it.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, os.ErrPermission) {
		return err
	}
	return nil
}

// isReadOnly reports whether an error says that a file or folder may not be written.
func isReadOnly(err error) bool {
	return errno.ReadOnly(err)
}
