package delivery

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// File is a channel that appends a line of JSON to a file for each message. The line is the same as
// that of a JSON webhook; after a kill it may be there twice, with the same id. Only the owner may
// read a new file; an existing file keeps its mode.
type File struct {
	Route
	Path string
}

func (f *File) secrets() []string { return nil }

// Check returns an error for an invalid configuration.
func (f *File) Check() error {
	if info, err := os.Lstat(f.Path); err == nil && !info.Mode().IsRegular() { // a link may lead to a file that we must not write to
		return fmt.Errorf("path: %s is not a regular file. Links, folders, pipes and devices are not used", f.Path)
	}
	return nil
}

// send writes the line at once, and syncs it to the disk before it is accepted. An incomplete line
// is removed again.
func (f *File) send(_ context.Context, p parcel) (r receipt, err error) {
	line, err := messageJSON(p)
	if err != nil {
		return r, err
	}
	if err := f.Check(); err != nil { // opening a pipe could block
		return r, err
	}
	_, missing := os.Lstat(f.Path)
	file, err := os.OpenFile(f.Path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return r, err
	}
	defer file.Close()
	size, err := repairEnd(file)
	if err != nil {
		return r, err
	}
	_, err = file.Write(append(line, '\n'))
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		return r, errors.Join(err, file.Truncate(size))
	}
	if missing != nil {
		syncFolder(filepath.Dir(f.Path))
	}
	return receipt{answer: f.Path}, nil
}

// maxTorn bounds an incomplete last line after a kill: far beyond the longest message.
const maxTorn = 64 << 20

// repairEnd makes sure that a file consists of whole lines, and returns its size. An incomplete
// last line may be left by a kill. Then it is cut off, because its message is written again. If it
// is complete, as an editor leaves it, it gets its line end. A power cut may leave zeros in place
// of the last line, followed by its line end: that line is also cut off.
func repairEnd(file *os.File) (size int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	size = info.Size()
	whole, err := wholeLines(file, size)
	if err != nil {
		return 0, err
	}
	if size-whole > maxTorn {
		return 0, fmt.Errorf("%s ends in a line of more than %d bytes. It is not a file of alerts", file.Name(), maxTorn)
	}
	tail := make([]byte, size-whole)
	if _, err := file.ReadAt(tail, whole); err != nil && err != io.EOF {
		return 0, err
	}
	switch {
	case len(tail) == 0:
		return size, nil
	case bytes.IndexByte(tail, 0) >= 0:
		return whole, file.Truncate(whole)
	case tail[len(tail)-1] == '\n':
		return size, nil
	case json.Valid(tail):
		_, err := file.Write([]byte("\n"))
		return size + 1, err
	}
	return whole, file.Truncate(whole)
}

// wholeLines returns the end of the line before the last one, within the maximum length of an
// incomplete line.
func wholeLines(file *os.File, size int64) (int64, error) {
	piece := make([]byte, 64<<10)
	for to := size - 1; to > 0 && size-to <= maxTorn; { // the last byte may be the end of the last line
		from := max(0, to-int64(len(piece)))
		n, err := file.ReadAt(piece[:to-from], from)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.LastIndexByte(piece[:n], '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		to = from
	}
	return 0, nil
}

// syncFolder syncs a new file's name to the disk, if the system supports it.
func syncFolder(name string) {
	if dir, err := os.Open(name); err == nil {
		dir.Sync()
		dir.Close()
	}
}
