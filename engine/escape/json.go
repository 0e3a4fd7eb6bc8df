package escape

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// JSON writes the hidden characters in a JSON text as escapes such as \u202e,
// which have the same meaning: such characters are only legal in strings. Bytes
// that are not UTF-8 become \ufffd, as every parser reads them. A text without
// any is returned unchanged.
func JSON(text []byte) []byte { return escapeJSON(text, IsHidden) }

// TerminalJSON is JSON for all characters that Printable would replace.
func TerminalJSON(text []byte) []byte { return escapeJSON(text, isUnprintable) }

// AppendTerminalJSON appends TerminalJSON(text) to dst without an intermediate
// copy.
func AppendTerminalJSON(dst, text []byte) []byte { return appendJSON(dst, text, isUnprintable) }

func isUnprintable(r rune) bool { return !unicode.IsPrint(r) }

func escapeJSON(text []byte, hidden func(rune) bool) []byte {
	if _, at, _ := nextHidden(text, hidden); at == len(text) {
		return text
	}
	return appendJSON(nil, text, hidden)
}

func appendJSON(dst, text []byte, hidden func(rune) bool) []byte {
	for {
		r, at, size := nextHidden(text, hidden)
		dst = append(dst, text[:at]...)
		if size == 0 {
			return dst
		}
		dst = appendRune(dst, r)
		text = text[at+size:]
	}
}

// nextHidden finds the next character that must be escaped, and its size in
// bytes: 0 if there is none.
func nextHidden(text []byte, hidden func(rune) bool) (r rune, at, size int) {
	for at < len(text) {
		if text[at] < 0x7f { // lower controls are already escaped, or white space between tokens
			at++
			continue
		}
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 || hidden(r) {
			return r, at, size
		}
		at += size
	}
	return 0, at, 0
}

// appendRune appends a character as one or two \u escapes of JSON.
func appendRune(dst []byte, r rune) []byte {
	if r > 0xFFFF {
		r -= 0x10000
		return fmt.Appendf(dst, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}

// plain marks the ASCII characters that need no escape in a JSON string within
// a script element.
var plain = func() (t [256]bool) {
	for c := ' '; c < 0x7f; c++ {
		t[c] = c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return t
}()

// IsPlain reports whether AppendString writes a byte unchanged, whatever the
// bytes next to it.
func IsPlain(c byte) bool { return plain[c] }

// AppendString appends a string as JSON that is safe in a script element, with
// hidden characters as \u202e. A byte that is not UTF-8 becomes the text \xNN,
// as in the workbook.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	dst = AppendStringPart(dst, s)
	return append(dst, '"')
}

// AppendStringPart is AppendString without the quotes.
func AppendStringPart(dst []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plain[c] {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			dst = appendASCII(append(dst, s[start:i]...), c)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(append(dst, s[start:i]...), '\\'), HexByte[c]...)
		case IsHidden(r):
			dst = appendRune(append(dst, s[start:i]...), r)
		default:
			i += size
			continue
		}
		i += size
		start = i
	}
	return append(dst, s[start:]...)
}

// AppendTerminalString appends a string as JSON that is also safe on a terminal.
// The result is that of encoding/json without HTML escapes, then TerminalJSON. Most
// URLs need no escape.
func AppendTerminalString(dst []byte, s string) []byte {
	return appendQuoted(dst, s, isUnprintable)
}

// AppendPlainString appends a string as JSON. The result is that of encoding/json
// without HTML escapes, then JSON.
func AppendPlainString(dst []byte, s string) []byte { return appendQuoted(dst, s, IsHidden) }

func appendQuoted(dst []byte, s string, hidden func(rune) bool) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if c >= utf8.RuneSelf && (r != utf8.RuneError || size > 1) && !hidden(r) {
			i += size
			continue
		}
		dst = append(dst, s[start:i]...)
		if at := strings.IndexByte("\"\\\b\f\n\r\t", c); at >= 0 {
			dst = append(dst, '\\', `"\bfnrt`[at])
		} else {
			dst = appendRune(dst, r)
		}
		i += size
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// appendASCII is a fast appendRune for the characters that are escaped most
// often.
func appendASCII(dst []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}
