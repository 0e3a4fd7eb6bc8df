package sitemap

import "bytes"

// tagEnd returns the offset, from the window's start, of the '>' that ends the
// tag there. It is -1 if the file or the window ends first. A '>' inside a
// quoted attribute value does not count. Well-formed XML has no '<' in a value,
// so a value with a '>' and a '<' after it counts as an open quote.
func (s *Scanner) tagEnd() int {
	at := 1
	for {
		win := s.buf[s.r+at : s.w]
		i := bytes.IndexByte(win, '>')
		if i < 0 {
			if !s.fill() {
				return -1
			}
			continue
		}
		q := bytes.IndexByte(win[:i], '"')
		if p := bytes.IndexByte(win[:i], '\''); p >= 0 && (q < 0 || p < q) {
			q = p
		}
		if q < 0 {
			return at + i
		}
		j := bytes.IndexByte(win[q+1:], win[q])
		if j < 0 {
			if s.fill() {
				continue
			}
			s.Notes.Count(NoteMalformedXML, "a quote left open")
			return at + i
		}
		if value := win[q+1 : q+1+j]; j > i {
			if g := bytes.IndexByte(value, '>'); g >= 0 && bytes.IndexByte(value[g:], '<') >= 0 {
				s.Notes.Count(NoteMalformedXML, "a quote left open")
				return at + q + 1 + g
			}
		}
		at += q + j + 2
	}
}

// skipTag skips a start tag of any length and reports whether its element is
// empty; ok is false at the end of the file.
func (s *Scanner) skipTag() (empty, ok bool) {
	var quote, last byte
	for {
		for i, c := range s.buf[s.r:s.w] {
			switch {
			case c == quote:
				quote = 0
			case quote != 0:
			case c == '"' || c == '\'':
				quote = c
			case c == '>':
				s.r += i + 1
				return last == '/', true
			}
			last = c
		}
		s.r = s.w
		if !s.fill() {
			return false, false
		}
	}
}

// split splits the inside of a tag: prefix and local part of the name, and the
// rest.
func split(raw []byte) (prefix, local, attrs []byte) {
	colon, end := -1, len(raw)
	for i, c := range raw {
		if c <= ' ' || c == '/' {
			end = i
			break
		}
		if c == ':' && colon < 0 {
			colon = i
		}
	}
	local, attrs = raw[:end], raw[end:]
	if colon > 0 && colon < end-1 {
		prefix, local = raw[:colon], raw[colon+1:end]
	}
	return prefix, local, attrs
}

// skipPast skips markup of any length: n bytes, then all up to and including
// the mark that ends it.
func (s *Scanner) skipPast(n int, mark string) bool {
	if s.need(n) {
		s.r += n
		for {
			if i := bytes.Index(s.buf[s.r:s.w], []byte(mark)); i >= 0 {
				s.r += i + len(mark)
				return true
			}
			s.r = max(s.r, s.w-len(mark)+1)
			if !s.fill() {
				break
			}
		}
	}
	s.r = s.w
	s.Broken = "ends inside a comment or instruction"
	return s.end("")
}
