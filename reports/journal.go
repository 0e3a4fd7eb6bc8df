package reports

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"

	"robots-audit/audit"
)

// journal is the list of a run's finished sites: one line of JSON each,
// appended when everything of the site is in its place. A site is finished if
// and only if its line is whole, so a run can be killed at any moment. In
// memory a site takes the size of one entry.
type journal struct {
	file    *os.File
	size    int64
	entries []journalEntry
	unsaved []byte // lines that the disk would not take
}

type journalEntry struct {
	at      int64
	ordinal int32
	length  int32
	dropped bool
}

// journalLine is what is kept of a finished site: its entry of summary.json
// and what the other summaries say beyond it.
type journalLine struct {
	Name     string            `json:"name"`
	Base     string            `json:"base"`
	Ordinal  int               `json:"ordinal"`
	Records  int64             `json:"records"`  // bytes of the file; 0: the report could not be written
	Workbook int64             `json:"workbook"` // bytes of the file
	Page     int64             `json:"page"`     // likewise, of the page of HTML
	State    string            `json:"state"`
	Why      string            `json:"why"`
	URLs     int64             `json:"urls"`
	Blocked  []int64           `json:"blocked"` // for each crawler
	Unknown  int64             `json:"unknown"`
	LeftOut  map[string]int64  `json:"left_out,omitempty"`
	Problems int               `json:"problems"`
	Findings *audit.Severities `json:"findings,omitempty"` // nil in runs of before they were counted
	Finished string            `json:"finished"`           // RFC 3339, UTC
	Millis   float64           `json:"millis"`

	Fleet       *siteFleet      `json:"fleet,omitempty"`          // what is compared with other sites
	BlockedURLs int64           `json:"blocked_urls"`             // for at least one crawler
	Differing   int64           `json:"differing_urls,omitempty"` // on which the crawlers' verdicts differ
	Policy      string          `json:"ai_policy,omitempty"`      // what crawlers of AI may fetch, in a line
	Summary     json.RawMessage `json:"summary"`                  // as it stands in summary.json
}

// openJournal opens the journal for appending; fresh empties it. A last line
// that is torn is cut off.
func openJournal(name string, fresh bool) (*journal, error) {
	flags := os.O_RDWR | os.O_CREATE
	if fresh {
		flags |= os.O_TRUNC
	}
	f, err := os.OpenFile(name, flags, 0o644)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f}
	in := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		var head struct {
			Ordinal int    `json:"ordinal"`
			Name    string `json:"name"`
		}
		if json.Unmarshal(line, &head) != nil || head.Name == "" {
			break // torn, and what follows a torn line is not to be trusted
		}
		j.entries = append(j.entries, journalEntry{at: j.size, ordinal: int32(head.Ordinal), length: int32(len(line))})
		j.size += int64(len(line))
	}
	if err := f.Truncate(j.size); err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// maxUnsaved bounds the lines that wait in memory for room on the disk.
const maxUnsaved = 4 << 20

// add appends a line. A disk that is full for the moment is no error yet: the
// lines wait, and are tried again with the next one and at the end.
func (j *journal) add(line *journalLine) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	j.entries = append(j.entries, journalEntry{at: j.size + int64(len(j.unsaved)), ordinal: int32(line.Ordinal), length: int32(len(text))})
	j.unsaved = append(j.unsaved, text...)
	if err := j.save(); err != nil && (len(j.unsaved) > maxUnsaved || diskCode(err) != codeDiskFull) {
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
func (j *journal) read(i int) (*journalLine, error) {
	e := j.entries[i]
	text := make([]byte, e.length)
	if e.at >= j.size {
		copy(text, j.unsaved[e.at-j.size:])
	} else if _, err := j.file.ReadAt(text, e.at); err != nil {
		return nil, err
	}
	line := &journalLine{}
	err := json.Unmarshal(bytes.TrimSpace(text), line)
	return line, err
}

// compact forgets the entries that are dropped: their sites are audited again.
func (j *journal) compact() {
	j.entries = slices.DeleteFunc(j.entries, func(e journalEntry) bool { return e.dropped })
}

// order sorts the entries as the summary has them.
func (j *journal) order() {
	slices.SortFunc(j.entries, func(a, b journalEntry) int {
		return cmp.Or(cmp.Compare(a.ordinal, b.ordinal), cmp.Compare(a.at, b.at))
	})
}

func (j *journal) close() error {
	return errors.Join(j.save(), j.file.Close())
}
