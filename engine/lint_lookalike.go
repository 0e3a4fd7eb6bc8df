package engine

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lookalikeLetters are Cyrillic letters that look like Latin ones.
var lookalikeLetters = strings.NewReplacer("а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x", "і", "i", "ј", "j", "ѕ", "s",
	"А", "A", "В", "B", "Е", "E", "К", "K", "М", "M", "Н", "H", "О", "O", "Р", "P", "С", "C", "Т", "T", "Х", "X", "І", "I")

// lookalike finds the first Cyrillic letter of a word that is Latin but for
// such letters, and the end of that word; -1 = there is none.
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

// lookalikeIn asks for three Latin letters, since two may be those of an
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
	if latin < 3 || latin <= others || strings.ContainsFunc(lookalikeLetters.Replace(word), isCyrillic) {
		return -1
	}
	return at
}

func hasLookalike(s string) bool {
	at, _ := lookalike(s)
	return at >= 0
}

// lintLookalike reports a Cyrillic letter that was typed for a Latin one.
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
