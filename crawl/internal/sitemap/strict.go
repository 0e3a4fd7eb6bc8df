package sitemap

import "io"

// checkXML has the strict reader catch up with the scanner.
func (s *Scanner) checkXML() {
	if s.seen < s.r {
		s.strict.Read(s.buf[s.seen:s.r])
		s.seen = s.r
	}
}

// strictReady has the strict reader catch up, and says whether it can take over the
// markup at hand at once: what most of a sitemap consists of, and is seen to be
// well-formed as the scanner reads it. All else is read twice, once by each.
func (s *Scanner) strictReady() bool {
	return (s.seen == s.r || s.catchUp()) && s.strict.Inside()
}

// catchUp is the rarer half of strictReady.
func (s *Scanner) catchUp() bool {
	if s.strict.Inside() {
		s.seen += s.strict.Blank(s.buf[s.seen:s.r])
	}
	s.checkXML()
	return true
}

// Finish ends the reading, also before the last URL, and notes where a strict
// parser stops. Of what is no sitemap, and of a list of lines, nothing is said;
// of a file whose end did not arrive, only what came before it. Next calls it
// where it returns false.
func (s *Scanner) Finish() {
	if s.lines || s.NotSitemap || s.Format == "" {
		return
	}
	if s.Err == io.EOF { // the rest is in the window
		s.strict.Read(s.buf[s.seen:s.w])
		s.strict.End()
	} else {
		s.checkXML()
	}
	fault, found := s.strict.Fault()
	s.strict.Reset()
	s.strict.GiveUp()
	if found {
		s.Notes = append(s.Notes, Note{Code: NoteNotWellFormed, Count: 1, Detail: fault.Reason, Line: fault.Line, Byte: fault.Byte})
	}
}
