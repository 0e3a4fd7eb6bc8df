package store

import (
	"errors"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// whole lists file systems on which one syncfs waits until everything written or renamed is on the disk.
// FUSE file systems do not guarantee that. On network file systems closed files are at the server, so fsync
// costs little there.
var whole = []int64{unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC}

// syncsWhole reports whether syncWhole is enough for a folder.
func syncsWhole(dir string) bool {
	var s unix.Statfs_t
	return unix.Statfs(dir, &s) == nil && slices.Contains(whole, int64(s.Type))
}

// renameNew renames a file to an unused name, and returns fs.ErrExist if the name is in use. Another error
// says that the file system cannot do that, or why it failed.
func renameNew(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// syncWhole waits until everything written to a folder's file system is on the disk.
func syncWhole(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = os.NewSyscallError("syncfs "+dir, unix.Syncfs(int(d.Fd())))
	return errors.Join(err, d.Close())
}
