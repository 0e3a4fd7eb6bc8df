package sitemap

import "bytes"

// top returns the innermost open element.
func (s *Scanner) top() name {
	if s.depth == 0 {
		return nameOther
	}
	return s.stack[s.depth-1]
}

// push opens an element.
func (s *Scanner) push(nm name, entry bool) {
	switch {
	case s.tooDeep == 0 && s.depth >= maxNested/2 && entry && s.top() == nm:
		// Entries without end tags: treated as siblings.
	case s.tooDeep == 0 && s.depth < maxNested:
		s.stack[s.depth] = nm
		s.entry[s.depth] = entry
		s.depth++
	default:
		s.entryHas |= fieldNone.set() // a loc in it is ignored
		if s.tooDeep == 0 {
			s.Notes.Count(NoteNesting, "")
		}
		s.tooDeep++
	}
}

// close closes the innermost element, which should be nm. Otherwise, a known
// end tag also closes the open elements inside of its element; any other end
// tag is skipped.
func (s *Scanner) close(nm name) {
	if s.tooDeep > 0 {
		if !roles[nm].entry || s.innermost(nm) < 0 {
			s.tooDeep--
			return
		}
		s.tooDeep = 0
	}
	if s.depth > 0 && s.stack[s.depth-1] == nm {
		s.pop()
		return
	}
	s.Notes.Count(NoteMalformedXML, "an end tag without its start tag")
	if nm == nameOther {
		return
	}
	if i := s.innermost(nm); i >= 0 {
		for s.depth > i {
			s.pop()
		}
	}
}

// innermost returns the index of the innermost element nm in the stack, -1 if
// none is open.
func (s *Scanner) innermost(nm name) int {
	for i := s.depth - 1; i >= 0; i-- {
		if s.stack[i] == nm {
			return i
		}
	}
	return -1
}

// pop closes the innermost element. With an entry, its URLs are complete.
func (s *Scanner) pop() {
	if s.field != fieldNone && s.depth <= s.level {
		s.closeField()
	}
	s.depth--
	if nm := s.stack[s.depth]; s.entry[s.depth] {
		s.endEntry(nm)
		s.ready = len(s.found) > 0
	} else if roles[nm].extension && s.top() == nameURL {
		s.noteMissing(nm)
	}
}

// openField starts to read the field of an element.
func (s *Scanner) openField(f field, attrs []byte) {
	if s.field == fieldFallback {
		s.closeField()
	}
	if f == fieldGUID && bytes.EqualFold(valueOf(attrs, "isPermaLink"), []byte("false")) {
		return
	}
	if s.loc != nil {
		s.locateOpened()
	}
	switch f {
	case fieldHreflang, fieldHref:
		s.link(f, attrs)
	default:
		s.field, s.level, s.start, s.tooLong, s.oddities = f, s.depth, len(s.text), false, 0
	}
}

// closeField ends the open field.
func (s *Scanner) closeField() {
	f := s.field
	s.field = fieldNone
	switch {
	case f >= fieldChangeFreq:
		s.checkHint(f, trim(s.text[s.start:]))
		s.locateField()
	case f == fieldLastMod:
		if !s.tooLong {
			s.lastmod = append(s.lastmod[:0], trim(s.text[s.start:])...)
			s.checkDate()
			s.locateField()
		}
	case f < fieldTitle:
		s.addURL(f, s.start)
		s.locateField()
		return
	case len(trim(s.text[s.start:])) > 0:
		s.extensionHas |= f.set()
		if (f == fieldDate || f == fieldLanguage) && s.Format == "urlset" {
			s.checkNews(f, trim(s.text[s.start:]))
			s.locateField()
		}
	}
	s.text = s.text[:s.start]
}

// link reads the URL of a link element from its attributes.
func (s *Scanner) link(f field, attrs []byte) {
	var rel, href, lang []byte
	var open bool // the tag is longer than the window, and the window ends within href
	all := attrs
	for len(attrs) > 0 {
		var key, value []byte
		var whole bool
		key, value, attrs, whole = attribute(attrs)
		switch string(key) {
		case "rel":
			rel = value
		case "href":
			href, open = value, !whole
		case "hreflang":
			lang = value
		}
	}
	from := len(s.text)
	s.start = from
	alternate := string(rel) == "alternate" // the usual spelling
	if !alternate {
		s.tooLong, s.oddities = false, 0
		s.appendText(rel, true)
		alternate = isAlternate(s.text[from:])
		s.text = s.text[:from]
	}
	if f == fieldHreflang && (!alternate || lang == nil || len(trim(href)) == 0) && !open && !s.checkLink(all, alternate) || !alternate && rel != nil {
		return
	}
	s.addLink(f, lang, href, open)
}

// addLink adds the URL of a link; open says that its end is missing.
func (s *Scanner) addLink(f field, lang, href []byte, open bool) {
	from, n := len(s.text), len(s.found)
	s.text = append(s.text, trim(lang[:min(len(lang), maxLang)])...)
	langEnd := len(s.text)
	s.start, s.tooLong, s.oddities = langEnd, false, 0
	s.appendText(href, true)
	if open {
		s.truncate()
	}
	if s.addURL(f, langEnd); len(s.found) == n {
		s.text = s.text[:from]
	} else if lang != nil {
		last := &s.found[n]
		last.lang, last.langSize = int32(from), uint8(langEnd-from)
	}
	s.locateField()
}

// isAlternate reports whether a link's rel includes "alternate".
func isAlternate(rel []byte) bool {
	for one := range bytes.FieldsSeq(rel) {
		if bytes.EqualFold(one, []byte("alternate")) {
			return true
		}
	}
	return false
}

// addURL adds the URL that begins at from in s.text to the found ones.
func (s *Scanner) addURL(f field, from int) {
	raw := s.text[from:]
	end := len(s.text)
	for len(raw) > 0 && isSpace(raw[len(raw)-1]) {
		raw = raw[:len(raw)-1]
		end--
	}
	for len(raw) > 0 && isSpace(raw[0]) {
		raw = raw[1:]
		from++
	}
	if s.oddities != 0 && len(raw) > 0 && (raw[0] >= 0x80 || raw[len(raw)-1] >= 0x80) {
		if shown := bytes.TrimFunc(raw, isInvisible); len(shown) < len(raw) {
			s.Notes.CountURL(NoteInvisible, raw)
			from += bytes.Index(raw, shown)
			end = from + len(shown)
			raw = shown
		}
	}
	if f >= fieldFallback && (!IsWeb(raw) || s.entryHas&f.set() != 0) { // only the first of each is used
		s.text = s.text[:from]
		return
	}
	if len(raw) == 0 {
		s.text = s.text[:from]
		s.Notes.Count(NoteEmptyLoc, "")
		s.entryHas |= fieldNone.set()
		return
	}
	if (f == fieldLoc || f == fieldChild) && s.entryHas&f.set() != 0 && (s.Format == "urlset" || s.Format == "index") {
		s.Notes.CountURL(NoteSeveralLocs, raw)
	}
	s.entryHas |= f.set()
	s.extensionHas |= f.set()
	if s.oddities != 0 {
		s.noteOddities(raw)
	}
	if f < fieldFallback {
		s.learnFormat(f)
	}
	if f == fieldVideo && bytes.Equal(s.text[from:end], s.entryLoc()) {
		s.Notes.CountURL(NoteVideoIsPage, raw)
	}
	s.found = append(s.found, found{from: from, to: end, langSize: noLang, field: f, tooLong: s.tooLong})
	if s.loc != nil {
		s.keep()
	}
	if f < fieldFallback && (len(s.text) > maxPending || len(s.found) >= maxFound) { // a fallback may end where another field begins
		s.ready = true
	}
}

// learnFormat learns the format of the file from a URL, or notes that it is mixed.
func (s *Scanner) learnFormat(f field) {
	if s.Format == "" {
		s.Format = roles[s.entryName()].format
	}
	if f == fieldChild != (s.Format == "index") && (f == fieldChild || f == fieldLoc) {
		s.Notes.Count(NoteMixed, "")
	}
}

// entryName returns the innermost open entry.
func (s *Scanner) entryName() name {
	for i := s.depth - 1; i >= 0; i-- {
		if s.entry[i] {
			return s.stack[i]
		}
	}
	return nameOther
}
