package job

import (
	"bytes"
	"encoding/gob"
	"iter"
	"os"
	"slices"
	"sync"

	"robots-audit/audit"
	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/pairs"
)

// facts are what the history will hold of the sites of a run. They are collected while the
// audit writes its records, or, of sites that another start has audited, while they are
// compared: to read the records again would cost more than all of the rest. They wait in a
// temporary file until the transaction: of some thousand sites they are large.
type facts struct {
	mu     sync.Mutex // sites are audited side by side
	file   *os.File
	out    bytes.Buffer // not in the file yet
	size   int64        // of the file
	err    error        // of writing it: what is not in it is lost
	to     *gob.Encoder
	in     bytes.Reader
	from   *gob.Decoder
	bySite map[string]*fact // those that the audit has seen
}

// place is where a value is in the file.
type place struct {
	at     int64
	length int // 0 = there is nothing
}

// fact is a site whose records have been seen, as far as it is in memory.
type fact struct {
	place
	answered bool // its audit has come to its end, and its robots.txt was answered, be it with 404
	past     bool // the record that opens it has a past
	notes    bool // with owner notes
}

// storedFact is one value in the file: of a site, or of its comparison. gob does not tell an empty
// slice from nil.
type storedFact struct {
	Entry history.Entry
	Body  bool                     // Entry.Site.Body is not nil
	Notes map[audit.NoteKey]string // of the past in the record that opens the site
}

// maxUnwritten bounds the bytes that are not in the file yet.
const maxUnwritten = 64 << 10

// newFacts makes the file. It has no name once it is open, where the system lets that be.
func newFacts(dir string) (*facts, error) {
	file, err := os.CreateTemp(dir, ".facts-*")
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name())
	f := &facts{file: file, bySite: map[string]*fact{}}
	f.to, f.from = gob.NewEncoder(&f.out), gob.NewDecoder(&f.in)
	// gob writes the types before the first value. After it, values can be read in any order.
	if err := f.to.Encode(storedFact{}); err != nil {
		return nil, err
	}
	f.in.Reset(f.out.Bytes())
	err = f.from.Decode(&storedFact{})
	f.out.Reset()
	return f, err
}

// add writes a value to the file, or to what waits for it.
func (f *facts) add(k storedFact) (place, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return place{}, f.err
	}
	k.Body = k.Entry.Site.Body != nil
	before := f.out.Len()
	if f.err = f.to.Encode(k); f.err != nil {
		return place{}, f.err
	}
	p := place{f.size + int64(before), f.out.Len() - before}
	if f.out.Len() < maxUnwritten {
		return p, nil
	}
	return p, f.flush()
}

// flush writes what is not in the file yet.
func (f *facts) flush() error {
	if f.err == nil {
		var n int
		n, f.err = f.file.WriteAt(f.out.Bytes(), f.size)
		f.size += int64(n)
		if f.out.Reset(); f.out.Cap() > 2*maxUnwritten { // a large robots.txt went through
			f.out = bytes.Buffer{}
		}
	}
	return f.err
}

// read returns the value at a place.
func (f *facts) read(p place) (k storedFact, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p.at+int64(p.length) > f.size {
		if err := f.flush(); err != nil {
			return k, err
		}
	}
	text := make([]byte, p.length)
	if _, err := f.file.ReadAt(text, p.at); err != nil {
		return k, err
	}
	f.in.Reset(text)
	err = f.from.Decode(&k)
	if k.Body && k.Entry.Site.Body == nil {
		k.Entry.Site.Body = []byte{}
	}
	return k, err
}

// of returns what the audit has seen of a site; nil = nothing that can be read.
func (f *facts) of(site string) *fact {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.bySite[site]
	if known != nil && f.err != nil && known.at+int64(known.length) > f.size {
		return nil
	}
	return known
}

// entry joins the facts of a site with those of its comparison.
func (f *facts) entry(s *siteResult) (history.Entry, error) {
	of, err := f.read(s.facts)
	if err != nil || s.more.length == 0 {
		return of.Entry, err
	}
	more, err := f.read(s.more)
	more.Entry.Site = of.Entry.Site
	return more.Entry, err
}

// close removes the file.
func (f *facts) close() {
	f.file.Close()
	os.Remove(f.file.Name()) // where it could not be while it was open
}

// watcher collects facts from the records of a site while they are written or read for another purpose.
type watcher struct {
	facts     *facts
	collector *history.Collector
	site      string
	finished  bool
	past      *audit.Past // of the record that opens the site
}

func (f *facts) watch(site string, important func(url string) bool) *watcher {
	return &watcher{facts: f, collector: history.NewCollector(important), site: site}
}

// Add sees a record.
func (w *watcher) Add(rec audit.Record) {
	switch {
	case rec.Site != nil:
		w.past = rec.Site.Past
	case rec.Done != nil:
		w.finished = !rec.Done.Finished.IsZero()
	}
	w.collector.Add(rec)
}

// Kept keeps what was collected. Where that cannot be, the records are read again.
func (w *watcher) Kept() {
	known, err := w.keep()
	w.facts.mu.Lock()
	defer w.facts.mu.Unlock()
	if err != nil {
		known = nil
	}
	w.facts.bySite[w.site] = known
}

// keep keeps what was collected: an error where the records were not those of a whole audit.
func (w *watcher) keep() (*fact, error) {
	k := storedFact{}
	var err error
	if k.Entry.Site, err = w.collector.Site(); err != nil {
		return nil, err
	}
	answer := k.Entry.Site.Answer
	of := &fact{answered: w.finished && answer != history.AnswerNotAsked && !slices.Contains(unreachable, answer), past: w.past != nil}
	if w.past != nil && len(w.past.Notes) > 0 {
		k.Notes, of.notes = w.past.Notes, true
	}
	of.place, err = w.facts.add(k)
	return of, err
}

// watch makes a watcher that sees the records of the pair's new side while they are compared.
func (e *entering) watch(p *pairs.Pair) *watcher {
	w := e.facts.watch(p.Name, e.Compare.Important)
	p.Watch = func(records iter.Seq2[audit.Record, error]) iter.Seq2[audit.Record, error] {
		return func(yield func(audit.Record, error) bool) {
			for rec, err := range records {
				if err == nil {
					w.Add(rec)
				}
				if !yield(rec, err) {
					return
				}
			}
		}
	}
	return w
}
