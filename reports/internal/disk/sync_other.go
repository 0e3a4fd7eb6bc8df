//go:build !linux

package disk

import (
	"errors"
	"os"
	"path/filepath"
)

// SyncFiles waits until the files of a folder are on the disk.
func SyncFiles(of FS, dir string) error {
	entries, err := of.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		file, err := of.Open(filepath.Join(dir, entry.Name()), os.O_RDWR) // Windows requires one opened for writing
		if err != nil {
			return err
		}
		if err := errors.Join(file.Sync(), file.Close()); err != nil {
			return err
		}
	}
	return nil
}
