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

// facts are the data of a run's sites for the history. They are collected while the audit writes
// its records or, for sites that an earlier start has audited, while these are compared. Reading
// the records again would take longer than everything else. Until the transaction they are in a
// temporary file, since for some thousand sites they are large.
type facts struct {
	mu     sync.Mutex // sites are audited in parallel
	file   *os.File
	out    bytes.Buffer // not yet in the file
	size   int64        // of the file
	err    error        // of writing the file; later values are lost
	to     *gob.Encoder
	in     bytes.Reader
	from   *gob.Decoder
	bySite map[string]*fact // sites that the audit has written
}

// place is the position of a value in the file.
type place struct {
	at     int64
	length int // 0 = no value
}

// fact is the part in memory of the facts of a site.
type fact struct {
	place
	answered bool // its audit is complete, and robots.txt got a response, even 404
	past     bool // its first record has a past
	notes    bool // it has owner notes
}

// storedFact is one value in the file, of a site or its comparison. gob does not distinguish empty
// slices from nil.
type storedFact struct {
	Entry history.Entry
	Body  bool                     // Entry.Site.Body is not nil
	Notes map[audit.NoteKey]string // of the past in the site's first record
}

// maxUnwritten limits the bytes that are not yet in the file.
const maxUnwritten = 64 << 10

// newFacts creates the file, and removes its name at once if the system allows that.
func newFacts(dir string) (*facts, error) {
	file, err := os.CreateTemp(dir, ".facts-*")
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name())
	f := &facts{file: file, bySite: map[string]*fact{}}
	f.to, f.from = gob.NewEncoder(&f.out), gob.NewDecoder(&f.in)
	// gob writes the types before the first value, so that later values can be read in any order.
	if err := f.to.Encode(storedFact{}); err != nil {
		return nil, err
	}
	f.in.Reset(f.out.Bytes())
	err = f.from.Decode(&storedFact{})
	f.out.Reset()
	return f, err
}

// add writes a value to the file, or to its buffer.
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

// flush writes the buffer to the file.
func (f *facts) flush() error {
	if f.err == nil {
		var n int
		n, f.err = f.file.WriteAt(f.out.Bytes(), f.size)
		f.size += int64(n)
		if f.out.Reset(); f.out.Cap() > 2*maxUnwritten { // a large robots.txt has made it grow
			f.out = bytes.Buffer{}
		}
	}
	return f.err
}

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

// of returns the facts that the audit has collected of a site; nil = none, or unreadable.
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

func (f *facts) close() {
	f.file.Close()
	os.Remove(f.file.Name()) // needed if the system could not remove it while open
}

// watcher collects facts from the records of a site while they are written, or read for another
// purpose.
type watcher struct {
	facts     *facts
	collector *history.Collector
	site      string
	finished  bool
	past      *audit.Past // of the site's first record
}

func (f *facts) watch(site string, important func(url string) bool) *watcher {
	return &watcher{facts: f, collector: history.NewCollector(important), site: site}
}

// Add processes a record.
func (w *watcher) Add(rec audit.Record) {
	switch {
	case rec.Site != nil:
		w.past = rec.Site.Past
	case rec.Done != nil:
		w.finished = !rec.Done.Finished.IsZero()
	}
	w.collector.Add(rec)
}

// Kept stores the facts. If that fails, the records will be read again.
func (w *watcher) Kept() {
	known, err := w.keep()
	w.facts.mu.Lock()
	defer w.facts.mu.Unlock()
	if err != nil {
		known = nil
	}
	w.facts.bySite[w.site] = known
}

// keep stores the facts; it fails if the records were not those of a complete audit.
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

// watch adds a watcher to the new side of a pair, for the time of the comparison.
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
