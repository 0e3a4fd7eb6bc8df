package disk

import (
	"errors"
	"os"
)

// Unnamed is a temporary file whose name is gone right after it was made, where the
// system lets an open file go without one: whatever ends the program, nothing stays behind.
type Unnamed struct {
	*os.File
	named bool // Windows keeps the name of an open file
}

// CreateUnnamed makes a temporary file on the disk of a folder.
func CreateUnnamed(dir string) (*Unnamed, error) {
	f, err := os.CreateTemp(dir, "rows-*")
	if err != nil {
		return nil, err
	}
	return &Unnamed{f, os.Remove(f.Name()) != nil}, nil
}

// Close frees the disk.
func (u *Unnamed) Close() error {
	err := u.File.Close()
	if u.named {
		err = errors.Join(err, os.Remove(u.Name()))
	}
	return err
}
