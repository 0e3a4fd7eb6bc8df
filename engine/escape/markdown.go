package escape

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Code is text as code of Markdown, in which nothing is markup, with hidden characters shown; "" stays "".
func Code(s string) string {
	if s == "" {
		return ""
	}
	s = Show(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// Markdown is text of which nothing is Markdown, with hidden characters shown: signs are those that a
// backslash stands before. Words of which sites make mentions and references, as @name and #12, are
// code, in which they do not: an escaped sign would still be one when the page is made.
func Markdown(s, signs string) string {
	var b strings.Builder
	for i, word := range strings.Split(Show(s), " ") {
		if i > 0 {
			b.WriteByte(' ')
		}
		if refers(word) {
			b.WriteString(Code(word))
			continue
		}
		for _, r := range word {
			if strings.ContainsRune(signs, r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// refers reports whether a word holds a sign by which GitHub or GitLab begin the name or number of
// something, with more behind it. An @ behind a letter or digit, as in a crawler's label, begins none.
func refers(word string) bool {
	last := rune(0)
	for i, r := range word {
		behind := word[i+utf8.RuneLen(r):]
		inWord := r == '@' && (unicode.IsLetter(last) || unicode.IsDigit(last))
		if strings.ContainsRune("@#!$%&~", r) && !inWord && behind != "" && !strings.ContainsRune(".,:;)]}'", rune(behind[0])) {
			return true
		}
		last = r
	}
	return false
}
