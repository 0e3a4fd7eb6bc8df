package disk

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Files of a run's folder are opened here, since others may have put something else in their place.
// Links are followed, as a folder may have moved to a larger disk, but their target must be a file.
// Opening a named pipe without a writer would block for ever, and a device may do anything.

// Open opens a file for reading, and for writing if flag (os.O_…) says so.
func Open(name string, flag int) (*os.File, error) {
	f, info, err := openAny(name, flag)
	if err == nil {
		err = CheckRegular(name, info)
	}
	if err != nil {
		if f != nil {
			f.Close()
		}
		return nil, err
	}
	return f, nil
}

// openAny opens anything with that name, and never blocks.
func openAny(name string, flag int) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(name, flag|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		if info, e := os.Stat(name); e == nil && !info.Mode().IsRegular() { // this is why it could not be opened
			err = CheckRegular(name, info)
		}
		return nil, nil, err
	}
	info, err := f.Stat()
	return f, info, err
}

// CheckRegular returns an error that names the kind of file if it is not a regular file; info
// describes the target of the name.
func CheckRegular(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("it is %s, where a file is expected", kindOf(info.Mode()))}
}

// kindOf is the kind of file of a mode, in words.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else than a file"
}

// ReadFile reads a file of at most limit bytes; a longer one is an error.
func ReadFile(fs FS, name string, limit int64) ([]byte, error) {
	f, err := fs.Open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = &os.PathError{Op: "read", Path: name, Err: fmt.Errorf("longer than %d bytes, which none of ours is", limit)}
	}
	return text, err
}
