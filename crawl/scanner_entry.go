package crawl

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// bare says whether character data here stands right in an entry of a sitemap,
// where the protocol has none: a loc may be meant.
func (s *scanner) bare() bool {
	if s.field != fieldNone || s.depth == 0 || s.over > 0 || !s.entry[s.depth-1] {
		return false
	}
	nm := s.top()
	return nm == nameURL || nm == nameSitemap
}

// complete ends an entry. Where it has no loc or link, one that is written in
// another place stands in for it; where it has, or there is no such, what was
// kept for that is dropped.
func (s *scanner) complete(nm name) {
	named := s.has&(fieldLoc.set()|fieldChild.set()|fieldHref.set()) != 0
	if s.has&(fieldMeant.set()|fieldGUID.set()) != 0 {
		for i := range s.found {
			f := &s.found[i]
			if f.field < fieldMeant || named {
				continue
			}
			if f.field == fieldMeant {
				s.notes.first(NoteMisplacedLoc, s.text[f.from:f.to])
			}
			if f.field = fieldLoc; nm == nameSitemap {
				f.field = fieldChild
			}
			s.counted(f.field)
			named = true
		}
		s.found = slices.DeleteFunc(s.found, func(f found) bool { return f.field >= fieldMeant })
	}
	if !named && s.has&fieldNone.set() == 0 {
		s.notes.add(NoteMissingLoc, "an entry that names no URL")
	}
}

// demand ends an element of Google's extensions: it notes what is missing.
func (s *scanner) demand(nm name) {
	d := &demands[nm]
	var missing []string
	for _, one := range d.fields {
		if s.have&one.field.set() == 0 {
			missing = append(missing, one.words)
		}
	}
	if missing != nil {
		s.notes.add(d.note, "without "+strings.Join(missing, ", "))
	}
}

// isFalse says whether an attribute is there and "false".
func isFalse(attrs []byte, name string) bool {
	for len(attrs) > 0 {
		var key, value []byte
		key, value, attrs, _ = attribute(attrs)
		if string(key) == name {
			return bytes.EqualFold(trim(value), []byte("false"))
		}
	}
	return false
}

// isInvisible says whether r is white space of any kind, or has no width.
func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || 0x200b <= r && r <= 0x200f || r == 0x2060 || r == 0xfeff
}

// checkDate notes a lastmod that is no date. Feeds have dates of other forms.
func (s *scanner) checkDate() {
	if len(s.lastmod) > 0 && (s.format == "urlset" || s.format == "index") && !isDatetime(s.lastmod) {
		s.notes.first(NoteInvalidLastMod, s.lastmod)
	}
}
