package urlindex

import (
	"bytes"
	"slices"
)

// condition is a test of URLs.
type condition struct {
	text   []byte // every matching URL has this text
	begins [][]byte
	place  place
}

// place is the part of a URL that must have the text.
type place int

const (
	anywhere  place = iota // anywhere, in any letter case
	beginning              // the URL begins with one of begins
	path                   // path and query begin with text
	whole                  // the URL equals text
)

// holds reports whether a URL with the text matches.
func (c *condition) holds(loc []byte) bool {
	switch c.place {
	case beginning:
		return slices.ContainsFunc(c.begins, func(b []byte) bool { return bytes.HasPrefix(loc, b) })
	case path:
		_, rest, _ := bytes.Cut(loc, []byte("://"))
		for len(rest) > 0 && rest[0] != '/' && rest[0] != '?' {
			rest = rest[1:]
		}
		return len(rest) > 0 && bytes.HasPrefix(rest, c.text)
	}
	return c.place != whole || bytes.Equal(loc, c.text)
}

// between reports whether a URL from first to before last may match; last is nil if the end is unknown.
func (c *condition) between(first, last []byte) bool {
	return c.begins == nil || slices.ContainsFunc(c.begins, func(b []byte) bool {
		return (last == nil || bytes.Compare(last, b) >= 0) && (bytes.HasPrefix(first, b) || bytes.Compare(first, b) < 0)
	})
}

// all reports whether every URL from first to before last surely matches, without reading them.
func (c *condition) all(first, last []byte) bool {
	return len(c.text) == 0 && c.place == anywhere || c.place == beginning && last != nil && slices.ContainsFunc(c.begins, func(b []byte) bool {
		return bytes.HasPrefix(first, b) && bytes.HasPrefix(last, b)
	})
}
