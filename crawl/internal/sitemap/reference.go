package sitemap

import "unicode/utf8"

// refKind is the kind of text after an '&'.
type refKind uint8

const (
	refNone    refKind = iota // no reference
	refCutOff                 // perhaps one, but the text ends first
	refUnknown                // an entity that XML does not define, or an invalid character
	refRune                   // a character
)

// maxReference is the longest accepted reference, in bytes.
const maxReference = 64

// reference reads the reference at the start of raw, which begins with '&'. It
// returns its size in bytes and its character. Only XML's five entities are
// known; entities of a document type are not looked up.
func reference(raw []byte) (size int, r rune, kind refKind) {
	end := 1
	for end < len(raw) && end < maxReference && raw[end] != ';' {
		if c := raw[end]; !nameStart(c) && (c < '0' || c > '9') && c != '#' && c != '.' && c != '-' || c == ':' {
			return 1, 0, refNone
		}
		end++
	}
	if end == maxReference || end == 1 && len(raw) > 1 {
		return 1, 0, refNone
	}
	if end == len(raw) {
		return 1, 0, refCutOff
	}
	body := raw[1:end]
	size = end + 1
	switch string(body) {
	case "amp":
		return size, '&', refRune
	case "lt":
		return size, '<', refRune
	case "gt":
		return size, '>', refRune
	case "quot":
		return size, '"', refRune
	case "apos":
		return size, '\'', refRune
	}
	if body[0] != '#' {
		if !nameStart(body[0]) {
			return 1, 0, refNone
		}
		return size, 0, refUnknown
	}
	if r, ok := character(body[1:]); ok {
		return size, r, refRune
	}
	return size, 0, refUnknown
}

// character reads the number of a character reference: digits, or 'x' and
// hexadecimal digits. Characters that XML forbids are rejected.
func character(digits []byte) (rune, bool) {
	base := rune(10)
	if len(digits) > 0 && digits[0] == 'x' {
		base, digits = 16, digits[1:]
	}
	if len(digits) == 0 {
		return 0, false
	}
	var r rune
	for _, c := range digits {
		d := rune(99)
		switch {
		case '0' <= c && c <= '9':
			d = rune(c - '0')
		case 'a' <= c && c <= 'f':
			d = rune(c-'a') + 10
		case 'A' <= c && c <= 'F':
			d = rune(c-'A') + 10
		}
		if d >= base {
			return 0, false
		}
		if r = r*base + d; r > utf8.MaxRune {
			return 0, false
		}
	}
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
		return 0, false
	}
	return r, true
}
