package sitemap

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// inEntry reports whether character data here is directly in an entry of a
// sitemap. The protocol allows none there: it may be a misplaced loc.
func (s *Scanner) inEntry() bool {
	if s.field != fieldNone || s.depth == 0 || s.tooDeep > 0 || !s.entry[s.depth-1] {
		return false
	}
	nm := s.top()
	return nm == nameURL || nm == nameSitemap
}

// endEntry ends an entry. If it has no loc or link, a URL in another place is
// used instead. Otherwise such URLs are dropped.
func (s *Scanner) endEntry(nm name) {
	named := s.entryHas&(fieldLoc.set()|fieldChild.set()|fieldHref.set()) != 0
	if s.entryHas&(fieldFallback.set()|fieldGUID.set()) != 0 {
		for i := range s.found {
			f := &s.found[i]
			if f.field < fieldFallback || named {
				continue
			}
			if f.field == fieldFallback {
				s.Notes.CountURL(NoteMisplacedLoc, s.text[f.from:f.to])
			}
			if f.field = fieldLoc; nm == nameSitemap {
				f.field = fieldChild
			}
			s.learnFormat(f.field)
			named = true
		}
		s.found = slices.DeleteFunc(s.found, func(f found) bool { return f.field >= fieldFallback })
	}
	if !named && s.entryHas&fieldNone.set() == 0 {
		s.Notes.Count(NoteMissingLoc, "an entry that names no URL")
	}
}

// noteMissing ends an element of Google's extensions: it notes missing fields.
func (s *Scanner) noteMissing(nm name) {
	d := &requirements[nm]
	var missing []string
	for _, one := range d.fields {
		if s.extensionHas&one.field.set() == 0 {
			missing = append(missing, one.label)
		}
	}
	if missing != nil {
		s.Notes.Count(d.note, "without "+strings.Join(missing, ", "))
	}
}

// isFalse reports whether an attribute exists and is "false".
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

// isInvisible reports whether r is any white space, or has no width.
func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || 0x200b <= r && r <= 0x200f || r == 0x2060 || r == 0xfeff
}

// checkDate notes an invalid lastmod. Feeds have other date formats.
func (s *Scanner) checkDate() {
	if len(s.lastmod) > 0 && (s.Format == "urlset" || s.Format == "index") && !isDatetime(s.lastmod) {
		s.Notes.CountURL(NoteInvalidLastMod, s.lastmod)
	}
}
