package sitemap

import (
	"bytes"
	"io"
	"sync"
	"time"

	"robots-audit/crawl/internal/wellformed"
)

// Limits of the scanner. None of them depends on how the bytes arrive.
const (
	windowSize   = 64 << 10 // size of the window on a file, and so of the longest tag read whole
	smallWindow  = 1536     // size of the window until more bytes are known to be available: thousands of files may wait for their servers
	maxRest      = 512      // bytes copied into the small window, so that a read is larger than the buffer of net/http
	maxText      = 64 << 10 // bytes of one URL; a longer one is yielded as "too_long"
	maxBeginning = 2048     // bytes kept of a URL that is too long
	maxLang      = 64       // bytes kept of an hreflang
	noLang       = 255      // instead of the size of an hreflang
	maxPending   = 64 << 10 // bytes of the URLs of one entry that wait for its lastmod
	maxFound     = 1024     // URLs of one entry that wait for its lastmod
	maxNested    = 32       // maximum depth of known elements; deeper ones are skipped
	maxForeign   = 4096     // elements read before the first one of a sitemap
)

// Scanner streams the text of one sitemap and finds its URLs. It keeps only a
// window of the text and the current entry. Its exported fields are results:
// URL after Next returned true, the others after it returned false. They are
// last, since the window is used for every byte.
type Scanner struct {
	src  io.Reader
	buf  []byte // the window
	r, w int    // its unread part is buf[r:w]

	loc *locator // nil = notes get no places

	small []byte // the small window; buf is this one, or one of windows
	more  bool   // the last read filled the window, so more bytes are available

	lines   bool // a text list: one URL per line
	foreign int  // elements outside of any sitemap so far

	stack   [maxNested]name // open elements
	entry   [maxNested]bool // which of them are entries
	depth   int             // how many there are
	tooDeep int             // how many more are open beyond maxNested

	field    field  // the field of the current character data
	level    int    // depth of its element
	start    int    // where it begins in text
	tooLong  bool   // longer than maxText: text has its beginning
	oddities oddity // oddities found in it
	cr       bool   // its last byte was a carriage return

	text      []byte  // URLs of the current entry, one after the other
	found     []found // their positions in text
	lastmod   []byte  // of the current entry
	dates     dates   // the lastmods of all entries
	tomorrow  string  // a day after now, as a W3C date
	news      news    // counts of Google's extensions
	delivered int     // how many of found were yielded
	ready     bool    // the entry is complete: yield what was found
	first     bool    // nothing of the entry was yielded yet

	entryHas     fieldSet // fields of the current entry; fieldNone: a loc without a URL
	extensionHas fieldSet // fields of the current news, video or image

	entities []string // entities that the document type declares
	links    linkForm // of the last link with hreflang

	own          prefix   // the prefix of the root
	image, video prefix   // prefixes that the root binds to the image and video namespaces
	misbound     []string // prefixes of extensions that the root binds to other namespaces, with these: "image=…"

	strict *wellformed.Checker // finds where a strict parser stops
	seen   int                 // it has read up to buf[seen], which is never less than r

	URL        URL    // the current URL
	Notes      Notes  // notes on the file
	Format     string // "urlset", "index", "text", "rss", "atom"; "" = not recognised
	News       bool   // the root declares the namespace of news
	Root       string // the first element; "" = none
	NotSitemap bool   // an HTML page or something else: reading stopped
	Empty      bool   // the file has no content, or only white space
	Broken     string // how the file breaks off; "" = it does not
	Err        error  // the final error of the source; io.EOF at its end
}

// found is a URL of the current entry.
type found struct {
	from, to int   // it is Scanner.text[from:to]
	lang     int32 // its hreflang begins here, before from
	langSize uint8 // noLang = it has none
	field    field
	tooLong  bool
	at       int32 // its place in locator.kept
}

// now is the clock; tests replace it.
var now = time.Now

var scanners = sync.Pool{New: func() any {
	return &Scanner{small: make([]byte, smallWindow), text: make([]byte, 0, 512), found: make([]found, 0, 4), strict: new(wellformed.Checker)}
}}

// windows are large: a file has one only while its bytes come as fast as they are
// read.
var windows = sync.Pool{New: func() any { return new([windowSize]byte) }}

// NewScanner returns a scanner of src, which must be UTF-8. Call Free when
// done.
func NewScanner(src io.Reader) *Scanner { return newScanner(src, nil) }

func newScanner(src io.Reader, loc *locator) *Scanner {
	s := scanners.Get().(*Scanner)
	s.strict.Reset()
	*s = Scanner{src: src, buf: s.small, small: s.small, text: s.text[:0], found: s.found[:0], lastmod: s.lastmod[:0], dates: dates{first: s.dates.first[:0]}, strict: s.strict, loc: loc}
	s.news.oldest = now().Add(-newsAge)
	s.tomorrow = now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	s.begin()
	return s
}

// Free returns the scanner's buffers. Its results are then invalid.
func (s *Scanner) Free() {
	s.src, s.loc, s.Notes, s.URL = nil, nil, nil, URL{}
	if len(s.buf) == windowSize {
		windows.Put((*[windowSize]byte)(s.buf))
	}
	s.buf = nil
	scanners.Put(s)
}

// Next reads the next URL into s.URL. It returns false at the end of the file;
// s.Broken and s.Err then say how it ended.
func (s *Scanner) Next() bool {
	for {
		if s.ready && s.nextFound() {
			return true
		}
		if s.NotSitemap || !s.read() {
			if len(s.found) > 0 && !s.NotSitemap {
				s.ready = true
				continue
			}
			s.Finish()
			return false
		}
	}
}

// read reads until an entry is complete, and returns false at the end.
func (s *Scanner) read() bool {
	if s.lines {
		return s.line()
	}
	for !s.ready && !s.NotSitemap {
		if s.inField() {
			if !s.readText() {
				return s.end("inside an element")
			}
		} else if s.r == s.w || s.buf[s.r] != '<' {
			if !s.skipToMarkup() {
				return s.end("inside an element")
			}
			if s.buf[s.r] != '<' {
				continue // text that may be a misplaced loc
			}
		}
		if s.loc != nil {
			s.mark()
		}
		if !s.markup() {
			return false
		}
	}
	return true
}

// skipToMarkup skips unneeded text. It stops at text that is directly in an
// entry, which then begins a field. It returns false at the end of the file.
func (s *Scanner) skipToMarkup() bool {
	for {
		for s.r < s.w && isSpace(s.buf[s.r]) {
			s.r++
		}
		switch {
		case s.r == s.w:
			if !s.fill() {
				return false
			}
		case s.buf[s.r] == '<':
			return true
		case s.inEntry():
			s.openField(fieldFallback, nil)
			return true
		default:
			if i := bytes.IndexByte(s.buf[s.r:s.w], '<'); i >= 0 {
				s.r += i
				return true
			}
			s.r = s.w
		}
	}
}

// nextFound yields the next URL that was found, and returns false after the last.
func (s *Scanner) nextFound() bool {
	if s.loc != nil {
		s.locateDelivered()
	}
	for s.delivered < len(s.found) && s.found[s.delivered].field >= fieldFallback {
		s.delivered++
	}
	if s.delivered == len(s.found) {
		s.delivered, s.ready = 0, false
		s.found, s.text = s.found[:0], s.text[:0]
		return false
	}
	f := &s.found[s.delivered]
	s.delivered++
	s.URL = URL{Loc: s.text[f.from:f.to:f.to], Kind: fieldKinds[f.field], TooLong: f.tooLong, First: s.first}
	if s.first = false; f.langSize != noLang {
		end := int(f.lang) + int(f.langSize)
		s.URL.Lang = s.text[f.lang:end:end]
	}
	if len(s.lastmod) > 0 && (s.URL.Kind == Page || s.URL.Kind == Child) {
		s.URL.LastMod = s.lastmod
	}
	return true
}

// end ends the reading; where says in which place, if the file is incomplete.
func (s *Scanner) end(where string) bool {
	if s.depth > 0 && s.Broken == "" {
		s.Broken = "ends " + where
	}
	s.field = fieldNone
	return false
}

// fill reads more into the window after its unread part. It returns false if
// there are no more bytes, or no more space.
func (s *Scanner) fill() bool {
	if s.Err != nil {
		return false
	}
	if s.r > 0 {
		s.checkXML()
		if s.loc != nil {
			s.move()
		}
		s.seen = 0
	}
	s.makeRoom()
	if s.w == len(s.buf) {
		return false
	}
	for range 100 {
		var n int
		n, s.Err = s.src.Read(s.buf[s.w:])
		s.w += n
		if n > 0 {
			s.more = s.w == len(s.buf)
			return true
		}
		if s.Err != nil {
			return false
		}
	}
	s.Err = io.ErrNoProgress
	return false
}

// makeRoom moves the unread part to the beginning of a window. It uses the small one
// if the next bytes may be delayed, and a large one if they are available.
func (s *Scanner) makeRoom() {
	from, rest := s.buf, s.buf[s.r:s.w]
	switch large := len(from) == windowSize; {
	case s.more && !large:
		s.buf = windows.Get().(*[windowSize]byte)[:]
		copy(s.buf, rest)
	case !s.more && large && len(rest) <= maxRest:
		s.buf = s.small
		copy(s.buf, rest)
		windows.Put((*[windowSize]byte)(from))
	case s.r > 0:
		copy(s.buf, rest)
	}
	s.r, s.w = 0, len(rest)
}

// need ensures that n bytes of the window are unread; n is at most windowSize.
func (s *Scanner) need(n int) bool {
	for s.w-s.r < n {
		if !s.fill() {
			return false
		}
	}
	return true
}
