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
				if s.loc != nil {
					s.locate(s.loc.kept[f.at])
				}
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
		s.Notes.Count(NoteMissingLoc, "")
		if s.loc != nil {
			s.locate(s.loc.entry)
		}
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
		s.Notes.CountIn(d.note, s.entryLoc(), []byte("no "+strings.Join(missing, ", ")))
		if s.loc != nil {
			s.locate(s.loc.extension)
		}
	}
}

// valueOf returns the value of an attribute, nil if there is none of this name.
func valueOf(attrs []byte, name string) []byte {
	for len(attrs) > 0 {
		var key, value []byte
		key, value, attrs, _ = attribute(attrs)
		if string(key) == name {
			return trim(value)
		}
	}
	return nil
}

// isInvisible reports whether r is any white space, or has no width.
func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || 0x200b <= r && r <= 0x200f || r == 0x2060 || r == 0xfeff
}

// checkDate notes a lastmod that is invalid or in the future. Feeds have other date formats.
func (s *Scanner) checkDate() {
	if s.Format != "urlset" && s.Format != "index" {
		return
	}
	switch {
	case len(s.lastmod) == 0:
		s.Notes.CountIn(NoteInvalidLastMod, s.entryLoc(), []byte("empty"))
		return
	case !isDatetime(s.lastmod):
		s.Notes.CountURL(NoteInvalidLastMod, s.lastmod)
	case string(s.lastmod[:min(len(s.lastmod), len(s.tomorrow))]) > s.tomorrow:
		s.Notes.CountURL(NoteFutureLastMod, s.lastmod)
	}
	s.dates.add(s.lastmod)
}

// dates remember whether all entries of a file have the same lastmod.
type dates struct {
	first  []byte // the lastmod of the first entry
	n      int64  // entries with this lastmod, up to the first with another
	differ bool
}

func (d *dates) add(lastmod []byte) {
	if d.differ {
		return
	}
	if d.n == 0 {
		d.first = append(d.first[:0], lastmod...)
	}
	d.n++
	d.differ = !bytes.Equal(d.first, lastmod)
}

// leastSame is the number of entries from which one lastmod for all of them is no accident.
const leastSame = 10

// noteSame notes that all entries have one lastmod to the second: that is the time when the file was
// made, not when the pages changed. The sitemaps of an index are often made together.
func (s *Scanner) noteSame() {
	d := &s.dates
	midnight := bytes.Contains(d.first, []byte("T00:00:00")) // a date, written as a time
	if d.n >= leastSame && !d.differ && s.Format != "index" && len(d.first) > len("2006-01-02T15:04Z") && !midnight && isDatetime(d.first) {
		s.Notes = append(s.Notes, Note{Code: NoteSameLastMod, Count: d.n, Detail: string(d.first)})
	}
	s.dates.differ = true // Finish may be called twice
}
