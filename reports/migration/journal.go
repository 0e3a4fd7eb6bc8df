package migration

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"robots-audit/audit/migrate"
	"robots-audit/reports/internal/disk"
)

// entry is the position of a result in the journal, with the sort keys of the reports.
type entry struct {
	at     int64
	clicks int64
	hits   int64
	length int32
	line   int32 // of the map
	rank   uint8 // migrate.Rank of its class
	flags  uint8
}

// Flags of entries.
const (
	flagImportant = 1 << iota
	flagPassing
)

// journal is the file of results: a head with the settings, and then a line for each result, with
// its checksum.
type journal struct {
	file    *os.File
	size    int64
	entries []entry
	byLine  map[int32]int32 // line of the map → index into entries
	damaged int             // lines that could not be read
}

// maxLine bounds a line of the journal: a dozen URLs with their verdicts.
const maxLine = 4 << 20

// newJournal begins a journal.
func newJournal(of disk.FS, name string, head *Head) (*journal, error) {
	f, err := of.Open(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f, byLine: map[int32]int32{}}
	text, err := json.Marshal(head)
	if err == nil {
		err = j.write(text)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// openJournal reads a journal for appending. It removes a line that a kill has cut off.
func openJournal(of disk.FS, name string) (*journal, *Head, error) {
	f, err := of.Open(name, os.O_RDWR)
	if err != nil {
		return nil, nil, err
	}
	j := &journal{file: f, byLine: map[int32]int32{}}
	head, err := j.scan()
	if err == nil {
		err = f.Truncate(j.size)
	}
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return j, head, nil
}

var errHead = errors.New("it is not the journal of a check")

// scan reads the head, and notes all complete results.
func (j *journal) scan() (head *Head, err error) {
	in := bufio.NewReaderSize(j.file, maxLine)
	for {
		line, err := in.ReadSlice('\n')
		switch {
		case err == io.EOF: // text after the last line feed is an incomplete line
			if head == nil {
				return nil, errHead
			}
			return head, nil
		case err != nil:
			return nil, err
		}
		length := int32(len(line))
		text, whole := unseal(line)
		var r migrate.Result
		switch {
		case head == nil:
			head = new(Head)
			if !whole || json.Unmarshal(text, head) != nil || head.Kind != kind {
				return nil, errHead
			}
		case !whole || json.Unmarshal(text, &r) != nil:
			j.damaged++
		default:
			j.note(&r, length)
		}
		j.size += int64(length)
	}
}

// note adds an entry for the result at the end of the journal.
func (j *journal) note(r *migrate.Result, length int32) {
	e := entry{at: j.size, clicks: r.Clicks, hits: r.Hits, length: length, line: int32(r.Line), rank: uint8(max(0, migrate.Rank(r.Class)))}
	if r.Important {
		e.flags |= flagImportant
	}
	if r.Passing {
		e.flags |= flagPassing
	}
	if at, known := j.byLine[e.line]; known {
		j.entries[at] = e
		return
	}
	j.byLine[e.line] = int32(len(j.entries))
	j.entries = append(j.entries, e)
}

// append writes a result.
func (j *journal) append(r *migrate.Result) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	at := j.size
	if err := j.write(text); err != nil {
		return err
	}
	size := j.size
	j.size = at
	j.note(r, int32(size-at))
	j.size = size
	return nil
}

// write writes an object as a line with its checksum.
func (j *journal) write(object []byte) error {
	line := append(seal(object), '\n')
	if len(line) > maxLine {
		return errors.New("a result is too long for the journal")
	}
	if _, err := j.file.WriteAt(line, j.size); err != nil {
		return err
	}
	j.size += int64(len(line))
	return nil
}

// read reads a result again.
func (j *journal) read(e *entry) (*migrate.Result, error) {
	line := make([]byte, e.length)
	if _, err := j.file.ReadAt(line, e.at); err != nil {
		return nil, err
	}
	text, whole := unseal(line)
	if !whole {
		return nil, errors.New("the journal was changed while it was read")
	}
	r := new(migrate.Result)
	return r, json.Unmarshal(text, r)
}

// seal adds the checksum of an object as its first key.
func seal(object []byte) []byte {
	sealed := fmt.Appendf(nil, `{"checksum":"%s",`, disk.FormatSum(crc32.Checksum(object, disk.Castagnoli)))
	return append(sealed, object[1:]...)
}

// unseal returns the object that was given to seal; false = it was changed.
func unseal(line []byte) (object []byte, whole bool) {
	line = bytes.TrimSpace(line)
	sum, rest, ok := bytes.Cut(line, []byte{','})
	if !ok {
		return nil, false
	}
	object = append([]byte{'{'}, rest...)
	want := `{"checksum":"` + disk.FormatSum(crc32.Checksum(object, disk.Castagnoli)) + `"`
	return object, string(sum) == want
}
