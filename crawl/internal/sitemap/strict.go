package sitemap

import "io"

// checkXML lets the strict reader catch up with the scanner.
func (s *Scanner) checkXML() {
	if s.seen < s.r {
		s.strict.Read(s.buf[s.seen:s.r])
		s.seen = s.r
	}
}

// strictReady lets the strict reader catch up, and reports whether the scanner may
// report the current markup to it. Most markup is seen to be well-formed while the
// scanner reads it. All other markup is read by both.
func (s *Scanner) strictReady() bool {
	return (s.seen == s.r || s.catchUp()) && s.strict.Inside()
}

// catchUp is the less frequent part of strictReady.
func (s *Scanner) catchUp() bool {
	if s.strict.Inside() {
		s.seen += s.strict.Blank(s.buf[s.seen:s.r])
	}
	s.checkXML()
	return true
}

// Finish ends the reading, even before the last URL, and notes where a strict
// parser stops. It notes nothing for lists of lines and for files that are not
// sitemaps. For an incomplete file, only the part before the break counts.
// Next calls it before it returns false.
func (s *Scanner) Finish() {
	if s.loc != nil {
		s.locate(s.loc.markup)
	}
	s.noteSame()
	s.noteManyNews()
	if s.lines || s.NotSitemap || s.Format == "" {
		return
	}
	if s.Err == io.EOF { // the rest is in the window
		s.strict.Read(s.buf[s.seen:s.w])
		s.strict.End()
	} else {
		s.checkXML()
	}
	if s.loc != nil {
		s.locateFault()
	}
	fault, found := s.strict.Fault()
	s.strict.Reset()
	s.strict.GiveUp()
	if found {
		s.Notes = append(s.Notes, Note{Code: NoteNotWellFormed, Count: 1, Detail: fault.Reason, Line: fault.Line, Byte: fault.Byte})
		if s.loc != nil {
			s.Notes[len(s.Notes)-1].Column = s.loc.fault
		}
	}
	if s.loc != nil {
		s.loc.located = len(s.Notes)
	}
}
