package sitemap

import (
	"bytes"
	"io"
	"sync"

	"robots-audit/crawl/internal/wellformed"
)

// Bounds of the scanner. None of them depends on how the bytes arrive.
const (
	windowSize   = 64 << 10 // bytes of a file held at a time, and so the longest tag read whole
	smallWindow  = 1536     // bytes of the window while no more is known to be at hand: thousands of files may wait for their servers
	maxRest      = 512      // bytes that are carried over into it, so that what is read is more than net/http has in its own buffer
	maxText      = 64 << 10 // bytes of one URL; a longer one is handed out as "too_long"
	maxBeginning = 2048     // bytes kept of a URL that is too long
	maxPending   = 64 << 10 // bytes of the URLs of one entry that wait for its lastmod
	maxFound     = 1024     // URLs of one entry that wait for its lastmod
	maxNested    = 32       // nested elements told apart; deeper ones are passed over
	maxForeign   = 4096     // elements read without meeting one that a sitemap begins with
)

// Scanner reads the URLs out of the text of one sitemap as it streams by. It
// holds a window of the text and the entry at hand, never more. Its exported
// fields are for reading: URL after Next returned true, the others when it has
// returned false. They stand last, since the window is used for every byte.
type Scanner struct {
	src  io.Reader
	buf  []byte // the window
	r, w int    // its unread part is buf[r:w]

	small []byte // the small window; it is buf, or else buf is one of windows
	more  bool   // the last read filled the window, so that more is at hand

	lines   bool // a text list: one URL a line
	foreign int  // elements outside of any sitemap so far

	stack   [maxNested]name // elements open
	entry   [maxNested]bool // of them, which are entries
	depth   int             // how many there are
	tooDeep int             // how many more are open beyond maxNested

	field    field  // what the character data being read is for
	level    int    // depth of the element it stands in
	start    int    // where it begins in text
	tooLong  bool   // longer than maxText: text holds its beginning
	oddities oddity // what was met in it
	cr       bool   // its last byte was a carriage return

	text      []byte  // URLs of the entry at hand, one after the other
	found     []found // where each of them lies
	lastmod   []byte  // of the entry at hand
	delivered int     // of found, how many were handed out
	ready     bool    // the entry is read: hand out what was found

	entryHas     fieldSet // what the entry at hand has; fieldNone: a loc without a URL
	extensionHas fieldSet // what the news, video or image at hand has

	entities []string // that the document type declares

	image, video prefix // prefixes that the root binds to the image and video namespaces

	strict *wellformed.Checker // finds where a strict parser stops
	seen   int                 // it has read up to buf[seen], which is never behind buf[r]

	URL        URL    // the URL handed out last
	Notes      Notes  // what was odd about the file
	Format     string // "urlset", "index", "text", "rss", "atom"; "" = nothing recognised
	NotSitemap bool   // an HTML page or something else: reading stopped
	Empty      bool   // the file holds nothing, or only white space
	Broken     string // how the file breaks off; "" = it does not
	Err        error  // what the source ended with; io.EOF at its end
}

// found is a URL of the entry at hand.
type found struct {
	from, to int // it is Scanner.text[from:to]
	field    field
	tooLong  bool
}

var scanners = sync.Pool{New: func() any {
	return &Scanner{small: make([]byte, smallWindow), text: make([]byte, 0, 512), found: make([]found, 0, 4), strict: new(wellformed.Checker)}
}}

// windows are large: a file has one while its bytes come as fast as they are read.
var windows = sync.Pool{New: func() any { return new([windowSize]byte) }}

// NewScanner returns a scanner of src. It must be UTF-8 already.
// Call Free when done.
func NewScanner(src io.Reader) *Scanner {
	s := scanners.Get().(*Scanner)
	s.strict.Reset()
	*s = Scanner{src: src, buf: s.small, small: s.small, text: s.text[:0], found: s.found[:0], lastmod: s.lastmod[:0], strict: s.strict}
	s.begin()
	return s
}

// Free gives the scanner's buffers back. What it handed out is void then.
func (s *Scanner) Free() {
	s.src, s.Notes, s.URL = nil, nil, URL{}
	if len(s.buf) == windowSize {
		windows.Put((*[windowSize]byte)(s.buf))
	}
	s.buf = nil
	scanners.Put(s)
}

// Next reads on to the next URL, which then is in s.URL. It returns false at
// the end of the file; s.Broken and s.Err then tell how it ended.
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

// read goes on until an entry is ready, and returns false at the end.
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
				continue // text that may be meant for a loc
			}
		}
		if !s.markup() {
			return false
		}
	}
	return true
}

// skipToMarkup passes over text that nothing is wanted of. It stops at text that
// stands right in an entry, which begins a field then. It returns false at the
// end of the file.
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

// nextFound hands out the next URL that was found, and returns false when all were.
func (s *Scanner) nextFound() bool {
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
	s.URL = URL{Loc: s.text[f.from:f.to:f.to], Kind: fieldKinds[f.field], TooLong: f.tooLong}
	if len(s.lastmod) > 0 && (s.URL.Kind == Page || s.URL.Kind == Child) {
		s.URL.LastMod = s.lastmod
	}
	return true
}

// end closes the reading; where says in which place, if the file is not whole.
func (s *Scanner) end(where string) bool {
	if s.depth > 0 && s.Broken == "" {
		s.Broken = "ends " + where
	}
	s.field = fieldNone
	return false
}

// fill reads more into the window behind its unread part. It returns false
// when there is no more, or no more room.
func (s *Scanner) fill() bool {
	if s.Err != nil {
		return false
	}
	if s.r > 0 {
		s.checkXML()
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

// makeRoom puts the unread part at the beginning of a window: of the small one where
// the next bytes may have to be waited for, and of a large one where they are at hand.
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

// need makes sure that n bytes of the window are unread, n at most windowSize.
func (s *Scanner) need(n int) bool {
	for s.w-s.r < n {
		if !s.fill() {
			return false
		}
	}
	return true
}
