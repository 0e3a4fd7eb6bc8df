package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// SyncFiles waits until the files of a folder are on the disk, with their names. One call does it for the
// whole file system: 2,000 files take 0.02 s, but half a second one by one.
func SyncFiles(_ FS, dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = os.NewSyscallError("syncfs "+dir, unix.Syncfs(int(d.Fd())))
	return errors.Join(err, d.Close())
}
