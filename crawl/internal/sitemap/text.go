package sitemap

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// space is the white space of XML.
const space = " \t\r\n"

func isSpace(c byte) bool { return c <= ' ' && uint64(1<<' '|1<<'\t'|1<<'\n'|1<<'\r')>>c&1 != 0 }

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

// oddity is a property of a field that needs a note.
type oddity uint8

const (
	oddByte      oddity = 1 << iota // not printable ASCII: must be checked
	oddAmpersand                    // '&' that is not part of a reference
	oddReference                    // a reference to an entity or character that does not exist
	oddEntity                       // a reference to an entity that the document type declares
)

// inField reports whether character data here belongs to the open field.
func (s *Scanner) inField() bool {
	return s.field != fieldNone && s.depth == s.level && s.tooDeep == 0
}

// readText reads character data of the open field up to the next '<'. It
// returns false at the end of the file.
func (s *Scanner) readText() bool {
	for {
		win := s.buf[s.r:s.w]
		if i := bytes.IndexByte(win, '<'); i >= 0 {
			s.appendText(win[:i], true)
			s.r += i
			return true
		}
		s.r += s.appendText(win, false)
		if !s.fill() {
			s.r = s.w
			return false
		}
	}
}

// appendText appends character data to the field with its references resolved.
// It returns how many bytes of raw it used. Unless raw is the last part, a
// reference at its end is left for the next call.
func (s *Scanner) appendText(raw []byte, last bool) int {
	if s.tooLong {
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
	s.oddities |= oddByte
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			s.appendLiteral(raw)
			return n
		}
		s.appendLiteral(raw[:i])
		raw = raw[i:]
		if s.tooLong {
			return n
		}
		size, r, kind := reference(raw)
		if kind == refCutOff && !last {
			return n - len(raw)
		}
		switch kind {
		case refCutOff, refNone:
			s.oddities |= oddAmpersand
			size = 1
			s.text = append(s.text, '&')
		case refUnknown:
			if slices.Contains(s.entities, string(raw[1:size-1])) {
				s.oddities |= oddEntity
			} else {
				s.oddities |= oddReference
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

// appendLiteral appends character data without references to the field. Line ends
// become line feeds, as XML requires.
func (s *Scanner) appendLiteral(raw []byte) {
	if s.tooLong || len(raw) == 0 {
		return
	}
	if !plain(raw) {
		s.oddities |= oddByte
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

// bound limits the open field to maxText.
func (s *Scanner) bound() {
	if len(s.text)-s.start > maxText {
		s.truncate()
	}
}

// truncate keeps only the beginning of a field that is too long.
func (s *Scanner) truncate() {
	s.tooLong = true
	if len(s.text)-s.start <= maxBeginning {
		return
	}
	end := s.start + maxBeginning
	for i := 0; i < utf8.UTFMax-1 && !utf8.RuneStart(s.text[end]); i++ {
		end--
	}
	s.text = s.text[:end]
}

// noteOddities counts the oddities of a URL.
func (s *Scanner) noteOddities(loc []byte) {
	if s.oddities&oddAmpersand != 0 {
		s.Notes.CountURL(NoteRawAmpersand, loc)
	}
	if s.oddities&oddReference != 0 {
		s.Notes.CountURL(NoteUndefinedEntity, loc)
	}
	if s.oddities&oddEntity != 0 {
		s.Notes.CountURL(NoteDeclaredEntity, loc)
	}
	if !utf8.Valid(loc) {
		s.Notes.CountURL(NoteInvalidUTF8, loc)
	}
	if bytes.ContainsAny(loc, space) {
		s.Notes.CountURL(NoteSpaceInLoc, loc)
	}
	for _, c := range loc {
		if c < ' ' && !isSpace(c) || c == 0x7f {
			s.Notes.CountURL(NoteControlCharacter, loc)
			break
		}
	}
}

// ones has a one in each byte: a byte times ones is that byte eight times.
const ones = 0x0101010101010101

// plain reports whether raw is printable ASCII without spaces, ampersands and
// '>', like nearly every URL. It tests eight bytes at a time.
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
