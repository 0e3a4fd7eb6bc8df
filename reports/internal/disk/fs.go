package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// FS is the file system as far as a site's files need it. Files are opened, written and closed
// again in one step, so that sites in progress keep no file descriptors. Tests use one that is
// full.
type FS interface {
	Append(name string, data []byte) error // to the end of a file, which is created if it is missing
	Create(name string) (File, error)      // an empty one
	Rename(from, to string) error          // within the folder of the run: at once or not at all
	Mkdir(name string) error               // in an existing folder; no error if it exists already
	Remove(name string) error              // with its content; no error if nothing exists

	Open(name string, flag int) (*os.File, error) // a plain file, for reading, and for writing if flag (os.O_…) says so; never blocks
	Lstat(name string) (fs.FileInfo, error)
	ReadDir(name string) ([]fs.DirEntry, error) // in the order of their names
	MkdirAll(name string) error
}

// File is a file for writing. Sync waits until its content is on the disk.
type File interface {
	io.WriteCloser
	Sync() error
}

// OS is the file system of the machine, for our own folders; use Root for folders that others may have
// made. It opens files with O_NONBLOCK, as Open does, which does not affect files. Otherwise the os
// package would set and clear it, with four system calls for each file, to find out whether it is
// pollable.
type OS struct{}

// Append implements FS; it closes the file again.
func (OS) Append(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// Create is os.Create.
func (OS) Create(name string) (File, error) {
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC|syscall.O_NONBLOCK, 0o666)
}

// Rename is the function Rename.
func (OS) Rename(from, to string) error { return Rename(from, to) }

// Remove is os.RemoveAll, faster if nothing exists, which is the usual case.
func (OS) Remove(name string) error {
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.RemoveAll(name)
}

// Mkdir is os.Mkdir, but an existing folder is no error.
func (OS) Mkdir(name string) error {
	if err := os.Mkdir(name, 0o755); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// Open implements FS. Links are followed.
func (OS) Open(name string, flag int) (*os.File, error) { return Open(name, flag) }

// Lstat is os.Lstat.
func (OS) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// ReadDir is os.ReadDir.
func (OS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// MkdirAll is os.MkdirAll.
func (OS) MkdirAll(name string) error { return os.MkdirAll(name, 0o755) }

// Folder is the folder of a run, and that of its temporary files, which can be renamed
// into it: both are on the same file system.
type Folder struct {
	FS   FS
	Dir  string
	Temp string
}

// Close closes the folder.
func (f *Folder) Close() error {
	if root, ok := f.FS.(*Root); ok {
		return root.Close()
	}
	return nil
}

// Path returns the path of a file in the run's folder.
func (f *Folder) Path(parts ...string) string { return join(f.Dir, parts) }

// TempPath returns the path of a temporary file.
func (f *Folder) TempPath(parts ...string) string { return join(f.Temp, parts) }

func join(dir string, parts []string) string {
	return filepath.Join(append([]string{dir}, parts...)...)
}
