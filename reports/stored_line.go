package reports

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"slices"
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

// Order is the place of each site in the summaries of the run, by its name, from 0 on.
func (s *StoredRun) Order() (map[string]int, error) {
	places := map[string]summary.Place{}
	j, err := scanJournal(journalIn(s.disk, s.Path), os.O_RDONLY, "", func(text []byte) error {
		object, err := sealedObject(bytes.TrimSpace(text))
		if err != nil {
			return err
		}
		if object == nil { // of a run of before there were seals
			object = bytes.Clone(text)
		} else {
			defer disk.PutBuffer(object)
		}
		p, err := summary.PlaceOf(object)
		if err == nil {
			places[p.Name()] = p
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	order := map[string]int{}
	for i, p := range slices.SortedFunc(maps.Values(places), func(p, q summary.Place) int { return p.Compare(&q) }) {
		order[p.Name()] = i
	}
	return order, j.close()
}
