package engine

import (
	"fmt"
	"strings"
)

// textHead is the number of first bytes that decide whether a file is text.
const textHead = 1024

// isText reports whether a response is a text file, by its Content-Type if
// there is one, and by its first bytes. HTML does not count as text here.
func isText(contentType string, body []byte) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.ToLower(trim(kind))
	if kind != "" && (!strings.HasPrefix(kind, "text/") || kind == "text/html") {
		return false
	}
	head := string(body[:min(len(body), textHead)])
	if strings.IndexByte(head, 0) >= 0 {
		return false
	}
	head = trim(strings.TrimPrefix(head, "\xEF\xBB\xBF"))
	return !hasPrefixFold(head, "<!doctype html") && !hasPrefixFold(head, "<html")
}

// wideText says whether a text is encoded as "UTF-16" or "UTF-32"; "" = neither.
// A byte order mark decides, unless the text has fields without decoding. Without
// a mark, the decoded text must have fields: in a program or an image every
// second byte may be NUL too.
func wideText(text string) string {
	for _, mark := range [...]struct{ bytes, name string }{
		{"\xFF\xFE\x00\x00", "UTF-32"}, {"\x00\x00\xFE\xFF", "UTF-32"}, {"\xFF\xFE", "UTF-16"}, {"\xFE\xFF", "UTF-16"},
	} {
		if strings.HasPrefix(text, mark.bytes) && !hasField(text) {
			return mark.name
		}
	}
	if strings.IndexByte(text, 0) < 0 {
		return ""
	}
	for _, size := range [...]int{2, 4} {
		if isWide(text, size, false) || isWide(text, size, true) {
			return fmt.Sprintf("UTF-%d", 8*size)
		}
	}
	return ""
}

// isWide reports whether a text has fields when decoded as units of size bytes each,
// big-endian or little-endian. Bytes left after the last unit are ignored: a text
// that was cut, or got a line end added, has some.
func isWide(text string, size int, bigEnd bool) bool {
	var decoded strings.Builder
	for ; len(text) >= size; text = text[size:] {
		c := uint32(0)
		for i := range size {
			if bigEnd {
				c = c<<8 | uint32(text[i])
			} else {
				c |= uint32(text[i]) << (8 * i)
			}
		}
		if c < ' ' && !isSpace(byte(c)) {
			return false
		}
		decoded.WriteRune(rune(c)) // invalid characters become U+FFFD
	}
	return hasField(decoded.String())
}

// hasField reports whether a line of a text has a field of robots.txt.
func hasField(text string) bool {
	for r := newLineReader(&Profile{}, text); r.next(); {
		if r.kind > lineNoField && r.kind < lineOther {
			return true
		}
	}
	return false
}

// signatures are the first bytes of files that are not text, and the name of
// each kind.
var signatures = []struct{ begin, what string }{
	{"\x7FELF", "a program (ELF)"},
	{"MZ", "a program for Windows"},
	{"\x89PNG\r\n\x1A\n", "a PNG image"},
	{"\xFF\xD8\xFF", "a JPEG image"},
	{"GIF8", "a GIF image"},
	{"RIFF", "an image or a recording (RIFF)"},
	{"\x00\x00\x01\x00", "an icon"},
	{"\x1F\x8B", "compressed by gzip"},
	{"BZh", "compressed by bzip2"},
	{"\xFD7zXZ\x00", "compressed by xz"},
	{"\x28\xB5\x2F\xFD", "compressed by zstd"},
	{"PK\x03\x04", "a zip archive"},
	{"%PDF-", "a PDF document"},
	{"wOF", "a font"},
}

// binaryKind says what kind of file a body is if it is not text, in words that follow
// "is"; "" = it is text. A body with a signature that is only letters is text if it has
// fields.
func binaryKind(body string) string {
	is := isBinary(body)
	for _, s := range signatures {
		if strings.HasPrefix(body, s.begin) && (is || !hasField(body)) {
			return s.what
		}
	}
	if is {
		return "binary"
	}
	return ""
}

// isBinary reports whether a body is not text: more than 1 of 32 bytes are control
// characters. In random bytes it is 1 of 10. Escape does not count, since Japanese
// texts use it to switch alphabets. NUL after the text, to fill a block, does not
// count either.
func isBinary(body string) bool {
	body = strings.TrimRight(body, "\x00\r\n")
	odd := 0
	for i := range len(body) {
		if c := body[i]; c < ' ' && !isSpace(c) && c != '\x1B' {
			odd++
		}
	}
	return odd > 8 && odd > len(body)/32
}
