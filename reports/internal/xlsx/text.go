package xlsx

import (
	"unicode/utf8"

	"robots-audit/engine/escape"
)

// MaxText is the maximum number of UTF-16 units in a cell; longer text is cut, and ends in
// escape.CutMark.
const MaxText = 32767

// appendText writes text as the <t> element of a cell: markup escaped, control characters and bytes
// that are not UTF-8 shown as \x0A, the whole cut at the cell's limit. Text that begins like a
// formula stays text.
func appendText(dst []byte, s string) []byte {
	if s != "" && (isSpace(s[0]) || isSpace(s[len(s)-1])) {
		dst = append(dst, `<t xml:space="preserve">`...)
	} else {
		dst = append(dst, `<t>`...)
	}
	if len(s) <= MaxText/4 { // cannot be too long, even if every character is escaped
		dst = appendEscaped(dst, s)
	} else {
		dst = appendCut(dst, s)
	}
	return append(dst, `</t>`...)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// plain has the ASCII characters that need no escape in XML text. The underscore is not among them:
// spreadsheets read _x0041_ as an escape.
var plain = func() (t [256]bool) {
	for c := ' '; c < 0x7f; c++ {
		t[c] = c != '<' && c != '>' && c != '&' && c != '_'
	}
	return t
}()

// appendEscaped writes text as XML.
func appendEscaped(dst []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		if plain[s[i]] {
			i++
			continue
		}
		shown, size := show(s[i:])
		if shown != "" {
			dst = append(append(dst, s[start:i]...), shown...)
			start = i + size
		}
		i += size
	}
	return append(dst, s[start:]...)
}

// show returns the escape of the first character of s, "" = none is needed, and its length in
// bytes.
func show(s string) (shown string, size int) {
	switch c := s[0]; {
	case c == '<':
		return "&lt;", 1
	case c == '>':
		return "&gt;", 1
	case c == '&':
		return "&amp;", 1
	case c == '_':
		if looksEscaped(s) {
			return "_x005F_", 1
		}
		return "", 1
	case c < ' ' || c == 0x7f:
		return escape.HexByte[c], 1
	case c < utf8.RuneSelf:
		return "", 1
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return escape.HexByte[s[0]], 1
	case r == 0xFFFE || r == 0xFFFF: // not characters of XML; all others are, including control characters from U+0080 on
		return "\uFFFD", size
	}
	return "", size
}

// looksEscaped reports whether s begins with _xHHHH_, or with _xH_, which is not an escape by
// ISO/IEC 29500-1, 22.9.2.19, but LibreOffice reads it as one.
func looksEscaped(s string) bool {
	return escapeOf(s, 1) || escapeOf(s, 4)
}

// escapeOf reports whether s begins with an escape of digits hexadecimal digits.
func escapeOf(s string, digits int) bool {
	if len(s) < digits+3 || s[1] != 'x' || s[digits+2] != '_' {
		return false
	}
	for _, c := range []byte(s[2 : digits+2]) {
		if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

// appendCut is appendEscaped for text that may be too long for a cell.
func appendCut(dst []byte, s string) []byte {
	const room = MaxText - 7 // minus the units of escape.CutMark
	units, cut := 0, 0       // cut: where the text ends if the mark must follow
	for i := 0; i < len(s); {
		shown, size := show(s[i:])
		switch {
		case shown == "&lt;" || shown == "&gt;" || shown == "&amp;" || shown == "_x005F_":
			units++
		case shown != "":
			units += utf8.RuneCountInString(shown)
		case size == 4:
			units += 2
		default:
			units++
		}
		if units > MaxText {
			return append(appendEscaped(dst, s[:cut]), escape.CutMark...)
		}
		i += size
		if units <= room {
			cut = i
		}
	}
	return appendEscaped(dst, s)
}
