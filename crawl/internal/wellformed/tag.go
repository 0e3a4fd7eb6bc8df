package wellformed

import "strings"

// beginTag begins a start tag, before its name.
func (c *Checker) beginTag() {
	if len(c.starts) == 0 && c.rooted {
		c.stop("a second root element: XML allows only one")
		return
	}
	c.state = inName
	c.name, c.attrs, c.ends = c.name[:0], c.attrs[:0], c.ends[:0]
}

// nameRune adds a character to the current name.
func (c *Checker) nameRune(r rune, raw []byte) {
	if c.state == over {
		return
	}
	first := len(c.name) == 0
	if c.state == inAttr {
		first = len(c.attr()) == 0
	}
	if first && !isNameStart(r) || !isNameRune(r) {
		c.stop("a character that is not allowed there in a name")
		return
	}
	c.nameBytes(raw)
}

// nameBytes adds bytes to the current name.
func (c *Checker) nameBytes(raw []byte) {
	into := &c.name
	if c.state == inAttr {
		into = &c.attrs
	}
	if *into = append(*into, raw...); len(*into) > maxName {
		c.GiveUp()
	}
}

// startTag reads in a start tag.
func (c *Checker) startTag(b []byte, i int) int {
	ch := b[i]
	k := class[ch]
	switch c.state {
	case inName:
		if end := run(b, i, isName); end > i {
			c.nameBytes(b[i:end])
			return end
		}
		if k&isSpace == 0 && ch != '/' && ch != '>' {
			c.stop("a character that is not allowed in a name")
			return i
		}
		if c.checkName(c.name) {
			c.state, c.spaced = inTag, false
		}
		return i
	case inTag:
		switch {
		case k&isSpace != 0:
			c.spaced = true
			return run(b, i, isSpace)
		case ch == '>':
			c.opened(false)
		case ch == '/':
			c.state = afterSlash
		case k&isStart != 0:
			c.beginAttr(rune(ch))
			return c.attribute(b, i)
		default:
			c.stop("text in a tag that is not an attribute")
		}
	case inAttr:
		if end := run(b, i, isName); end > i {
			c.nameBytes(b[i:end])
			return end
		}
		c.endAttr()
		return i
	case beforeEqual:
		switch {
		case k&isSpace != 0:
		case ch == '=':
			c.state = beforeQuote
		default:
			c.stop("an attribute without a value")
		}
	case beforeQuote:
		switch {
		case k&isSpace != 0:
		case ch == '"' || ch == '\'':
			c.quote, c.state, c.filled = ch, inValue, false
		default:
			c.stop("an attribute's value without quotes")
		}
	case inValue:
		return c.value(b, i)
	case afterSlash:
		if ch != '>' {
			c.stop("a '/' in a tag")
			return i
		}
		c.opened(true)
	}
	return i + 1
}

// attribute reads a complete attribute in its usual form at once. Otherwise, or
// if the name has a fault, it returns i.
func (c *Checker) attribute(b []byte, i int) int {
	equal := run(b, i, isName)
	if c.state != inAttr || equal+1 >= len(b) || b[equal] != '=' || b[equal+1] != '"' && b[equal+1] != '\'' {
		return i
	}
	value := equal + 2
	end := run(b, value, isValue)
	if end == len(b) || b[end] != b[equal+1] {
		return i
	}
	at := c.at
	c.nameBytes(b[i:equal])
	if c.state == over {
		return i
	}
	c.at = at + int64(equal-i)
	if c.endAttr(); c.state == over {
		return i
	}
	c.at, c.filled = at+int64(end-i), end > value
	c.state, c.spaced = inTag, false
	c.bind()
	return end + 1
}

// value reads an attribute's value.
func (c *Checker) value(b []byte, i int) int {
	if end := run(b, i, isValue); end > i {
		c.filled = true
		return end
	}
	switch ch := b[i]; ch {
	case c.quote:
		c.state, c.spaced = inTag, false
		c.bind()
	case '<':
		c.stop("a '<' in an attribute's value: write &lt;")
	case '&':
		c.filled = true
		c.back, c.state = inValue, inReference
		c.scratch = c.scratch[:0]
	default: // the other kind of quote
		c.filled = true
	}
	return i + 1
}

// opened ends a start tag.
func (c *Checker) opened(empty bool) {
	if !c.checkPrefixes() {
		return
	}
	c.rooted, c.state = true, inText
	if empty {
		c.unbind(len(c.starts) + 1)
		return
	}
	c.push(c.name)
}

// push opens an element.
func (c *Checker) push(name []byte) {
	if len(c.names)+len(name) > maxNames || len(c.starts) == maxDepth {
		c.GiveUp()
		return
	}
	c.starts = append(c.starts, len(c.names))
	c.names = append(c.names, name...)
}

// top returns the name of the innermost open element.
func (c *Checker) top() []byte { return c.names[c.starts[len(c.starts)-1]:] }

// endTag reads in an end tag.
func (c *Checker) endTag(b []byte, i int) int {
	ch := b[i]
	if c.state == inEndName {
		if end := run(b, i, isName); end > i {
			c.nameBytes(b[i:end])
			return end
		}
		if top := c.top(); string(top) != string(c.name) {
			c.stop("</" + short(c.name) + "> instead of </" + short(top) + ">")
			return i
		}
		c.state = inEndTag
	}
	switch {
	case class[ch]&isSpace != 0:
	case ch == '>':
		c.unbind(len(c.starts))
		last := len(c.starts) - 1
		c.names, c.starts = c.names[:c.starts[last]], c.starts[:last]
		c.state = inText
	default:
		c.stop("something other than '>' at the end of an end tag")
	}
	return i + 1
}

// short returns a name, shortened for a reason.
func short(name []byte) string {
	if len(name) > 40 {
		return strings.ToValidUTF8(string(name[:40]), "") + "…"
	}
	return string(name)
}
