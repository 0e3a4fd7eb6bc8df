package sitemap

import (
	"bytes"

	"robots-audit/crawl/internal/wellformed"
)

// leaf reads a whole element, from its start tag, which must be just <name>, to
// its end tag. The element must contain only text and be completely in the
// window, like most elements of a sitemap. Others are read tag by tag, with the
// same result.
func (s *Scanner) leaf(nm name, raw []byte, colon int) bool {
	if s.Format == "" || s.depth == maxNested || roles[nm].group {
		return false
	}
	n := len(raw)
	text := s.buf[s.r+n+2 : s.w]
	i := bytes.IndexByte(text, '<')
	if i < 0 {
		return false
	}
	text, end := text[:i], text[i:]
	if len(end) < n+3 || end[1] != '/' || end[n+2] != '>' || string(end[2:n+2]) != string(raw) {
		return false
	}
	f := fields[s.top()][nm]
	if f != fieldNone && colon > 0 {
		f = s.fieldOf(s.top(), nm, raw[:colon])
	}
	hint := f >= fieldChangeFreq && s.field == fieldNone && isHint(f, text) // no need to read it
	usual := hint || plain(text)
	switch {
	case hint:
	case f == fieldHreflang || f == fieldHref:
		return false
	case f != fieldNone:
		s.openField(f, nil)
		if usual {
			s.cr = false
			s.text = append(s.text, text...)
			s.bound()
		} else {
			s.appendText(text, true)
		}
		s.closeField()
	}
	size := 2*n + 5 + i
	if (usual || wellformed.Usual(text)) && s.strictReady() && s.wellFormedName(nm, raw, colon) {
		s.strict.Element(size)
		s.seen = s.r + size
	}
	s.r += size
	return true
}

// wellFormedName reports whether a name is valid in XML, and its prefix is
// declared.
func (s *Scanner) wellFormedName(nm name, raw []byte, colon int) bool {
	return nm != nameOther && (colon < 0 || s.strict.Bound(raw[:colon])) || s.strict.Name(raw)
}

// bareName returns the name at the beginning of a tag and its size. colon is
// the index of the colon after its prefix, -1 if there is none. The size is -1
// if the tag contains anything else, or may do so.
func bareName(b []byte) (nm name, size, colon int) {
	if len(b) >= 11 { // the most frequent ones, each with one comparison
		switch {
		case string(b[:4]) == "loc>":
			return nameLoc, 3, -1
		case string(b[:4]) == "url>":
			return nameURL, 3, -1
		case string(b[:8]) == "lastmod>":
			return nameLastMod, 7, -1
		case string(b[:9]) == "priority>":
			return namePriority, 8, -1
		case string(b[:11]) == "changefreq>":
			return nameChangeFreq, 10, -1
		}
	}
	colon = -1
	for i, c := range b {
		if c > '>' {
			continue
		}
		if c == '>' && colon < i-1 {
			return known(b[colon+1 : i]), i, colon
		}
		if c != ':' || colon >= 0 || i == 0 {
			break
		}
		colon = i
	}
	return nameOther, -1, -1
}
