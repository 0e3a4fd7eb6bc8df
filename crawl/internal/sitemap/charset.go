package sitemap

import (
	"bufio"
	"bytes"
	"io"
	"mime"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"

	"robots-audit/crawl/internal/weburl"
)

const byteOrderMark = "\xef\xbb\xbf"

// decode returns src as UTF-8. The charset is found by a byte order mark or the shape of
// UTF-16 or UTF-32. Otherwise the XML declaration decides, which is by the author and
// part of the file; then the Content-Type. RFC 7303 prefers the Content-Type, but
// servers often send the same charset for all files. peeked has the first bytes of src.
func decode(src io.Reader, peeked *bufio.Reader, contentType string, n *Notes) io.Reader {
	head := firstBytes(peeked)
	if order, ok := utf32Order(head); ok {
		n.Count(NoteNotUTF8, "utf-32")
		return transform.NewReader(src, utf32.UTF32(order, utf32.IgnoreBOM).NewDecoder())
	}
	if order, ok := utf16Order(head); ok {
		if head[2] != 0 && head[2] < 0x80 && head[3] != 0 && head[3] < 0x80 {
			n.Count(NoteUnknownCharset, "the file begins with the mark of UTF-16, but is not UTF-16")
		} else {
			n.Count(NoteNotUTF8, "utf-16")
		}
		return transform.NewReader(src, unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder())
	}
	label := declared(head)
	if label == "" {
		if _, params, err := mime.ParseMediaType(contentType); err == nil {
			label = params["charset"]
		}
	}
	if bytes.HasPrefix(head, []byte(byteOrderMark)) {
		label = declared(head) // a Content-Type is overruled by the mark
		if enc, ok := lookUp(label); enc != nil || !ok {
			n.Count(NoteUnknownCharset, weburl.Truncate(label, 64)+", but the file begins with the mark of UTF-8")
		}
		return src
	}
	enc, ok := lookUp(label)
	if !ok {
		n.Count(NoteUnknownCharset, weburl.Truncate(label, 64))
	}
	if enc == nil {
		return src
	}
	n.Count(NoteNotUTF8, strings.ToLower(label))
	return transform.NewReader(src, enc.NewDecoder())
}

// utf32Order recognizes UTF-32 by its byte order mark, or by three zero bytes
// next to the first character.
func utf32Order(head []byte) (order utf32.Endianness, ok bool) {
	if len(head) < 4 {
		return order, false
	}
	switch a, b, c, d := head[0], head[1], head[2], head[3]; {
	case a == 0xff && b == 0xfe && c == 0 && d == 0, a != 0 && b == 0 && c == 0 && d == 0:
		return utf32.LittleEndian, true
	case a == 0 && b == 0 && c == 0xfe && d == 0xff, a == 0 && b == 0 && c == 0 && d != 0:
		return utf32.BigEndian, true
	}
	return order, false
}

// utf16Order recognizes UTF-16 by its byte order mark, or by a zero byte next to the first
// character. That is '<' or the 'h' of a URL.
func utf16Order(head []byte) (order unicode.Endianness, ok bool) {
	if len(head) < 4 {
		return order, false
	}
	switch {
	case head[0] == 0xff && head[1] == 0xfe, head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return unicode.LittleEndian, true
	case head[0] == 0xfe && head[1] == 0xff, head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return unicode.BigEndian, true
	}
	return order, false
}

// firstBytes returns the first bytes of a file, including its XML declaration
// if it has one. It waits for no more of the file than necessary.
func firstBytes(r *bufio.Reader) (head []byte) {
	for n := 32; n <= 1024; n *= 2 {
		head, _ = r.Peek(n)
		text := bytes.TrimLeft(head, space+byteOrderMark)
		if len(head) < n || len(text) > 5 && !bytes.HasPrefix(text, []byte("<?xml")) || bytes.Contains(text, []byte("?>")) {
			break
		}
	}
	return head
}

// declared returns the encoding in an XML declaration at the start.
func declared(head []byte) string {
	head = bytes.TrimLeft(head, space+byteOrderMark)
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	head, _, _ = bytes.Cut(head, []byte("?>"))
	for head = head[len("<?xml"):]; len(head) > 0; {
		var key, value []byte
		key, value, head, _ = attribute(head)
		if string(key) == "encoding" {
			return string(bytes.TrimSpace(value))
		}
	}
	return ""
}

// lookUp returns the encoding of a label. It is nil for UTF-8 and for labels
// read as UTF-8: US-ASCII, which is part of it; UTF-16, since the bytes so far
// are not UTF-16; and unknown names. For the last two, ok is false.
func lookUp(label string) (enc encoding.Encoding, ok bool) {
	switch strings.ToLower(label) {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		return nil, true
	}
	enc, name := charset.Lookup(label)
	switch name {
	case "utf-8":
		return nil, true
	case "", "utf-16le", "utf-16be", "replacement", "x-user-defined":
		return nil, false
	}
	return enc, true
}
