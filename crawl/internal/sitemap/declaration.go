package sitemap

import (
	"bytes"
	"strings"

	"robots-audit/crawl/internal/wellformed"
)

// declaration reads markup that begins with "<!".
func (s *Scanner) declaration() bool {
	if s.need(4) && string(s.buf[s.r:s.r+4]) == "<!--" {
		return s.skipPast(4, "-->")
	}
	if s.need(9) && string(s.buf[s.r:s.r+9]) == "<![CDATA[" {
		return s.cdata()
	}
	if s.need(14) && strings.EqualFold(string(s.buf[s.r+2:s.r+14]), "doctype html") && s.Format == "" {
		s.NotSitemap = true
		return true
	}
	return s.doctype()
}

// cdata reads a CDATA section: character data without references.
func (s *Scanner) cdata() bool {
	if s.inEntry() {
		s.openField(fieldFallback, nil)
	}
	s.r += 9
	wanted := s.inField()
	for {
		win := s.buf[s.r:s.w]
		i := bytes.Index(win, []byte("]]>"))
		keep := min(2, len(win)) // brackets that may belong to the end
		part := win[:len(win)-keep]
		if i >= 0 {
			part = win[:i]
		}
		if wanted {
			s.appendLiteral(part)
		}
		if i >= 0 {
			s.r += i + 3
			return true
		}
		s.r = s.w - keep
		if !s.fill() {
			s.r = s.w
			s.Broken = "ends inside a CDATA section"
			return s.end("")
		}
	}
}

// maxDoctype limits how much of a document type is searched for entities.
const maxDoctype = 8 << 10

// doctype skips a document type with all its declarations; none is applied. It
// counts brackets and quotes, but not those in comments.
func (s *Scanner) doctype() bool {
	s.need(maxDoctype)
	s.entities = wellformed.Entities(s.buf[s.r:min(s.w, s.r+maxDoctype)])
	s.r += 2
	var quote byte
	depth := 0
	for {
		if !s.need(1) {
			s.Broken = "ends inside a document type"
			return s.end("")
		}
		c := s.buf[s.r]
		switch {
		case c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		case c == '<':
			if s.need(4) && string(s.buf[s.r:s.r+4]) == "<!--" {
				if !s.skipPast(4, "-->") {
					return false
				}
				continue
			}
			depth++
		case c == '>':
			if depth == 0 {
				s.r++
				return true
			}
			depth--
		}
		s.r++
	}
}
