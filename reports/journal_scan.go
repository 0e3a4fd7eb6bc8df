package reports

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
)

// scanJournal opens a journal and reads all its lines, the packed ones first. check returns an
// error for an unusable line. flags (os.O_…) are for opening its file. temp is the folder for the
// unpacked lines; "" = they are not read again and get no entries. A missing journal reads as an
// empty one.
func scanJournal(of journalFiles, flags int, temp string, check func(line []byte) error) (_ *journal, err error) {
	j := &journal{disk: of.disk, name: of.lines}
	defer func() {
		if err != nil {
			j.release()
		}
	}()
	// The file of lines first: a run that closes meanwhile removes it after packing its lines.
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

// maxJournalLine bounds a line of the journal. The list of a site's errors makes it a few megabytes
// long at most.
const maxJournalLine = 32 << 20

// scan finds lines, the first at position at, and adds entries for them if they are to be read again.
// Each line has its own checksum, so damage to one does not affect the others. size is the size of the
// complete lines; torn = an incomplete line follows them.
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
		if err == io.EOF { // text after the last line feed is an incomplete line
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
