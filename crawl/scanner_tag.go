package crawl

import "bytes"

// markup reads what begins with the '<' at the window's start: a tag, a
// comment, a CDATA section, a processing instruction, a document type. It
// returns false at the end of the file.
func (s *scanner) markup() bool {
	if !s.need(2) {
		s.broken = "ends inside a tag"
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
	s.notes.add(NoteMalformedXML, "a bare '<'")
	if s.wanted() {
		s.literal(s.buf[s.r : s.r+1])
	}
	s.r++
	return true
}

// nameStart says whether an element's name can begin with c.
func nameStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == ':' || c >= 0x80
}

// startTag reads a start tag, or one of an empty element.
func (s *scanner) startTag() bool {
	if n := bareName(s.buf[s.r+1 : s.w]); n >= 0 { // as most are
		nm := known(s.buf[s.r+1 : s.r+1+n])
		if s.leaf(nm, n+2) {
			return true
		}
		if s.open(nm, nil, nil) {
			s.r += n + 2
		}
		return true
	}
	end := s.tagEnd()
	long := end < 0 // longer than the window
	if long && s.w-s.r < len(s.buf) {
		s.broken = "ends inside a tag"
		return s.end("")
	}
	raw := s.buf[s.r+1 : s.w]
	if !long {
		raw = s.buf[s.r+1 : s.r+end]
	}
	prefix, local, attrs := split(raw)
	nm := known(local)
	if !s.open(nm, prefix, attrs) {
		return true
	}
	empty := raw[len(raw)-1] == '/'
	if s.r += end + 1; long {
		s.notes.add(NoteMalformedXML, "a tag of more than 64 KiB")
		var ok bool
		if empty, ok = s.skipTag(); !ok {
			s.broken = "ends inside a tag"
			return s.end("")
		}
	}
	if empty {
		s.close(nm)
	}
	return true
}

// leaf reads an element at once, from its start tag of the given size to its
// end tag: one of those that make up most of a sitemap, with nothing but text
// in it, and all in the window. Any other is left to be read tag by tag, which
// gives the same.
func (s *scanner) leaf(nm name, size int) bool {
	due := leafEnds[nm]
	if due == "" || s.format == "" || s.depth == maxNested {
		return false
	}
	text := s.buf[s.r+size : s.w]
	i := bytes.IndexByte(text, '<')
	if i < 0 || len(text)-i < len(due) || string(text[i:i+len(due)]) != due {
		return false
	}
	if f := fields[s.top()][nm]; f != fieldNone {
		s.begins(f, nil)
		s.resolve(text[:i], true)
		s.finish()
	}
	s.r += size + i + len(due)
	return true
}

// bareName returns how many letters stand before a '>', -1 if anything else does.
func bareName(b []byte) int {
	for i, c := range b {
		if c <= '>' {
			if c == '>' {
				return i
			}
			break
		}
	}
	return -1
}

// open opens the element of a start tag. It returns false if the tag has to
// wait, since the entry before was never closed and is handed out first, or if
// the file turns out to be no sitemap.
func (s *scanner) open(nm name, prefix, attrs []byte) bool {
	parent, is := s.top(), &roles[nm]
	if is.group && s.field != fieldNone {
		s.finish()
	}
	entry := is.entry && (!roles[parent].group || parent == nm) // no entry: <image><url> of RSS
	if entry {
		if len(s.found) > 0 {
			s.ready = true
			return false
		}
		s.lastmod = s.lastmod[:0]
	}
	if s.format == "" && !is.group {
		s.foreign++
		if s.alien = nm == nameHTML && s.depth == 0 || s.foreign > maxForeign; s.alien {
			return false
		}
		s.root(nm, prefix, attrs)
	}
	s.push(nm, entry)
	if f := s.fieldOf(parent, nm, prefix); f != fieldNone {
		s.begins(f, attrs)
	}
	return true
}

// fieldOf says what an element holds for us. An image:loc that stands in the
// entry itself is an image's all the same.
func (s *scanner) fieldOf(parent, nm name, prefix []byte) field {
	if s.over > 0 {
		return fieldNone
	}
	f := fields[parent][nm]
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

// endTag reads an end tag. One that lacks its '>' ends at the next tag.
func (s *scanner) endTag() bool {
	if n := bareName(s.buf[s.r+2 : s.w]); n >= 0 {
		nm := known(s.buf[s.r+2 : s.r+2+n])
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
			if s.w-s.r < len(s.buf) {
				s.broken = "ends inside a tag"
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
		s.notes.add(NoteMalformedXML, "an end tag without '>'")
	}
	s.close(nm)
	return true
}
