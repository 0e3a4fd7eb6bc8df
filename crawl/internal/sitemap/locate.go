package sitemap

import (
	"bytes"
	"io"
)

// place is a position in the text: byte, line and column in bytes, each counted from 1.
type place struct{ byte, line, column int64 }

// locator finds the places of notes. Only a scanner of NewLocatingScanner has one, since it counts the
// lines of the text. Carriage returns end lines in a text without line feeds so far.
type locator struct {
	base    int64 // offset in the text of the window's first byte
	counted int   // the window is counted up to here
	lf, cr  int64 // line ends so far
	start   int64 // offset of the current line
	first   int64 // offset of the line of the window's first byte

	markup, entry, extension, field, url place   // the current ones
	kept                                 []place // of the found URLs
	fault                                int64   // column where a strict parser stops; 0 = not yet

	located int // notes that have a place, or need none
}

// NewLocatingScanner is NewScanner for a scanner whose notes have the place of their first case.
func NewLocatingScanner(src io.Reader) *Scanner {
	start := place{1, 1, 1}
	return newScanner(src, &locator{markup: start, entry: start, extension: start, field: start, url: start})
}

// here is the place of the window's unread part.
func (s *Scanner) here() place {
	l := s.loc
	part := s.buf[l.counted:s.r]
	n := int64(bytes.Count(part, []byte("\n")))
	if l.lf += n; n > 0 {
		l.start = l.base + int64(l.counted+bytes.LastIndexByte(part, '\n')+1)
	} else if l.lf == 0 {
		if n := int64(bytes.Count(part, []byte("\r"))); n > 0 {
			l.cr += n
			l.start = l.base + int64(l.counted+bytes.LastIndexByte(part, '\r')+1)
		}
	}
	l.counted = s.r
	at, line := l.base+int64(s.r), 1+l.lf
	if l.lf == 0 {
		line += l.cr
	}
	return place{at + 1, line, at - l.start + 1}
}

// move prepares for a window that begins with its unread part.
func (s *Scanner) move() {
	s.locateFault()
	s.here()
	s.loc.base += int64(s.r)
	s.loc.counted, s.loc.first = 0, s.loc.start
}

// locateFault finds the column where a strict parser stops, as long as its line is in the window.
func (s *Scanner) locateFault() {
	l := s.loc
	fault, found := s.strict.Fault()
	if !found || l.fault > 0 {
		return
	}
	at := fault.Byte - 1
	before := s.buf[:min(max(at-l.base, 0), int64(s.w))]
	if i := bytes.LastIndexAny(before, "\r\n"); i >= 0 {
		l.fault = at - l.base - int64(i)
	} else {
		l.fault = at - l.first + 1
	}
}

// mark begins markup, or a line of a text list.
func (s *Scanner) mark() {
	s.locateFault()
	s.locate(s.loc.markup)
	s.loc.markup = s.here()
}

// keep keeps the place of the last URL that was found.
func (s *Scanner) keep() {
	if len(s.found) == 1 {
		s.loc.kept = s.loc.kept[:0]
	}
	s.found[len(s.found)-1].at = int32(len(s.loc.kept))
	s.loc.kept = append(s.loc.kept, s.loc.field)
}

// locateDelivered sets the place of the notes on the last URL that was yielded, or of those before the
// first of an entry, and learns the place of the next one.
//
//go:noinline
func (s *Scanner) locateDelivered() {
	if s.delivered == 0 {
		s.locate(s.loc.markup)
	} else {
		s.locate(s.loc.url)
	}
	for i := s.delivered; i < len(s.found); i++ {
		if s.found[i].field < fieldFallback {
			s.loc.url = s.loc.kept[s.found[i].at]
			break
		}
	}
}

// locateOpened learns the place of a field.
//
//go:noinline
func (s *Scanner) locateOpened() { s.loc.field = s.here() }

// locate sets the place of the notes that are new. Scanners without places must not have it inline.
//
//go:noinline
func (s *Scanner) locate(at place) {
	for ; s.loc.located < len(s.Notes); s.loc.located++ {
		s.Notes[s.loc.located].set(at)
	}
}

// locateField sets the place of the notes on the field that was read.
func (s *Scanner) locateField() {
	if s.loc != nil {
		s.locate(s.loc.field)
	}
}

// LocateURL sets the place of further notes that have none to that of the current URL.
func (s *Scanner) LocateURL(notes Notes) {
	for i := range notes {
		if s.loc != nil && notes[i].Byte == 0 {
			notes[i].set(s.loc.url)
		}
	}
}

// set sets the place of a note.
func (n *Note) set(at place) {
	if n.Byte == 0 {
		n.Byte, n.Line, n.Column = at.byte, at.line, at.column
	}
}
