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

// File is a channel: a line of JSON for each message, at the end of a file. The line is
// that of a webhook in JSON; after a kill it may stand there twice, with the same id. A file that is
// made is its owner's alone; one that is there keeps its mode.
type File struct {
	Route
	Path string
}

func (f *File) secrets() []string { return nil }

// Check says what is wrong with the configuration.
func (f *File) Check() error {
	if info, err := os.Lstat(f.Path); err == nil && !info.Mode().IsRegular() { // a link may lead to what is not ours to write to
		return fmt.Errorf("path: %s is not a regular file. Links, folders, pipes and devices are not used", f.Path)
	}
	return nil
}

// send writes the line at once and has it on the disk before it is accepted. What cannot
// be written whole is taken back.
func (f *File) send(_ context.Context, p parcel) (note string, err error) {
	line, err := messageJSON(p)
	if err != nil {
		return "", err
	}
	if err := f.Check(); err != nil { // a pipe would be waited for
		return "", err
	}
	_, missing := os.Lstat(f.Path)
	file, err := os.OpenFile(f.Path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return "", err
	}
	defer file.Close()
	size, err := repairEnd(file)
	if err != nil {
		return "", err
	}
	_, err = file.Write(append(line, '\n'))
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		return "", errors.Join(err, file.Truncate(size))
	}
	if missing != nil {
		syncFolder(filepath.Dir(f.Path))
	}
	return "", nil
}

// maxTorn bounds a line that a kill has torn: far beyond the longest message.
const maxTorn = 64 << 20

// repairEnd leaves a file of whole lines, and returns its size. A last line without an end
// is either what a kill left, whose message is written again and which is cut off, or
// whole, as an editor leaves it, and gets its end. A power cut may leave zeros in the place of
// what was written last, and the line's end behind them: that line is cut off, too.
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

// wholeLines is where the line before the last one ends, among the last bytes that a torn line
// may have.
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

// syncFolder has a new file's name on the disk, where the system can.
func syncFolder(name string) {
	if dir, err := os.Open(name); err == nil {
		dir.Sync()
		dir.Close()
	}
}
