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

// recordLine is what the journal says of the records of a site.
type recordLine struct {
	name    string
	ordinal int
	size    int64 // bytes
	end     time.Time
}

// recordLines reads the journal of a run, of each site with records the last line, by the base of its
// files. Lines that cannot be read are left out, and there may be no journal: records are
// enough.
func recordLines(name string) (map[string]*recordLine, error) {
	j, err := readJournal(name)
	if err != nil {
		return nil, err
	}
	defer j.close()
	lines := map[string]*recordLine{}
	for i := range j.entries {
		l, err := j.read(i)
		if err != nil {
			return nil, err
		}
		if delete(lines, l.Base); l.Records > 0 {
			lines[l.Base] = &recordLine{l.Name, l.Ordinal, l.Records, l.End()}
		}
	}
	return lines, nil
}

// compare holds a file to the line. Records of a later audit are those of a run that was resumed
// and cut off before it could append the site's line.
func (l *recordLine) compare(file string, first *audit.Site) error {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case first.Name != l.name:
		return fmt.Errorf("it holds the records of %.200s", first.Name)
	case info.Size() != l.size && !first.Started.After(l.end):
		return fmt.Errorf("it is not as it was written: %s, and the journal has %s", wording.Plural(info.Size(), "byte"), wording.Thousands(l.size))
	}
	return nil
}
