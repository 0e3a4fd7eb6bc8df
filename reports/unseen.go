package reports

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a site says may hold characters that nobody sees, or that mislead: they
// steer a terminal (C0 and C1 controls), turn the direction in which the text
// around them is shown (Unicode Standard Annex 9), end a line where none ends,
// have no width, or are no characters at all, which HTML forbids. No file that
// is read as text has them as they came.

// unseen reports whether a character is such a one.
func unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Noncharacter_Code_Point, r)
}

// misleads reports whether a character is one of the worse of them, which
// change how the text around it is read. The others, such as the joiners of
// Persian words and of emoji, may be needed by those who use the text again.
func misleads(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// shown makes visible what is unseen: characters of ASCII and bytes that are
// not UTF-8 as \x0A, others as [U+202E].
func shown(s string) string { return reveal(s, unseen) }

// reveal writes those characters for which hidden says so, and bytes that are
// not UTF-8, as what they are called.
func reveal(s string, hidden func(rune) bool) string {
	i := 0
	for i < len(s) && s[i] >= ' ' && s[i] < 0x7f {
		i++
	}
	if strings.IndexFunc(s[i:], func(r rune) bool { return r == utf8.RuneError || hidden(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < utf8.RuneSelf && hidden(r):
			b.WriteString(hexShown[s[i]])
		case r != utf8.RuneError && hidden(r):
			fmt.Fprintf(&b, "[U+%04X]", r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// seenJSON writes what is unseen in a text of JSON as the escape \u202e, which
// means the same there: outside of strings no such character is legal. The text
// comes back as it is where it holds none.
func seenJSON(text []byte) []byte {
	var out []byte
	start := 0
	for i := 0; i < len(text); {
		if c := text[i]; c < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if unseen(r) {
			out = appendEscape(append(out, text[start:i]...), r)
			start = i + size
		}
		i += size
	}
	if start == 0 {
		return text
	}
	return append(out, text[start:]...)
}

// appendEscape appends a character as JSON's \u escape, or two of them.
func appendEscape(dst []byte, r rune) []byte {
	if r > 0xFFFF {
		r -= 0x10000
		return fmt.Appendf(dst, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}
