package sitemap

import "bytes"

// markup reads markup that begins with the '<' at the window's start: a tag, a
// comment, a CDATA section, a processing instruction, a document type. It
// returns false at the end of the file.
func (s *Scanner) markup() bool {
	if !s.need(2) {
		s.Broken = "ends inside a tag"
		return s.end("")
	}
	s.cr = false
	switch c := s.buf[s.r+1]; {
	case c == '/':
		return s.endTag()
	case c == '?':
		return s.skipPast(2, "?>")
	case c == '!':
		return s.declaration()
	case nameStart(c):
		return s.startTag()
	}
	s.Notes.Count(NoteMalformedXML, "a bare '<'")
	if s.inField() {
		s.appendLiteral(s.buf[s.r : s.r+1])
	}
	s.r++
	return true
}

// nameStart reports whether an element's name can begin with c.
func nameStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == ':' || c >= 0x80
}

// startTag reads a start tag, or the tag of an empty element.
func (s *Scanner) startTag() bool {
	if len(s.links.head) > 0 && s.links.link(s) {
		return true
	}
	if nm, n, colon := bareName(s.buf[s.r+1 : s.w]); n > 0 { // the usual form
		raw := s.buf[s.r+1 : s.r+1+n]
		if s.leaf(nm, raw, colon) {
			return true
		}
		if s.open(nm, raw[:max(colon, 0)], nil) {
			if s.strictReady() && s.wellFormedName(nm, raw, colon) {
				s.strict.Open(raw)
				s.seen = s.r + n + 2
			}
			s.r += n + 2
		}
		return true
	}
	size := 0 // from the strict reader, which reads most tags once for both
	if s.strictReady() {
		size = s.strict.Tag(s.buf[s.r:s.w])
	}
	end := size - 1
	if size == 0 {
		end = s.tagEnd()
	}
	long := end < 0 // longer than the window
	if long && s.w-s.r < windowSize {
		s.Broken = "ends inside a tag"
		return s.end("")
	}
	raw := s.buf[s.r+1 : s.w]
	if !long {
		raw = s.buf[s.r+1 : s.r+end]
	}
	prefix, local, attrs := split(raw)
	nm, n := known(local), len(s.found)
	if !s.open(nm, prefix, attrs) {
		return true
	}
	empty := raw[len(raw)-1] == '/'
	if size > 0 {
		tag := s.buf[s.r : s.r+size]
		if s.strict.Take(tag); empty && len(s.found) > n && s.found[n].field == fieldHreflang && s.strict.Settled() {
			s.links.learn(tag)
		}
		s.seen = s.r + size
	}
	if s.r += end + 1; long {
		s.Notes.Count(NoteMalformedXML, "a tag of more than 64 KiB")
		var ok bool
		if empty, ok = s.skipTag(); !ok {
			s.Broken = "ends inside a tag"
			return s.end("")
		}
	}
	if empty {
		s.close(nm)
	}
	return true
}

// open opens the element of a start tag. It returns false if the tag must wait,
// since the previous entry was never closed and its URLs come first. It also
// returns false if the file is not a sitemap.
func (s *Scanner) open(nm name, prefix, attrs []byte) bool {
	parent, is := s.top(), &roles[nm]
	inLoc := parent == nameLoc && nm == nameURL && s.inField() && len(s.text) == s.start // <loc><url>
	if is.group && s.field != fieldNone && !inLoc {
		s.closeField()
	}
	entry := is.entry && !inLoc && (!roles[parent].group || parent == nm) // no entry: <image><url> of RSS
	if entry {
		if len(s.found) > 0 {
			s.ready = true
			return false
		}
		s.lastmod = s.lastmod[:0]
		s.entryHas = 0
		s.first = true
		s.news.inEntry, s.news.images = 0, 0
		if s.loc != nil {
			s.loc.entry = s.here()
		}
	}
	if is.extension {
		s.extensionHas = 0
		s.countExtension(parent, nm)
		if s.loc != nil {
			s.loc.extension = s.here()
		}
	}
	if s.misbound != nil && (is.extension || nm == nameLink) {
		s.noteExtension(prefix)
	}
	if s.Format == "" && !is.group {
		if s.foreign++; s.foreign == 1 {
			s.Root = tagName(s.buf[s.r+1 : s.w])
		}
		if s.NotSitemap = nm == nameHTML && s.depth == 0 || s.foreign > maxForeign; s.NotSitemap {
			return false
		}
		s.root(nm, prefix, attrs)
	}
	s.push(nm, entry)
	f := s.fieldOf(parent, nm, prefix)
	if parent == nameItem && nm == nameLink && valueOf(attrs, "href") != nil { // Atom's, in an item of RSS
		f = fieldNone
	}
	if f != fieldNone {
		s.openField(f, attrs)
	}
	return true
}

// fieldOf returns the field of an element. An image:loc directly in the entry
// also belongs to an image.
func (s *Scanner) fieldOf(parent, nm name, prefix []byte) field {
	if s.tooDeep > 0 {
		return fieldNone
	}
	f := fields[parent][nm]
	if f >= fieldChangeFreq && len(prefix) > 0 && !s.own.is(prefix) {
		return fieldNone // of another namespace
	}
	if (f == fieldLoc || f == fieldChild) && len(prefix) > 0 {
		if string(prefix) == "image" || s.image.is(prefix) {
			return fieldImage
		}
		if string(prefix) == "video" || s.video.is(prefix) {
			return fieldNone
		}
	}
	return f
}

// tagName returns the name in a tag, as far as a note shows it.
func tagName(tag []byte) string {
	tag = tag[:min(len(tag), maxLang)]
	if i := bytes.IndexAny(tag, space+"/>"); i >= 0 {
		tag = tag[:i]
	}
	return string(tag)
}

// endTag reads an end tag. Without '>', it ends at the next tag.
func (s *Scanner) endTag() bool {
	if nm, n, _ := bareName(s.buf[s.r+2 : s.w]); n > 0 {
		raw := s.buf[s.r+2 : s.r+2+n]
		if s.strictReady() && s.strict.Close(raw) {
			s.seen = s.r + n + 3
		}
		s.r += n + 3
		s.close(nm)
		return true
	}
	from := 2
	for {
		if i := bytes.IndexAny(s.buf[s.r+from:s.w], "<>"); i >= 0 {
			from += i
			break
		}
		from = s.w - s.r
		if !s.fill() {
			if s.w-s.r < windowSize {
				if s.inField() { // the field is complete, only its end tag is not
					s.closeField()
				}
				s.Broken = "ends inside a tag"
				return s.end("")
			}
			break
		}
	}
	_, local, _ := split(s.buf[s.r+2 : s.r+from])
	nm := known(local)
	s.r += from
	if s.r < s.w && s.buf[s.r] == '>' {
		s.r++
	} else {
		s.Notes.Count(NoteMalformedXML, "an end tag without '>'")
	}
	s.close(nm)
	return true
}
