package reports

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// journal is the list of a run's finished sites: one line of JSON each,
// appended when all files of the site have their final names. A site is finished if
// and only if its line is whole, so a run can be killed at any moment. In
// memory a site takes the size of one entry.
type journal struct {
	file    *os.File
	size    int64
	entries []journalEntry
	unsaved []byte // lines that the disk had no space for, yet

	missing bool // there was no such file
	torn    bool // the last line had no end
	damaged int  // lines that could not be read
}

type journalEntry struct {
	at      int64
	length  int32
	dropped bool
}

// openJournal opens the journal, to go on with it or, where fresh says so, as
// an empty one. Lines that cannot be read are skipped and counted.
func openJournal(name string, fresh bool) (*journal, error) {
	flags := os.O_RDWR | os.O_CREATE
	if fresh {
		flags |= os.O_TRUNC
	}
	f, err := disk.Open(name, flags)
	if err != nil {
		return nil, err
	}
	j, err := scanJournal(f, isLine)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(j.size); err != nil { // a line that is torn by a kill would spoil the next one
		f.Close()
		return nil, err
	}
	return j, nil
}

// readJournal opens a journal for reading alone; where there is none it is as
// an empty one.
func readJournal(name string) (*journal, error) {
	f, err := disk.Open(name, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return &journal{missing: true}, nil
	}
	if err != nil {
		return nil, err
	}
	return scanJournal(f, isLine)
}

// isLine returns an error where a text is no line of the journal, as it was written.
func isLine(text []byte) error { return decodeLine(text, &summary.Line{}) }

// scanJournal returns the journal in a file, which it closes where it cannot be read. check
// returns an error for a line that cannot be used.
func scanJournal(f *os.File, check func(line []byte) error) (*journal, error) {
	j := &journal{file: f}
	if err := j.scan(check); err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// maxJournalLine bounds a line of the journal, which the list of a site's
// errors makes a few megabytes long at most.
const maxJournalLine = 32 << 20

// scan finds the lines of the file. Each has its checksum, so that damage to
// one says nothing about the others.
func (j *journal) scan(check func(line []byte) error) error {
	in := bufio.NewReaderSize(j.file, 64<<10)
	var long []byte
	for {
		line, err := in.ReadSlice('\n')
		length := int64(len(line))
		if err == bufio.ErrBufferFull {
			long = long[:0]
			for err == bufio.ErrBufferFull {
				if len(long) <= maxJournalLine {
					long = append(long, line...)
				}
				line, err = in.ReadSlice('\n')
				length += int64(len(line))
			}
			long = append(long, line...)
			line = long
		}
		if err == io.EOF { // what follows the last line feed was not written to its end
			j.torn = len(line) > 0
			return nil
		}
		if err != nil {
			return err
		}
		if length > maxJournalLine || check(line) != nil {
			j.damaged++
		} else {
			j.entries = append(j.entries, journalEntry{at: j.size, length: int32(length)})
		}
		j.size += length
	}
}

// maxUnsaved bounds the lines that wait in memory for room on the disk.
const maxUnsaved = 4 << 20

// sealedLine is a line as the journal has it, with its line feed.
func sealedLine(line *summary.Line) ([]byte, error) {
	text, err := line.JSON()
	if err != nil {
		return nil, err
	}
	return append(seal(text, false), '\n'), nil
}

// append appends a sealed line. A disk that is full for the moment is no error yet: the
// lines wait, and are tried again with the next one and at the end.
func (j *journal) append(text []byte) error {
	j.entries = append(j.entries, journalEntry{at: j.size + int64(len(j.unsaved)), length: int32(len(text))})
	j.unsaved = append(j.unsaved, text...)
	if err := j.save(); err != nil && (len(j.unsaved) > maxUnsaved || writeCode(err) != site.CodeDiskFull) {
		return err
	}
	return nil
}

// save writes the lines that wait. One that is written in part is written again.
func (j *journal) save() error {
	if len(j.unsaved) == 0 {
		return nil
	}
	if _, err := j.file.WriteAt(j.unsaved, j.size); err != nil {
		return err
	}
	j.size += int64(len(j.unsaved))
	j.unsaved = j.unsaved[:0]
	return nil
}

// read returns the i-th line.
func (j *journal) read(i int) (*summary.Line, error) { return j.readEntry(j.entries[i]) }

func (j *journal) readEntry(e journalEntry) (*summary.Line, error) {
	of, err := j.readSite(e)
	if err != nil {
		return nil, err
	}
	return of.Line, nil
}

func (j *journal) readSite(e journalEntry) (*summary.Site, error) {
	text, err := j.text(e, nil)
	if err != nil {
		return nil, err
	}
	return decodeSite(text, &summary.Line{})
}

// text reads the line of an entry as it stands in the file; buf is used again.
func (j *journal) text(e journalEntry, buf []byte) ([]byte, error) {
	buf = slices.Grow(buf[:0], int(e.length))[:e.length]
	if e.at >= j.size {
		copy(buf, j.unsaved[e.at-j.size:])
		return buf, nil
	}
	_, err := j.file.ReadAt(buf, e.at)
	return buf, err
}

// compact forgets the entries that are dropped: their sites are audited again.
func (j *journal) compact() {
	j.entries = slices.DeleteFunc(j.entries, func(e journalEntry) bool { return e.dropped })
}

// order sorts the entries as summaries have them. What that goes by is read from the
// lines and not kept: a site in memory stays the size of its entry.
func (j *journal) order() error {
	type placed struct {
		summary.Place
		entry journalEntry
	}
	places := make([]placed, len(j.entries))
	var text []byte
	for i, e := range j.entries {
		var err error
		if text, err = j.text(e, text); err != nil {
			return err
		}
		places[i].entry = e
		if places[i].Place, err = summary.PlaceOf(text); err != nil {
			return err
		}
	}
	slices.SortFunc(places, func(a, b placed) int { return cmp.Or(a.Compare(&b.Place), cmp.Compare(a.entry.at, b.entry.at)) })
	for i := range places {
		j.entries[i] = places[i].entry
	}
	return nil
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	return errors.Join(j.save(), j.file.Close())
}

// sync saves the last lines, and waits until the disk has them: they survive a power cut.
func (j *journal) sync() error { return cmp.Or(j.save(), j.file.Sync()) }
