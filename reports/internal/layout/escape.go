package layout

import "robots-audit/engine/escape"

// The characters that mean something in HTML, and how they are written. In both places more
// of them are escaped than HTML asks for, so that neither depends on what stands around it.
var (
	textEscapes = [256]string{'&': "&amp;", '<': "&lt;", '>': "&gt;"}
	attrEscapes = [256]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&#34;", '\'': "&#39;", '`': "&#96;"}
)

// clear holds the bytes that stand for themselves in both places, and that everybody sees.
var clear = func() (t [256]bool) {
	for c := ' '; c < 0x7f; c++ {
		t[c] = attrEscapes[c] == ""
	}
	return t
}()

// AppendText appends text as the content of an element; what could not be seen or would
// mislead is shown, as package escape has it. It is not for the content of script and style.
func AppendText(dst []byte, s string) []byte { return appendEscaped(dst, s, &textEscapes) }

// AppendAttr appends text as the value of an attribute, which stands between quotes of
// either kind.
func AppendAttr(dst []byte, s string) []byte { return appendEscaped(dst, s, &attrEscapes) }

// appendEscaped looks at most texts once: they hold nothing to be escaped or shown.
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
