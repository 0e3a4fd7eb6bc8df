package layout

import (
	"strings"

	"robots-audit/engine/escape"
)

// The characters with a meaning in HTML, and their escapes. In both places more characters are
// escaped than HTML requires, so that neither depends on its context.
var (
	textEscapes = [256]string{'&': "&amp;", '<': "&lt;", '>': "&gt;"}
	attrEscapes = [256]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&#34;", '\'': "&#39;", '`': "&#96;"}
)

// clear marks the bytes that are visible and need no escape in either place.
var clear = func() (t [256]bool) {
	for c := ' '; c < 0x7f; c++ {
		t[c] = attrEscapes[c] == ""
	}
	return t
}()

// AppendText appends text as the content of an element. Invisible and misleading characters are
// shown, as in package escape. It is not for the content of script and style.
func AppendText(dst []byte, s string) []byte { return appendEscaped(dst, s, &textEscapes) }

// AppendAttr appends text as the value of an attribute, between quotes of either kind.
func AppendAttr(dst []byte, s string) []byte { return appendEscaped(dst, s, &attrEscapes) }

// appendEscaped reads most texts only once: they have nothing to escape or show.
func appendEscaped(dst []byte, s string, escapes *[256]string) []byte {
	i := 0
	for i < len(s) && clear[s[i]] {
		i++
	}
	if i == len(s) {
		return append(dst, s...)
	}
	s = escape.Show(s)
	start := 0
	for ; i < len(s); i++ {
		if e := escapes[s[i]]; e != "" {
			dst = append(append(dst, s[start:i]...), e...)
			start = i + 1
		}
	}
	return append(dst, s[start:]...)
}

// AppendProse appends a sentence, in which `back quotes` surround code. A quote without a partner is text: a rule may have one.
func AppendProse(dst []byte, s string) []byte {
	parts := strings.Split(s, "`")
	if len(parts)%2 == 0 {
		parts = []string{s}
	}
	for i, part := range parts {
		if i%2 == 0 {
			dst = AppendText(dst, part)
		} else {
			dst = append(AppendText(append(dst, "<code>"...), part), "</code>"...)
		}
	}
	return dst
}
