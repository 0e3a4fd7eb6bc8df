package crawl

import "bytes"

// top returns the innermost element open.
func (s *scanner) top() name {
	if s.depth == 0 {
		return nameOther
	}
	return s.stack[s.depth-1]
}

// push opens an element.
func (s *scanner) push(nm name, entry bool) {
	switch {
	case s.over == 0 && s.depth >= maxNested/2 && entry && s.top() == nm:
		// Entry after entry left open: taken for siblings.
	case s.over == 0 && s.depth < maxNested:
		s.stack[s.depth] = nm
		s.entry[s.depth] = entry
		s.depth++
	default:
		s.has |= fieldNone.set() // a loc in it is not seen
		if s.over == 0 {
			s.notes.add(NoteNesting, "elements nested more than 32 deep")
		}
		s.over++
	}
}

// close closes the innermost element, which should be nm. Where it is not, an
// end tag that we know closes what was left open inside of its element; any
// other is passed over.
func (s *scanner) close(nm name) {
	if s.over > 0 {
		if !roles[nm].entry || s.innermost(nm) < 0 {
			s.over--
			return
		}
		s.over = 0
	}
	if s.depth > 0 && s.stack[s.depth-1] == nm {
		s.pop()
		return
	}
	s.notes.add(NoteMalformedXML, "an end tag without its start tag")
	if nm == nameOther {
		return
	}
	if i := s.innermost(nm); i >= 0 {
		for s.depth > i {
			s.pop()
		}
	}
}

// innermost returns the place of the innermost element nm in the stack, -1 if
// none is open.
func (s *scanner) innermost(nm name) int {
	for i := s.depth - 1; i >= 0; i-- {
		if s.stack[i] == nm {
			return i
		}
	}
	return -1
}

// pop closes the innermost element. With an entry, its URLs are complete.
func (s *scanner) pop() {
	if s.field != fieldNone && s.depth <= s.level {
		s.finish()
	}
	s.depth--
	if nm := s.stack[s.depth]; s.entry[s.depth] {
		s.complete(nm)
		s.ready = len(s.found) > 0
	} else if roles[nm].extra && s.top() == nameURL {
		s.demand(nm)
	}
}

// begins starts to read what an element holds for us.
func (s *scanner) begins(f field, attrs []byte) {
	if s.field == fieldMeant {
		s.finish()
	}
	if f == fieldGUID && isFalse(attrs, "isPermaLink") {
		return
	}
	switch f {
	case fieldHreflang, fieldHref:
		s.link(f, attrs)
	default:
		s.field, s.level, s.start, s.cut, s.odd = f, s.depth, len(s.text), false, 0
	}
}

// finish ends the field that is open.
func (s *scanner) finish() {
	f := s.field
	s.field = fieldNone
	switch {
	case f == fieldLastMod:
		if !s.cut {
			s.lastmod = append(s.lastmod[:0], trim(s.text[s.start:])...)
			s.checkDate()
		}
	case f < fieldTitle:
		s.add(f, s.start)
		return
	case len(trim(s.text[s.start:])) > 0:
		s.have |= f.set()
	}
	s.text = s.text[:s.start]
}

// link reads the URL of a link element from its attributes.
func (s *scanner) link(f field, attrs []byte) {
	var rel, href []byte
	var open bool // the tag is longer than the window, and the window ends within href
	for len(attrs) > 0 {
		var key, value []byte
		var whole bool
		key, value, attrs, whole = attribute(attrs)
		switch string(key) {
		case "rel":
			rel = value
		case "href":
			href, open = value, !whole
		}
	}
	from := len(s.text)
	s.start = from
	alternate := string(rel) == "alternate" // as most are
	if !alternate {
		s.cut, s.odd = false, 0
		s.resolve(rel, true)
		alternate = isAlternate(s.text[from:])
		s.text = s.text[:from]
	}
	if !alternate && (f == fieldHreflang || rel != nil) {
		return
	}
	s.cut, s.odd = false, 0
	s.resolve(href, true)
	if open {
		s.cutShort()
	}
	s.add(f, from)
}

// isAlternate says whether a link's rel names the type "alternate".
func isAlternate(rel []byte) bool {
	for one := range bytes.FieldsSeq(rel) {
		if bytes.EqualFold(one, []byte("alternate")) {
			return true
		}
	}
	return false
}

// add puts the URL that begins at from in s.text among the found ones.
func (s *scanner) add(f field, from int) {
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
	if s.odd != 0 && len(raw) > 0 && (raw[0] >= 0x80 || raw[len(raw)-1] >= 0x80) {
		if shown := bytes.TrimFunc(raw, isInvisible); len(shown) < len(raw) {
			s.notes.first(NoteInvisible, raw)
			from += bytes.Index(raw, shown)
			end = from + len(shown)
			raw = shown
		}
	}
	if f >= fieldMeant && (!isWeb(raw) || s.has&f.set() != 0) { // the first of each will do
		s.text = s.text[:from]
		return
	}
	if len(raw) == 0 {
		s.text = s.text[:from]
		s.notes.add(NoteEmptyLoc, "an entry without a URL")
		s.has |= fieldNone.set()
		return
	}
	s.has |= f.set()
	s.have |= f.set()
	if s.odd != 0 {
		s.inspect(raw)
	}
	if f < fieldMeant {
		s.counted(f)
	}
	s.found = append(s.found, found{from: from, to: end, field: f, cut: s.cut})
	if f < fieldMeant && (len(s.text) > maxPending || len(s.found) >= maxFound) { // what is meant may end where another field begins
		s.ready = true
	}
}

// counted learns from a URL what the file is, or that it is more than one thing.
func (s *scanner) counted(f field) {
	if s.format == "" {
		s.format = roles[s.entryName()].format
	}
	if f == fieldChild != (s.format == "index") && (f == fieldChild || f == fieldLoc) {
		s.notes.add(NoteMixed, "pages and sitemaps in one file")
	}
}

// entryName returns the innermost entry open.
func (s *scanner) entryName() name {
	for i := s.depth - 1; i >= 0; i-- {
		if s.entry[i] {
			return s.stack[i]
		}
	}
	return nameOther
}
