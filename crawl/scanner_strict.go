package crawl

import "io"

// inspectXML has the strict reader catch up with the scanner.
func (s *scanner) inspectXML() {
	if s.seen < s.r {
		s.strict.Read(s.buf[s.seen:s.r])
		s.seen = s.r
	}
}

// vouch has the strict reader catch up, and says whether it can take over the
// markup at hand at once: what most of a sitemap consists of, and is seen to be
// well-formed as the scanner reads it. All else is read twice, once by each.
func (s *scanner) vouch() bool {
	return (s.seen == s.r || s.catchUp()) && s.strict.Inside()
}

// catchUp is vouch's rarer half.
func (s *scanner) catchUp() bool {
	if s.strict.Inside() {
		s.seen += s.strict.Blank(s.buf[s.seen:s.r])
	}
	s.inspectXML()
	return true
}

// wellFormed notes where a strict parser stops; the reading is over. Of what is no sitemap, and of a list of lines, nothing is said; of a
// file whose end did not arrive, only what came before.
func (s *scanner) wellFormed() {
	if s.lines || s.alien || s.format == "" {
		return
	}
	if s.err == io.EOF { // the rest is in the window
		s.strict.Read(s.buf[s.seen:s.w])
		s.strict.End()
	} else {
		s.inspectXML()
	}
	fault, found := s.strict.Fault()
	s.strict.Reset()
	s.strict.GiveUp()
	if found {
		s.notes = append(s.notes, Note{Code: NoteNotWellFormed, Count: 1, Detail: fault.Reason, Line: fault.Line, Byte: fault.Byte})
	}
}
