package crawl

import (
	"bytes"
	"io"
	"sync"

	"robots-audit/crawl/internal/wellformed"
)

// Bounds of the scanner. None of them depends on how the bytes arrive.
const (
	windowSize   = 64 << 10 // bytes of a file held at a time, and so the longest tag read whole
	maxText      = 64 << 10 // bytes of one URL; a longer one is handed out as "too_long"
	maxBeginning = 2048     // bytes kept of a URL that is too long
	maxPending   = 64 << 10 // bytes of the URLs of one entry that wait for its lastmod
	maxFound     = 1024     // URLs of one entry that wait for its lastmod
	maxNested    = 32       // nested elements told apart; deeper ones are passed over
	maxForeign   = 4096     // elements read without meeting one that a sitemap begins with
)

// scanner reads the URLs out of one sitemap as it streams by. It holds a
// window of the file and the entry at hand, never more, and allocates nothing
// for a URL.
//
// It is no XML parser: encoding/xml gives up at the first raw ampersand or
// stray byte, which would lose the rest of the file, and costs a site of a
// million URLs several seconds. The scanner knows tags, character data and the
// handful of names in scanner_names.go; elements are told by local name and
// parent, so prefixes and namespaces may be what they like. Where the file is
// well-formed, it reads what an XML parser reads (FuzzScanner holds it to
// that); where it is not, it goes on with the next thing that makes sense and
// counts what it met in notes, and where a strict parser would have stopped
// (scanner_strict.go). Entities are never expanded nor fetched.
type scanner struct {
	src  io.Reader
	buf  []byte // the window
	r, w int    // its unread part is buf[r:w]
	err  error  // what src ended with

	lines   bool   // a text list: one URL a line
	format  string // SitemapFile.Format
	foreign int    // elements outside of any sitemap so far
	alien   bool   // an HTML page or something else: reading stopped
	broken  string // how the file breaks off, "" = it does not

	stack [maxNested]name // elements open
	entry [maxNested]bool // of them, which are entries
	depth int             // how many there are
	over  int             // how many more are open beyond maxNested

	field field  // what the character data being read is for
	level int    // depth of the element it stands in
	start int    // where it begins in text
	cut   bool   // longer than maxText: text holds its beginning
	odd   oddity // what was met in it
	cr    bool   // its last byte was a carriage return

	text    []byte  // URLs of the entry at hand, one after the other
	found   []found // where each of them lies
	lastmod []byte  // of the entry at hand
	given   int     // of found, how many were handed out
	ready   bool    // the entry is read: hand out what was found

	has  fieldSet // what the entry at hand has; fieldNone: a loc without a URL
	have fieldSet // what the news, video or image at hand has

	entities []string // that the document type declares

	image, video prefix // prefixes that the root binds to the image and video namespaces
	notes        notes

	strict *wellformed.Checker // finds where a strict parser stops
	seen   int                 // it has read up to buf[seen], which is never behind buf[r]

	empty bool       // the file holds nothing, or only white space
	url   SitemapURL // the URL handed out last
	child bool       // it is a sitemap that an index names
}

// found is a URL of the entry at hand.
type found struct {
	from, to int // its place in scanner.text
	field    field
	cut      bool
}

var scanners = sync.Pool{New: func() any {
	return &scanner{buf: make([]byte, windowSize), text: make([]byte, 0, 4096), found: make([]found, 0, 16), strict: new(wellformed.Checker)}
}}

// newScanner returns a scanner of src. Its charset must be UTF-8 already.
// Call free when done.
func newScanner(src io.Reader) *scanner {
	s := scanners.Get().(*scanner)
	s.strict.Reset()
	*s = scanner{src: src, buf: s.buf, text: s.text[:0], found: s.found[:0], lastmod: s.lastmod[:0], strict: s.strict}
	s.begin()
	return s
}

// free gives the scanner's buffers back. What it handed out is void then.
func (s *scanner) free() {
	s.src, s.notes, s.url = nil, notes{}, SitemapURL{}
	scanners.Put(s)
}

// next reads on to the next URL, which then is in s.url. It returns false at
// the end of the file; s.broken and s.err then tell how it ended.
func (s *scanner) next() bool {
	for {
		if s.ready && s.hand() {
			return true
		}
		if s.alien || !s.read() {
			if len(s.found) > 0 && !s.alien {
				s.ready = true
				continue
			}
			s.wellFormed()
			return false
		}
	}
}

// read goes on until an entry is ready, and returns false at the end.
func (s *scanner) read() bool {
	if s.lines {
		return s.line()
	}
	for !s.ready && !s.alien {
		if s.wanted() {
			if !s.collect() {
				return s.end("inside an element")
			}
		} else if s.r == s.w || s.buf[s.r] != '<' {
			if !s.toMarkup() {
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

// toMarkup passes over text that nothing is wanted of. It stops at text that
// stands right in an entry, which begins a field then. It returns false at the
// end of the file.
func (s *scanner) toMarkup() bool {
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
		case s.bare():
			s.begins(fieldMeant, nil)
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

// hand hands out the next URL that was found, and returns false when all were.
func (s *scanner) hand() bool {
	for s.given < len(s.found) && s.found[s.given].field >= fieldMeant {
		s.given++
	}
	if s.given == len(s.found) {
		s.given, s.ready = 0, false
		s.found, s.text = s.found[:0], s.text[:0]
		return false
	}
	f := &s.found[s.given]
	s.given++
	s.url = SitemapURL{Loc: s.text[f.from:f.to:f.to], Kind: kinds[f.field]}
	if len(s.lastmod) > 0 && kinds[f.field] == KindLoc {
		s.url.LastMod = s.lastmod
	}
	if f.cut {
		s.url.LeftOut = LeftOutTooLong
	}
	s.child = f.field == fieldChild
	return true
}

// end closes the reading; where says in which place, if the file is not whole.
func (s *scanner) end(where string) bool {
	if s.depth > 0 && s.broken == "" {
		s.broken = "ends " + where
	}
	s.field = fieldNone
	return false
}

// fill reads more into the window behind its unread part. It returns false
// when there is no more, or no more room.
func (s *scanner) fill() bool {
	if s.err != nil {
		return false
	}
	if s.r > 0 {
		s.inspectXML()
		s.seen = 0
		copy(s.buf, s.buf[s.r:s.w])
		s.r, s.w = 0, s.w-s.r
	}
	if s.w == len(s.buf) {
		return false
	}
	for range 100 {
		var n int
		n, s.err = s.src.Read(s.buf[s.w:])
		s.w += n
		if n > 0 {
			return true
		}
		if s.err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// need makes sure that n bytes of the window are unread, n at most windowSize.
func (s *scanner) need(n int) bool {
	for s.w-s.r < n {
		if !s.fill() {
			return false
		}
	}
	return true
}
