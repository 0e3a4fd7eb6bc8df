package gate

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
)

// Files are written as temporary files and moved to their names together once all are complete. The
// zero Files is empty.
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

// Commit moves all files to their names. The error says which one failed.
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

// Abort removes the files that were not moved to their names.
func (f *Files) Abort() {
	for _, of := range f.list {
		of.temp.Close()
		os.Remove(of.temp.Name()) // fails if it was moved to its name
	}
	f.list = nil
}
