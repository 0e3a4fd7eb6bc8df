package store

import (
	"errors"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// whole are file systems of which one call waits for all that was written to them and renamed, down
// to the disk. It does not on those of FUSE, and files of a network are at the server once they are
// closed, so that fsync costs little.
var whole = []int64{unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC}

// syncsWhole reports whether syncWhole will do for a folder.
func syncsWhole(dir string) bool {
	var s unix.Statfs_t
	return unix.Statfs(dir, &s) == nil && slices.Contains(whole, int64(s.Type))
}

// renameNew gives a file a name that nobody has yet: fs.ErrExist otherwise. Another error is that the
// file system cannot, or why this one could not.
func renameNew(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// syncWhole waits until all is on the disk that was written to a folder's file system.
func syncWhole(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = os.NewSyscallError("syncfs "+dir, unix.Syncfs(int(d.Fd())))
	return errors.Join(err, d.Close())
}
