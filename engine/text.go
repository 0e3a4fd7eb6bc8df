package engine

import (
	"fmt"
	"strings"
)

// textHead is the number of bytes by which a text is told from other files.
const textHead = 1024

// isText reports whether an answer is a text file: by its Content-Type where
// one was sent, and by its first bytes. HTML does not count as text here.
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

// wideText says in which wide encoding a text is written, "UTF-16" or "UTF-32";
// "" = in none. Its byte order mark says so, unless there are fields that need no
// decoding; without a mark the text has to have fields once it is decoded. Every
// second byte of a program or an image may be NUL, too.
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

// isWide reports whether a text has fields, once it is decoded as units of size
// bytes each, the big end first or the little one. What is left of the last unit does
// not count: a text that was cut, or had a line end added to it, has some.
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
		decoded.WriteRune(rune(c)) // what is no character becomes U+FFFD
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

// signatures are the bytes by which files that are no text begin, and what such
// a file is.
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

// binaryKind says what a body is that is no text, in words that follow "is"; "" =
// it is text. One that begins as some kind of file, in letters, and has fields is text.
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

// isBinary reports whether a body is no text: whether more than 1 of 32 bytes are
// control characters, of which chance makes 1 of 10. Escape is not counted, by which
// Japanese texts change between alphabets, nor is NUL after the text, which fills a
// block.
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
