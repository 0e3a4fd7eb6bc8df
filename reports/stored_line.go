package reports

import (
	"errors"
	"os"
	"time"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
)

// firstRecord reads the site with which a file of records begins; nil = it begins with something else.
func firstRecord(of disk.FS, name string) (*audit.Site, error) {
	for rec, err := range readRecords(of, name) {
		return rec.Site, err
	}
	return nil, errors.New("it is empty")
}

// recordLine is what the journal says of the records of a site: of a summary.Line that which is
// needed here.
type recordLine struct {
	Name     string
	Base     string
	Ordinal  int
	Records  int64             // bytes; 0 = the report could not be written
	Sums     map[string]string // nil in runs of before there were any
	Why      string            // in words, the site is unknown; "" where only the first keys were read
	Finished time.Time         // the audit; likewise zero
}

// What follows the keys of a line of the journal that a recordLine needs: the first of them, with which a
// million lines are read in a tenth of the time, and all.
const (
	afterSums     = `,"state":`
	afterFinished = `,"millis":`
)

// facts is what the line says of the file.
func (l *recordLine) facts() fileFacts {
	return fileFacts{l.Records, l.Sums[recordsName(l.Base)], l.Finished}
}

// recordLines reads the journal of a run, of each site the last line, by the base of its files.
// Lines that cannot be read are left out, and there may be no journal: records are enough. end
// is where their reading ends: afterSums or afterFinished.
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
