package job

import (
	"bufio"
	"encoding/gob"
	"io"
	"iter"
	"os"

	"robots-audit/audit"
	"robots-audit/audit/history"
	"robots-audit/cmd/robots-audit/internal/pairs"
)

// facts are what the history is to hold of the sites of a run. They are collected while the
// sites are compared, since reading the records again would cost more than all of the rest,
// and wait in a temporary file until the transaction: of some thousand sites they are large.
type facts struct {
	file *os.File
	w    *bufio.Writer
	to   *gob.Encoder
	from *gob.Decoder // from the first read on
}

// kept is an entry in the file: gob does not tell an empty slice from nil.
type kept struct {
	Entry history.Entry
	Body  bool // Entry.Site.Body is not nil
}

// newFacts makes the file. It has no name once it is open, where the system lets that be.
func newFacts(dir string) (*facts, error) {
	file, err := os.CreateTemp(dir, ".facts-*")
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name())
	f := &facts{file: file, w: bufio.NewWriterSize(file, 1<<16)}
	f.to = gob.NewEncoder(f.w)
	return f, nil
}

// add keeps an entry.
func (f *facts) add(e history.Entry) error {
	return f.to.Encode(kept{e, e.Site.Body != nil})
}

// next returns the entries in the order in which they were added.
func (f *facts) next() (history.Entry, error) {
	if f.from == nil {
		if err := f.w.Flush(); err != nil {
			return history.Entry{}, err
		}
		if _, err := f.file.Seek(0, io.SeekStart); err != nil {
			return history.Entry{}, err
		}
		f.from = gob.NewDecoder(bufio.NewReaderSize(f.file, 1<<16))
	}
	var k kept
	err := f.from.Decode(&k)
	if k.Body && k.Entry.Site.Body == nil {
		k.Entry.Site.Body = []byte{}
	}
	return k.Entry, err
}

// close removes the file.
func (f *facts) close() error {
	err := f.file.Close()
	os.Remove(f.file.Name()) // where it could not be while it was open
	return err
}

// watched is a site whose records are collected while they are compared.
type watched struct {
	collector *history.Collector
	past      *audit.Past // of the record that opens the site
}

// watch collects of the pair's new side.
func (e *entering) watch(p *pairs.Pair) *watched {
	w := &watched{collector: history.NewCollector(e.Compare.Important)}
	p.Watch = func(records iter.Seq2[audit.Record, error]) iter.Seq2[audit.Record, error] {
		return w.collector.Watch(withPast(records, &w.past))
	}
	return w
}

// keep keeps what has been collected of a site, and what its comparison says.
func (e *entering) keep(s *siteResult, w *watched, entry history.Entry) (err error) {
	if entry.Site, err = w.collector.Site(); err != nil {
		return err
	}
	if entry.Notes, err = e.newNotes(s.name, w.past); err != nil {
		return err
	}
	return e.facts.add(entry)
}
