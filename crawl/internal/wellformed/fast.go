package wellformed

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// These methods read markup in its usual form at once, which is much faster than
// byte by byte. All other markup is left to Read, with the same result.

// Inside reports whether the checker is in character data within the root, so
// that the other methods may be called.
func (c *Checker) Inside() bool { return c.state == inText && len(c.starts) > 0 && len(c.carry) == 0 }

// Settled reports whether only the root has declared prefixes: those are valid up to its end.
func (c *Checker) Settled() bool {
	n := len(c.bindings)
	return n == 0 || c.bindings[n-1].depth == 1
}

// Element reads an element of n bytes that has a Name, no attributes, and only
// text that is Usual.
func (c *Checker) Element(n int) {
	c.at += int64(n)
	c.brackets = 0
}

// Tag returns the size of the start tag that b begins with, if it is complete
// and well-formed. It returns 0 if the tag must be left to Read. Take reads it.
func (c *Checker) Tag(b []byte) int {
	i := run(b, 1, isName)
	if i == len(b) || !c.Name(b[1:i]) {
		return 0
	}
	var keys [maxUsual][]byte
	for n := 0; ; n++ {
		from := i
		i = run(b, i, isSpace)
		if i+1 >= len(b) {
			return 0
		}
		switch {
		case b[i] == '>':
			return i + 1
		case b[i] == '/' && b[i+1] == '>':
			return i + 2
		case i == from || n == len(keys):
			return 0
		}
		equal := run(b, i, isName)
		if equal+1 >= len(b) || b[equal] != '=' || b[equal+1] != '"' && b[equal+1] != '\'' {
			return 0
		}
		key := b[i:equal]
		value := b[equal+2:]
		end := bytes.IndexByte(value, b[equal+1])
		if end < 0 || !usual(value[:end], '<') && !sound(value[:end], isValue) || !c.Name(key) || bytes.HasPrefix(key, []byte("xmlns")) {
			return 0
		}
		for _, other := range keys[:n] {
			if string(other) == string(key) {
				return 0
			}
		}
		keys[n] = key
		i = equal + 2 + end + 1
	}
}

// maxUsual is the maximum number of attributes of a tag for Tag.
const maxUsual = 8

// Take reads a start tag with the size that Tag returned.
func (c *Checker) Take(tag []byte) {
	c.at += int64(len(tag))
	c.count(tag)
	c.take(tag)
}

func (c *Checker) take(tag []byte) {
	c.brackets = 0
	if tag[len(tag)-2] != '/' {
		c.push(tag[1:run(tag, 1, isName)])
	}
}

// Open reads a start tag that has a Name and no attributes.
func (c *Checker) Open(name []byte) {
	c.at += int64(len(name)) + 2
	c.brackets = 0
	c.push(name)
}

// Close reads an end tag, if it matches the open element.
func (c *Checker) Close(name []byte) bool {
	from := c.starts[len(c.starts)-1]
	if len(c.bindings) > 0 && c.bindings[len(c.bindings)-1].depth == len(c.starts) || string(c.names[from:]) != string(name) {
		return false
	}
	c.at += int64(len(name)) + 3
	c.brackets = 0
	c.names, c.starts = c.names[:from], c.starts[:len(c.starts)-1]
	return true
}

// Blank reads white space, and returns its length.
func (c *Checker) Blank(b []byte) int {
	i := 0
	for ; i < len(b); i++ {
		if ch := b[i]; ch == '\n' {
			c.lf++
		} else if ch == '\r' {
			c.cr++
		} else if ch != ' ' && ch != '\t' {
			break
		}
		c.brackets = 0
	}
	c.at += int64(i)
	return i
}

// Name reports whether b is a name of ASCII characters whose prefix, if any, is
// declared.
func (c *Checker) Name(b []byte) bool {
	colon := -1
	for i, ch := range b {
		k := class[ch]
		if k&isName == 0 || i == colon+1 && (k&isStart == 0 || ch == ':') || ch == ':' && colon >= 0 {
			return false
		}
		if ch == ':' {
			colon = i
		}
	}
	return colon < len(b)-1 && (colon < 0 || c.Bound(b[:colon]))
}

// Usual reports whether text is well-formed and has no line ends, no '>', and
// no reference but &amp;.
func Usual(text []byte) bool {
	return usual(text, '>') && bytes.IndexByte(text, '<') < 0 || sound(text, isText)
}

// sound reports whether b has only bytes of a class, characters that are not
// ASCII, and &amp;.
func sound(b []byte, of uint8) bool {
	for i := 0; i < len(b); {
		switch ch := b[i]; {
		case ch >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(b[i:])
			if size == 1 || !isRune(r) {
				return false
			}
			i += size
		case ch >= ' ' && class[ch]&of != 0:
			i++
		case ch == '&' && bytes.HasPrefix(b[i:], []byte("&amp;")):
			i += len("&amp;")
		default:
			return false
		}
	}
	return true
}

// usual reports whether b is printable ASCII without '&' and without less. It
// tests eight bytes at a time.
func usual(b []byte, less byte) bool {
	const ones = 0x0101010101010101
	without := uint64(less) * ones
	for len(b) >= 8 {
		x := binary.LittleEndian.Uint64(b)
		if (x|(x-' '*ones)|((x^'&'*ones)-ones)|((x^without)-ones))&(0x80*ones) != 0 {
			return false
		}
		b = b[8:]
	}
	for _, ch := range b {
		if ch-' ' >= 0x60 || ch == '&' || ch == less {
			return false
		}
	}
	return true
}
