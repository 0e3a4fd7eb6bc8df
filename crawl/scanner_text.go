package crawl

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// space is the white space of XML.
const space = " \t\r\n"

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// trim returns b without the white space around it.
func trim(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// oddity is what was met in a field and is worth a note.
type oddity uint8

const (
	oddByte      oddity = 1 << iota // something else than printable ASCII: worth a look
	oddAmpersand                    // '&' that begins no reference
	oddReference                    // a reference to an entity or character that does not exist
	oddEntity                       // a reference to an entity that the document type declares
)

// wanted says whether character data here belongs to the open field.
func (s *scanner) wanted() bool {
	return s.field != fieldNone && s.depth == s.level && s.over == 0
}

// collect reads character data of the open field up to the next '<'. It
// returns false at the end of the file.
func (s *scanner) collect() bool {
	for {
		win := s.buf[s.r:s.w]
		if i := bytes.IndexByte(win, '<'); i >= 0 {
			s.resolve(win[:i], true)
			s.r += i
			return true
		}
		s.r += s.resolve(win, false)
		if !s.fill() {
			s.r = s.w
			return false
		}
	}
}

// resolve appends character data to the field with its references resolved.
// It returns how much of raw it took; unless raw is the last there is, a
// reference at its end is left for the next time.
func (s *scanner) resolve(raw []byte, last bool) int {
	if s.cut {
		return len(raw)
	}
	n := len(raw)
	if len(s.text) == s.start {
		for len(raw) > 0 && isSpace(raw[0]) {
			raw = raw[1:]
		}
	}
	if plain(raw) {
		s.cr = false
		s.text = append(s.text, raw...)
		s.bound()
		return n
	}
	s.odd |= oddByte
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			s.literal(raw)
			return n
		}
		s.literal(raw[:i])
		raw = raw[i:]
		if s.cut {
			return n
		}
		size, r, kind := reference(raw)
		if kind == refCutOff && !last {
			return n - len(raw)
		}
		switch kind {
		case refCutOff, refNone:
			s.odd |= oddAmpersand
			size = 1
			s.text = append(s.text, '&')
		case refUnknown:
			if slices.Contains(s.entities, string(raw[1:size-1])) {
				s.odd |= oddEntity
			} else {
				s.odd |= oddReference
			}
			s.text = append(s.text, raw[:size]...)
		default:
			s.text = utf8.AppendRune(s.text, r)
		}
		s.cr = false
		s.bound()
		raw = raw[size:]
	}
	return n
}

// literal appends character data without references to the field. Line ends
// become line feeds, as XML has it.
func (s *scanner) literal(raw []byte) {
	if s.cut || len(raw) == 0 {
		return
	}
	if !plain(raw) {
		s.odd |= oddByte
	}
	if !s.cr && bytes.IndexByte(raw, '\r') < 0 {
		s.text = append(s.text, raw...)
		s.bound()
		return
	}
	for _, c := range raw {
		switch {
		case c == '\r':
			s.text = append(s.text, '\n')
		case c != '\n' || !s.cr:
			s.text = append(s.text, c)
		}
		s.cr = c == '\r'
	}
	s.bound()
}

// bound keeps the open field within maxText.
func (s *scanner) bound() {
	if len(s.text)-s.start > maxText {
		s.cutShort()
	}
}

// cutShort leaves only the beginning of a field that is too long.
func (s *scanner) cutShort() {
	s.cut = true
	if len(s.text)-s.start <= maxBeginning {
		return
	}
	end := s.start + maxBeginning
	for i := 0; i < utf8.UTFMax-1 && !utf8.RuneStart(s.text[end]); i++ {
		end--
	}
	s.text = s.text[:end]
}

// inspect counts what is odd about a URL that was read.
func (s *scanner) inspect(loc []byte) {
	if s.odd&oddAmpersand != 0 {
		s.notes.first(NoteRawAmpersand, loc)
	}
	if s.odd&oddReference != 0 {
		s.notes.first(NoteUndefinedEntity, loc)
	}
	if s.odd&oddEntity != 0 {
		s.notes.first(NoteDeclaredEntity, loc)
	}
	if !utf8.Valid(loc) {
		s.notes.first(NoteInvalidUTF8, loc)
	}
	if bytes.ContainsAny(loc, space) {
		s.notes.first(NoteSpaceInLoc, loc)
	}
	for _, c := range loc {
		if c < ' ' && !isSpace(c) || c == 0x7f {
			s.notes.first(NoteControlCharacter, loc)
			break
		}
	}
}

// ones has a one in each byte: a byte times ones is that byte eight times.
const ones = 0x0101010101010101

// plain says whether raw is printable ASCII without spaces, ampersands and '>',
// as nearly every URL is, eight bytes at a time.
func plain(raw []byte) bool {
	for len(raw) >= 8 {
		x := binary.LittleEndian.Uint64(raw)
		if (x|(x-0x21*ones)|((x^'&'*ones)-ones)|((x^'>'*ones)-ones))&(0x80*ones) != 0 {
			return false
		}
		raw = raw[8:]
	}
	for _, c := range raw {
		if c-0x21 >= 0x5f || c == '&' || c == '>' {
			return false
		}
	}
	return true
}
