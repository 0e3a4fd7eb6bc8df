package sitemap

import (
	"bytes"
	"io"
)

// begin looks at the first window and decides what the file is: XML, a list of
// lines, or not a sitemap.
func (s *Scanner) begin() {
	blank := false // white space before the first relevant byte
	for {
		if !s.need(1) {
			s.Empty = true
			return
		}
		if isSpace(s.buf[s.r]) {
			s.r++
			blank = true
			continue
		}
		if s.need(3) && string(s.buf[s.r:s.r+3]) == byteOrderMark {
			s.r += 3
			continue
		}
		break
	}
	if s.buf[s.r] == '<' {
		if blank && s.need(5) && string(s.buf[s.r:s.r+5]) == "<?xml" {
			s.Notes.Count(NoteBeforeXML, "white space before the XML declaration")
		}
		return
	}
	s.need(windowSize)
	win := s.buf[s.r:s.w]
	for _, tag := range [...]string{"<?xml", "<urlset", "<sitemapindex", "<rss", "<feed"} {
		if i := bytes.Index(win, []byte(tag)); i >= 0 {
			s.Notes.Count(NoteBeforeXML, "text before the first tag")
			s.r += i
			return
		}
	}
	for line := range bytes.FieldsFuncSeq(win, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if IsWeb(bytes.TrimLeft(line, space)) {
			s.lines, s.Format = true, "text"
			return
		}
	}
	s.r, s.Err = s.w, io.EOF
}

// IsWeb reports whether a URL is an absolute http or https one.
func IsWeb(url []byte) bool {
	return len(url) > 8 && (bytes.EqualFold(url[:7], []byte("http://")) || bytes.EqualFold(url[:8], []byte("https://")))
}

// line reads up to the next line of a list that is not empty, and returns false
// at the end. Lines end with LF, CRLF or CR. Comments are not part of the
// format, but occur.
func (s *Scanner) line() bool {
	for more := true; more; {
		if s.loc != nil {
			s.mark()
			s.loc.field = s.loc.markup
		}
		s.field, s.level, s.start, s.tooLong, s.oddities, s.cr = fieldLoc, s.depth, len(s.text), false, 0, false
		if more = s.toLineEnd(); !more && s.Err != io.EOF {
			s.field = fieldNone
			s.text = s.text[:s.start]
			return false
		}
		s.field = fieldNone
		switch line := bytes.TrimLeft(s.text[s.start:], space); {
		case len(line) == 0:
			s.text = s.text[:s.start]
		case line[0] == '#':
			s.Notes.Count(NoteComment, "")
			s.text = s.text[:s.start]
		default:
			s.addURL(fieldLoc, s.start)
			s.locateField()
			s.ready, s.first = true, true
			return true
		}
	}
	return false
}

// toLineEnd reads up to and including the next line end into s.text, and
// returns false at the end of the file.
func (s *Scanner) toLineEnd() bool {
	for {
		win := s.buf[s.r:s.w]
		if i := bytes.IndexAny(win, "\r\n"); i >= 0 {
			s.appendLiteral(win[:i])
			s.r += i + 1
			return true
		}
		s.appendLiteral(win)
		s.r = s.w
		if !s.fill() {
			return false
		}
	}
}
