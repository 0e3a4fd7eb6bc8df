package reports

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
)

// scanJournal opens a journal and reads all its lines, the packed ones first. check returns an
// error for a line that cannot be used. flags (os.O_…) are those of its file. temp is the folder
// where the packed lines are kept as they were, "" = nobody reads them again and there are no
// entries of them. Where there is no journal it is as an empty one.
func scanJournal(of journalFiles, flags int, temp string, check func(line []byte) error) (_ *journal, err error) {
	j := &journal{disk: of.disk, name: of.lines}
	defer func() {
		if err != nil {
			j.release()
		}
	}()
	// The file first: a run that is closed meanwhile takes it away when its lines are packed.
	f, err := of.disk.Open(of.lines, flags)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		j.file = f
	}
	packed, err := of.disk.Open(of.packed, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) && of.before != "" {
		packed, err = of.disk.Open(of.before, os.O_RDONLY)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		j.missing = j.file == nil
	case err != nil:
		return nil, err
	default:
		err = j.scanPacked(packed, of.temp, temp, check)
		packed.Close()
		if err != nil {
			return nil, err
		}
	}
	if j.file == nil {
		return j, nil
	}
	j.size, j.torn, err = j.scan(j.file, j.before, true, check)
	return j, err
}

// maxJournalLine bounds a line of the journal, which the list of a site's
// errors makes a few megabytes long at most.
const maxJournalLine = 32 << 20

// scan finds lines, the first of which has the place at, and enters them if they are to be read again.
// Each has its checksum, so that damage to one says nothing about the others. size is that of the
// lines; torn says that something follows them, which has no line end.
func (j *journal) scan(from io.Reader, at int64, enter bool, check func(line []byte) error) (size int64, torn bool, err error) {
	in := bufio.NewReaderSize(from, 64<<10)
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
			return size, len(line) > 0, nil
		}
		if err != nil {
			return size, false, err
		}
		if length > maxJournalLine || check(line) != nil {
			j.damaged++
		} else if enter {
			j.entries = append(j.entries, journalEntry{at: at + size, length: int32(length)})
		}
		size += length
	}
}
