package escape

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Code returns text as Markdown code, in which nothing is markup, with hidden characters shown; ""
// stays "".
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

// Markdown escapes text so that nothing in it is Markdown, with hidden characters shown. The
// characters of signs get a backslash. Words that sites turn into mentions and references, such as
// @name and #12, become code: an escaped sign would still make a reference when the page is built.
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

// refers reports whether a word contains a sign that begins a name or number reference on GitHub or
// GitLab, with text after it. An @ after a letter or digit, as in a crawler's label, begins none.
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
