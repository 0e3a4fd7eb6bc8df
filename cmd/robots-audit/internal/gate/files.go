package gate

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
)

// Files are files that are written beside their places, and put there together once all
// of them are whole. The zero Files has none.
type Files struct {
	list []*file
}

type file struct {
	*bufio.Writer
	temp *os.File
	name string
}

// Create begins a file.
func (f *Files) Create(name string) (*bufio.Writer, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: this is a folder. Name a file", name)
	}
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.tmp")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	of := &file{bufio.NewWriter(temp), temp, name}
	f.list = append(f.list, of)
	return of.Writer, nil
}

// Commit puts all files into their places. Where that fails for one, the error says so.
func (f *Files) Commit() error {
	for _, of := range f.list {
		err := of.Flush()
		if err == nil {
			err = of.temp.Chmod(0o644)
		}
		if end := of.temp.Close(); err == nil {
			err = end
		}
		if err == nil {
			err = os.Rename(of.temp.Name(), of.name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", of.name, err)
		}
	}
	f.list = nil
	return nil
}

// Abort removes what was not put into its place.
func (f *Files) Abort() {
	for _, of := range f.list {
		of.temp.Close()
		os.Remove(of.temp.Name()) // gone already where it was put into its place
	}
	f.list = nil
}
