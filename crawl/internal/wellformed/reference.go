package wellformed

import (
	"slices"
	"strconv"
)

const rawAmpersand = "an '&' that is not part of a reference: write &amp;"

// referenceByte reads a byte in a reference.
func (c *Checker) referenceByte(b []byte, i int) int {
	ch := b[i]
	switch {
	case ch == ';':
		c.reference()
	case c.continues(ch):
		c.keepRef(b[i : i+1])
	default:
		c.stop(rawAmpersand)
	}
	return i + 1
}

// continues reports whether a reference can continue with ch.
func (c *Checker) continues(ch byte) bool {
	switch n := len(c.scratch); {
	case n == 0:
		return ch == '#' || class[ch]&isStart != 0
	case c.scratch[0] != '#':
		return class[ch]&isName != 0
	case n > 1 && c.scratch[1] == 'x':
		return '0' <= ch && ch <= '9' || 'a' <= ch && ch <= 'f' || 'A' <= ch && ch <= 'F'
	case n == 1 && ch == 'x':
		return true
	}
	return '0' <= ch && ch <= '9'
}

// keepRef keeps a part of a reference.
func (c *Checker) keepRef(raw []byte) {
	if c.scratch = append(c.scratch, raw...); len(c.scratch) > maxRef {
		if c.typed {
			c.GiveUp()
			return
		}
		c.stop(rawAmpersand)
	}
}

// reference ends a reference.
func (c *Checker) reference() {
	c.state = c.back
	switch name := string(c.scratch); {
	case name == "":
		c.stop(rawAmpersand)
	case name[0] == '#':
		if !isCharacter(name[1:]) {
			c.stop("&" + name + "; is not a character of XML")
		}
	case name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos":
	case c.open || slices.Contains(c.Entities, name):
	default:
		c.stop("&" + name + "; is not defined in XML")
	}
}

// isCharacter reports whether the number of a character reference is a
// character of XML (production 66). It has only digits.
func isCharacter(digits string) bool {
	base := 10
	if digits != "" && digits[0] == 'x' {
		base, digits = 16, digits[1:]
	}
	n, err := strconv.ParseUint(digits, base, 64)
	return err == nil && n <= 0x10ffff && isRune(rune(n))
}
