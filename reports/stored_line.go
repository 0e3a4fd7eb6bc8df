package reports

import (
	"errors"
	"os"
	"time"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/summary"
)

// firstRecord reads the site with which a file of records begins; nil = it begins with something else.
func firstRecord(of disk.FS, name string) (*audit.Site, error) {
	for rec, err := range readRecords(of, name) {
		return rec.Site, err
	}
	return nil, errors.New("it is empty")
}

// recordLine is the part of a summary.Line that is needed here: the facts about the records of a
// site.
type recordLine struct {
	Name     string
	Base     string
	Ordinal  int
	Records  int64             // bytes; 0 = the report could not be written
	Sums     map[string]string // nil in runs of older versions
	Logs     *summary.Crawled
	Why      string    // in words, if the site is unknown; "" if only the first keys were read
	Finished time.Time // end of the audit; zero likewise
}

// The text that follows the keys of a journal line that a recordLine needs: only the first keys, which
// reads a million lines in a tenth of the time, or all.
const (
	afterSums     = `,"state":`
	afterFinished = `,"millis":`
	afterHead     = `,"summary":` // all but the summary, which comes last
)

// facts returns what the line says about the file.
func (l *recordLine) facts() fileFacts {
	return fileFacts{l.Records, l.Sums[recordsName(l.Base)], l.Finished}
}

// recordLines reads the last line of each site from the journal of a run, by the base of its files.
// It skips unreadable lines, and the journal may be missing: records are enough. end is where the
// reading of a line ends: afterSums or afterFinished.
func recordLines(of journalFiles, end string) (map[string]*recordLine, error) {
	lines := map[string]*recordLine{}
	j, err := scanJournal(of, os.O_RDONLY, "", func(text []byte) error {
		l := &recordLine{}
		if err := unsealPart(text, end, l); err != nil {
			return err
		}
		lines[l.Base] = l
		return nil
	})
	if err != nil {
		return nil, err
	}
	return lines, j.close()
}
