package escape

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsHidden reports whether a character is invisible or misleading.
func IsHidden(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Noncharacter_Code_Point, r)
}

// IsMisleading reports whether a hidden character changes how the text around it
// is read. The others, such as the joiners of Persian words and of emoji, may be
// needed by users of the text.
func IsMisleading(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// Show makes hidden characters visible: ASCII controls and bytes that are not
// UTF-8 as \x0A, others as [U+202E].
func Show(s string) string { return ShowFunc(s, IsHidden) }

// Quoted quotes text from other sources in a sentence: between backticks, with inner
// backticks escaped, hidden characters shown, and cut after limit bytes.
func Quoted(s string, limit int) string {
	s = strings.ReplaceAll(s[:min(len(s), limit+utf8.UTFMax)], "`", HexByte['`']) // showing never shortens text
	return "`" + Cut(Show(s), limit) + "`"
}

// ShowInvalid makes visible only bytes that are not UTF-8, as \xFF. JSON and
// Parquet strings may not contain them, and readers refuse files that do.
func ShowInvalid(s string) string { return ShowFunc(s, func(rune) bool { return false }) }

// ShowFunc is Show for the characters that hidden reports, and for bytes that
// are not UTF-8.
func ShowFunc(s string, hidden func(rune) bool) string {
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
			b.WriteString(HexByte[s[i]])
		case r != utf8.RuneError && hidden(r):
			fmt.Fprintf(&b, "[U+%04X]", r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// Printable makes text safe for a terminal, character by character: all but tabs
// and characters of unicode.IsPrint become U+FFFD.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return utf8.RuneError
	}, s)
}

// HexByte shows a byte that is not UTF-8, or an ASCII control: \x0A.
var HexByte = func() (t [256]string) {
	const digits = "0123456789ABCDEF"
	for c := range t {
		t[c] = `\x` + string(digits[c>>4]) + string(digits[c&15])
	}
	return t
}()

// CutMark ends a text that was longer than allowed.
const CutMark = "… [cut]"

// Cut shortens text that is longer than limit bytes, as Prefix does, and adds
// CutMark.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return Prefix(s, limit) + CutMark
}

// Prefix returns the longest prefix of s that is at most limit bytes long and
// does not end within a character.
func Prefix(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
