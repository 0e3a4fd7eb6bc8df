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
	return j, j.scan(check)
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
			j.entries = append(j.entries, journalEntry{at: j.before + j.size, length: int32(length)})
		}
		j.size += length
	}
}
