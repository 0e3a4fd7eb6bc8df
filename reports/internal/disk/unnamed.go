package disk

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
)

// Unnamed is a temporary file whose name is removed right after it was made, if the system allows
// this for an open file. So nothing remains, however the program ends.
type Unnamed struct {
	*os.File
	fs    FS
	name  string
	named bool // Windows keeps the name of an open file
}

// CreateUnnamed makes a temporary file in a folder.
func CreateUnnamed(fs FS, dir string) (*Unnamed, error) {
	name := filepath.Join(dir, "rows-"+rand.Text())
	f, err := fs.Open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	return &Unnamed{f, fs, name, fs.Remove(name) != nil}, nil
}

// Close closes the file, which frees its disk space.
func (u *Unnamed) Close() error {
	err := u.File.Close()
	if u.named {
		err = errors.Join(err, u.fs.Remove(u.name))
	}
	return err
}
