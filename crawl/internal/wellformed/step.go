package wellformed

import "unicode/utf8"

// ascii reads b[i], or a run of bytes that begins there, and returns the next index.
func (c *Checker) ascii(b []byte, i int) int {
	ch := b[i]
	k := class[ch]
	if k&isBad != 0 {
		c.stop("a control character, which XML does not allow")
		return i
	}
	switch c.state {
	case inText:
		return c.text(b, i)
	case afterLess:
		return c.less1(b, i)
	case inName, inTag, inAttr, beforeEqual, beforeQuote, inValue, afterSlash:
		return c.startTag(b, i)
	case inEndName, inEndTag:
		return c.endTag(b, i)
	case inReference:
		return c.referenceByte(b, i)
	}
	return c.other(b, i)
}

// text reads character data.
func (c *Checker) text(b []byte, i int) int {
	ch := b[i]
	if ch == '<' {
		if len(c.starts) > 0 {
			if size := c.Tag(b[i:]); size > 0 {
				c.take(b[i : i+size])
				return i + size
			}
		}
		c.less, c.state = c.at, afterLess
		c.brackets = 0
		return i + 1
	}
	if len(c.starts) == 0 {
		if class[ch]&isSpace != 0 {
			return run(b, i, isSpace)
		}
		c.outside()
		return i
	}
	if end := run(b, i, isText); end > i {
		c.brackets = 0
		return end
	}
	switch ch {
	case '&':
		c.back, c.state, c.brackets = inText, inReference, 0
		c.scratch = c.scratch[:0]
	case ']':
		c.brackets = min(c.brackets+1, 2)
	case '>':
		if c.brackets == 2 {
			c.stop("]]> in text: write ]]&gt;")
		}
		c.brackets = 0
	}
	return i + 1
}

// outside stops at text outside of the root element.
func (c *Checker) outside() {
	if c.rooted {
		c.stop("text after the end of the last element")
	} else {
		c.stop("text before the first tag")
	}
}

// less1 reads the byte after a '<'.
func (c *Checker) less1(b []byte, i int) int {
	c.name = c.name[:0]
	switch ch := b[i]; {
	case ch == '/':
		if len(c.starts) == 0 {
			c.stop("an end tag without a start tag")
			return i
		}
		c.state = inEndName
	case ch == '?':
		c.state = inTarget
	case ch == '!':
		c.state = afterBang
		c.scratch = c.scratch[:0]
	case class[ch]&isStart != 0:
		c.beginTag()
		return i
	default:
		c.stop("a '<' that is not part of a tag: write &lt;")
		return i
	}
	return i + 1
}

// character reads the character at b[i], which may have begun in the previous
// piece.
func (c *Checker) character(b []byte, i int) int {
	raw := b[i:]
	had := len(c.carry)
	if had > 0 || !utf8.FullRune(raw) {
		c.carry = append(c.carry, raw[:min(len(raw), utf8.UTFMax-had)]...)
		if !utf8.FullRune(c.carry) {
			return len(b)
		}
		raw = c.carry
	}
	r, size := utf8.DecodeRune(raw)
	if had > 0 {
		c.carry = c.carry[:0]
	}
	c.at -= int64(had) // start of the character
	switch {
	case r == utf8.RuneError && size == 1:
		c.stop("bytes that are not UTF-8")
	case !isRune(r):
		c.stop("a character that XML does not allow")
	default:
		c.rune(r, raw[:size])
	}
	c.at += int64(had)
	return i + size - had
}

// rune reads a character that is not ASCII.
func (c *Checker) rune(r rune, raw []byte) {
	switch c.state {
	case inText:
		c.brackets = 0
		if len(c.starts) > 0 {
			return
		}
		if r == 0xfeff && c.at == 0 {
			c.begin = int64(len(raw))
			return
		}
		c.outside()
	case inValue:
		c.filled = true
	case inComment:
	case afterDash:
		c.state = inComment
	case inCDATA:
		c.brackets = 0
	case inInstruction, afterMark:
		c.state = inInstruction
		c.scratchDeclaration(raw)
	case inDoctype:
		c.keep(raw)
	case afterLess:
		if !isNameStart(r) {
			c.stop("a '<' that is not part of a tag: write &lt;")
			return
		}
		c.name = c.name[:0]
		c.beginTag()
		c.nameRune(r, raw)
	case inTag:
		c.beginAttr(r)
		c.nameRune(r, raw)
	case inName, inAttr, inEndName, inTarget:
		c.nameRune(r, raw)
	case inReference:
		if len(c.scratch) == 0 && !isNameStart(r) || !isNameRune(r) || len(c.scratch) > 0 && c.scratch[0] == '#' {
			c.stop(rawAmpersand)
			return
		}
		c.keepRef(raw)
	default:
		c.stop("a character in the wrong place")
	}
}
