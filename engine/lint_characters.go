package engine

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// invisible are characters that cannot be seen, or that look like others.
var invisible = map[rune]string{
	0x00A0: "a no-break space", 0x00AD: "a soft hyphen", 0x200B: "a zero-width space", 0x200C: "a zero-width non-joiner",
	0x200D: "a zero-width joiner", 0x200E: "a left-to-right mark", 0x200F: "a right-to-left mark", 0x2060: "a word joiner",
	0xFEFF: "a byte order mark inside the file", 0x2018: "a typographic quote", 0x2019: "a typographic quote",
	0x201C: "a typographic quote", 0x201D: "a typographic quote", 0x2028: "a line separator", 0x2029: "a paragraph separator",
	0x3000: "an ideographic space",
}

func isInvisible(c rune) bool { return invisible[c] != "" }

// lintCharacters looks for invisible and control characters outside comments, and
// reports the first one of a line.
func lintCharacters(l *linter, n *lintLine) {
	if isPrintableASCII(n.text[:n.content]) {
		return
	}
	lintLookalike(l, n)
	lintFullWidth(l, n)
	for i, c := range n.text[:n.content] {
		name, odd := invisible[c]
		if !odd {
			if c >= ' ' && c != 0x7F || c == '\t' {
				continue
			}
			if name = fmt.Sprintf("control character 0x%02X", c); c == 0 {
				name = "a NUL byte"
			}
		}
		size := utf8.RuneLen(c)
		f := l.report("FMT003", n, i, i+size)
		if f == nil {
			return
		}
		f.What = name + " in a line that crawlers read"
		if strings.HasSuffix(name, "quote") && i > n.valueAt && n.kind != lineAgent {
			f.Severity, f.What = Info, name+" in a path" // paths of some sites have them
		}
		if n.kind == lineBlank || n.kind == lineNoField {
			f.What, f.Severity = name+" on a line of its own", Info
		}
		f.Replacement = strings.Map(func(c rune) rune {
			switch name := invisible[c]; {
			case name == "", strings.HasSuffix(name, "quote"):
				return c
			case strings.HasSuffix(name, "space") && name != "a zero-width space":
				return ' '
			}
			return -1
		}, n.text)
		if f.Replacement == n.text || !utf8.ValidString(n.text) {
			f.Replacement = ""
		}
		return
	}
}

// isPrintableASCII reports whether text contains only tabs and visible ASCII, as that of most lines.
func isPrintableASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; (c < ' ' || c >= 0x7F) && c != '\t' {
			return false
		}
	}
	return true
}

// lookalikeLetters are Cyrillic letters that look like Latin ones.
var lookalikeLetters = strings.NewReplacer("а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x", "і", "i", "ј", "j", "ѕ", "s",
	"А", "A", "В", "B", "Е", "E", "К", "K", "М", "M", "Н", "H", "О", "O", "Р", "P", "С", "C", "Т", "T", "Х", "X", "І", "I")

// lookalike finds the first word in which Cyrillic letters stand among Latin
// ones that they look like. It returns the index of its first Cyrillic letter and
// of the end of the word; -1 = there is none.
func lookalike(s string) (at, end int) {
	for i := 0; i < len(s); {
		word := strings.IndexFunc(s[i:], func(c rune) bool { return !unicode.IsLetter(c) })
		if word < 0 {
			word = len(s) - i
		}
		if at := lookalikeIn(s[i : i+word]); at >= 0 {
			return i + at, i + word
		}
		_, size := utf8.DecodeRuneInString(s[i+word:])
		i += word + size
	}
	return -1, -1
}

// lookalikeIn returns the index of the first Cyrillic letter of such a word, else
// -1. The word must have at least three Latin letters: two may be those of an
// escape.
func lookalikeIn(word string) int {
	at, latin, others := -1, 0, 0
	for i, c := range word {
		switch {
		case c < 0x80:
			latin++
		case isCyrillic(c):
			others++
			if at < 0 {
				at = i
			}
		default:
			return -1
		}
	}
	if others == 0 || latin < 3 || latin <= others || strings.ContainsFunc(lookalikeLetters.Replace(word), isCyrillic) {
		return -1
	}
	return at
}

func hasLookalike(s string) bool {
	at, _ := lookalike(s)
	return at >= 0
}

// lintLookalike reports a Cyrillic letter where a Latin one was meant.
func lintLookalike(l *linter, n *lintLine) {
	at, end := lookalike(n.text[:n.content])
	if at < 0 {
		return
	}
	letter, size := utf8.DecodeRuneInString(n.text[at:])
	if f := l.report("FMT003", n, at, at+size); f != nil {
		f.What = fmt.Sprintf("a Cyrillic %c in a Latin word", letter)
		f.Replacement = n.text[:at] + lookalikeLetters.Replace(n.text[at:end]) + n.text[end:]
	}
}

// fullWidth are signs of East Asian keyboards in place of those that readers know.
var fullWidth = []struct{ sign, meant, name string }{{"：", ":", "colon"}, {"＊", "*", "star"}, {"／", "/", "slash"}, {"－", "-", "hyphen"}}

// plain returns the line with plain signs where only these have a meaning: in the field,
// before the value, and as the beginning of the value. at is the index of the first
// full-width one, name its name; -1 = there is none.
func (n *lintLine) plain() (text string, at int, name string) {
	line := strings.TrimLeft(n.text[:n.content], " \t")
	end := strings.IndexAny(line, ":：")
	if n.kind == lineBlank || n.kind == lineComment || end < 0 {
		return "", -1, ""
	}
	// The field with its colon, and the first character of the value.
	_, size := utf8.DecodeRuneInString(line[end:])
	end += size + len(line[end+size:]) - len(strings.TrimLeft(line[end+size:], " \t"))
	_, size = utf8.DecodeRuneInString(line[end:])
	from := n.content - len(line)
	end += from + size
	at, fixed := -1, n.text[from:end]
	for _, w := range fullWidth {
		if i := strings.Index(n.text[from:end], w.sign); i >= 0 && (at < 0 || from+i < at) {
			at, name = from+i, w.name
		}
		fixed = strings.ReplaceAll(fixed, w.sign, w.meant)
	}
	if field, _, _ := strings.Cut(fixed, ":"); lenientProfile.fieldKind(trim(field)) == lineOther {
		return "", -1, ""
	}
	return n.text[:from] + fixed + n.text[end:], at, name
}

func (n *lintLine) isFullWidth() bool {
	_, at, _ := n.plain()
	return at >= 0
}

// lintFullWidth reports a full-width sign where only the plain one has a meaning.
func lintFullWidth(l *linter, n *lintLine) {
	text, at, name := n.plain()
	if at < 0 {
		return
	}
	sign, size := utf8.DecodeRuneInString(n.text[at:])
	if f := l.report("FMT003", n, at, at+size); f != nil {
		f.What = fmt.Sprintf("a full-width %s (%c) instead of the plain one", name, sign)
		f.Fix = "Type the plain character instead."
		f.Replacement = text
	}
}
