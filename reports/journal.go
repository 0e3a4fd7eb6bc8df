package reports

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"robots-audit/engine/wording"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// journal is the list of a run's finished sites. It is one line of JSON for each site, appended
// when all files of the site have their final names. A site is finished if and only if its line is
// complete, so a run can be killed at any moment. When a run is closed, its lines are packed into
// another file (journal_packed.go), and the file of lines is removed. Lines of sites that finish
// later are appended to a new file. A later line of a site replaces an earlier one, so the same
// line in both files does no harm. In memory a site takes only the size of one entry.
type journal struct {
	disk     disk.FS
	name     string        // of the file of lines
	file     *os.File      // nil = there is no file yet
	size     int64         // bytes of file
	unpacked *disk.Unnamed // text of the packed lines; nil = there are none, or they are not read again
	before   int64         // bytes of unpacked, from which the positions of entries count
	entries  []journalEntry
	unsaved  []byte // lines that did not fit on the full disk yet

	missing  bool // the file did not exist
	torn     bool // the last line was incomplete
	damaged  int  // lines that could not be read
	cut      bool // the packed lines could be read only up to some point
	cutAfter int  // number of lines before that point
}

type journalEntry struct {
	at      int64
	length  int32
	dropped bool
}

// journalFiles has the paths of a journal's files.
type journalFiles struct {
	disk   disk.FS
	temp   disk.FS // the folder of temporary files
	lines  string  // while the run goes on
	packed string  // after it is closed
	before string  // where older versions had the packed file; "" = at the same path
}

// journalFile is the file of a run's journal lines, within hidden. The packed file is next to the
// records that it describes, since people who upload a folder often omit hidden ones.
const (
	journalFile = "journal.jsonl"
	packedFile  = "records/journal.zst"
)

// journalIn is the journal of the run in a folder.
func journalIn(of disk.FS, dir string) journalFiles {
	lines := filepath.Join(dir, hidden, journalFile)
	return journalFiles{of, of, lines, filepath.Join(dir, filepath.FromSlash(packedFile)), lines + ".zst"}
}

// newJournal begins a journal, in a file of lines.
func newJournal(of disk.FS, lines string) (*journal, error) {
	f, err := of.Open(lines, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return nil, err
	}
	return &journal{disk: of, name: lines, file: f}, nil
}

// openJournal opens a journal for appending; temp is the folder of temporary files. Lines that
// cannot be read are skipped and counted.
func openJournal(of journalFiles, temp string) (*journal, error) {
	j, err := scanJournal(of, os.O_RDWR|os.O_CREATE, temp, isLine)
	if err != nil {
		return nil, err
	}
	if err := j.file.Truncate(j.size); err != nil { // a line cut off by a kill would spoil the next one
		j.release()
		return nil, err
	}
	return j, nil
}

// readJournal opens a journal only for reading. A missing journal reads as an empty one.
func readJournal(of journalFiles, temp string) (*journal, error) {
	return scanJournal(of, os.O_RDONLY, temp, isLine)
}

// isLine returns an error if a text is not an unchanged line of the journal.
func isLine(text []byte) error { return decodeLine(text, &summary.Line{}) }

// isHead is isLine without the summary, for a reader that decodes each line anyway.
func isHead(text []byte) error {
	line := &summary.Line{}
	return cmp.Or(unsealPart(text, afterHead, line), checkLine(line))
}

// unread names the unreadable part of the journal, as "2 lines and all lines after line 7"; "" = none.
func (j *journal) unread() string {
	var parts []string
	if j.damaged > 0 {
		parts = append(parts, wording.Plural(j.damaged, "line"))
	}
	if j.cut {
		parts = append(parts, "all lines after line "+wording.Thousands(j.cutAfter))
	}
	return strings.Join(parts, " and ")
}

// maxUnsaved bounds the lines that wait in memory for space on the disk.
const maxUnsaved = 4 << 20

// sealedLine is a line as the journal has it, with its line feed.
func sealedLine(line *summary.Line) ([]byte, error) {
	text, err := line.JSON()
	if err != nil {
		return nil, err
	}
	return append(seal(text, false), '\n'), nil
}

// append appends a sealed line. A full disk is not an error yet: the lines wait, and are written
// with the next line or at the end.
func (j *journal) append(text []byte) error {
	j.entries = append(j.entries, journalEntry{at: j.before + j.size + int64(len(j.unsaved)), length: int32(len(text))})
	j.unsaved = append(j.unsaved, text...)
	if err := j.save(); err != nil && (len(j.unsaved) > maxUnsaved || writeCode(err) != site.CodeDiskFull) {
		return err
	}
	return nil
}

// save writes the waiting lines. A line that was written in part is written again.
func (j *journal) save() error {
	if len(j.unsaved) == 0 {
		return nil
	}
	if j.file == nil {
		f, err := j.disk.Open(j.name, os.O_RDWR|os.O_CREATE)
		if err != nil {
			return err
		}
		j.file = f
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

// readHead reads the line of an entry without its summary, which is most of it. The journal's reader has checked
// the whole line.
func (j *journal) readHead(e journalEntry) (*summary.Line, error) {
	text, err := j.text(e, nil)
	if err != nil {
		return nil, err
	}
	line := &summary.Line{}
	return line, unsealPart(text, afterHead, line)
}

// text reads the line of an entry as it is in the file; buf is reused.
func (j *journal) text(e journalEntry, buf []byte) ([]byte, error) {
	buf = slices.Grow(buf[:0], int(e.length))[:e.length]
	var err error
	switch at := e.at - j.before; {
	case at < 0:
		_, err = j.unpacked.ReadAt(buf, e.at)
	case at < j.size:
		_, err = j.file.ReadAt(buf, at)
	default:
		copy(buf, j.unsaved[at-j.size:])
	}
	return buf, err
}

// compact removes the dropped entries: their sites are audited again.
func (j *journal) compact() {
	j.entries = slices.DeleteFunc(j.entries, func(e journalEntry) bool { return e.dropped })
}

// order sorts the entries as in summaries. It reads the sort keys from the lines and does not keep
// them, so that a site in memory stays the size of its entry.
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

// close saves the waiting lines and closes the files.
func (j *journal) close() error { return errors.Join(j.save(), j.release()) }

// release closes the files.
func (j *journal) release() error {
	var errs [2]error
	if j.file != nil {
		errs[0] = j.file.Close()
	}
	if j.unpacked != nil {
		errs[1] = j.unpacked.Close()
	}
	return errors.Join(errs[:]...)
}
