package reports

import (
	"errors"
	"fmt"
	"os"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// firstRecord reads the site with which a file of records begins; nil = it begins with something else.
func firstRecord(name string) (*audit.Site, error) {
	for rec, err := range readRecords(name) {
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
	Records  int64     // bytes; 0 = the report could not be written
	Why      string    // in words, the site is unknown; "" where only the first keys were read
	Finished time.Time // the audit; likewise zero
}

// afterRecords is what follows the keys of a line that a recordLine needs first.
const afterRecords = `,"workbook":`

// recordLines reads the journal of a run, of each site the last line, by the base of its files.
// Lines that cannot be read are left out, and there may be no journal: records are enough. end
// is where their reading ends: afterRecords, or "" to read all of a line, which takes ten times
// as long.
func recordLines(name, end string) (map[string]*recordLine, error) {
	lines := map[string]*recordLine{}
	j, err := scanJournal(name, os.O_RDONLY, "", func(text []byte) error {
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

// compare holds a file to the line. Records of a later audit are those of a run that was resumed
// and cut off before it could append the site's line.
func (l *recordLine) compare(file string, first *audit.Site) error {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case first.Name != l.Name:
		return otherSite(first.Name)
	case info.Size() != l.Records && !first.Started.After(l.Finished):
		return fmt.Errorf("it is not as it was written: %s, and the journal has %s", wording.Plural(info.Size(), "byte"), wording.Thousands(l.Records))
	}
	return nil
}
