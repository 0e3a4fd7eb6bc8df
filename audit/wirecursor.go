package audit

import "unicode/utf8"

// cursor reads along a line; bad stays true after the first error.
type cursor struct {
	rest []byte
	bad  bool
}

func (c *cursor) at(b byte) bool { return len(c.rest) > 0 && c.rest[0] == b }

func (c *cursor) skip(literal string) bool {
	if len(c.rest) < len(literal) || string(c.rest[:len(literal)]) != literal {
		return false
	}
	c.rest = c.rest[len(literal):]
	return true
}

// text reads up to the closing quote; it leaves escapes and bytes that are not UTF-8 to
// encoding/json.
func (c *cursor) text() []byte {
	n := plainPrefix(c.rest)
	if n == len(c.rest) || c.rest[n] != '"' || !utf8.Valid(c.rest[:n]) {
		c.bad, c.rest = true, nil
		return nil
	}
	text := c.rest[:n]
	c.rest = c.rest[n+1:]
	return text
}

// number reads a JSON integer of at most ten digits; it leaves longer ones to encoding/json.
func (c *cursor) number() int {
	negative := c.skip("-")
	n, i := 0, 0
	for i < len(c.rest) && i < 10 && c.rest[i]-'0' <= 9 {
		n = n*10 + int(c.rest[i]-'0')
		i++
	}
	if i == 0 || (i > 1 && c.rest[0] == '0') {
		c.bad = true
	}
	c.rest = c.rest[i:]
	if negative {
		return -n
	}
	return n
}

// readNumbers reads the numbers of a list after its opening bracket, and the closing bracket.
func readNumbers[T int32 | int64](c *cursor, dst []T) []T {
	for !c.bad && !c.skip("]") {
		n := c.number()
		if n != int(T(n)) {
			c.bad = true
		}
		dst = append(dst, T(n))
		if c.skip(",") == c.at(']') { // exactly one of the two, and no comma before the end
			c.bad = true
		}
	}
	return dst
}
