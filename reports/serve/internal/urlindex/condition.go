package urlindex

import (
	"bytes"
	"slices"
)

// condition is what is looked for in URLs.
type condition struct {
	text   []byte // every URL that is found has this
	begins [][]byte
	place  place
}

// place is where in a URL the text is.
type place int

const (
	anywhere  place = iota // in any letter case
	beginning              // the URL begins with one of begins
	path                   // path and query begin with text
	whole                  // text is the URL
)

// holds reports whether a URL that has the text is found.
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

// between reports whether a URL from first on, up to last, may be found; last is nil where the end is
// not known.
func (c *condition) between(first, last []byte) bool {
	return c.begins == nil || slices.ContainsFunc(c.begins, func(b []byte) bool {
		return (last == nil || bytes.Compare(last, b) >= 0) && (bytes.HasPrefix(first, b) || bytes.Compare(first, b) < 0)
	})
}

// all reports whether every URL from first on, up to last, is found, as far as that is known without
// reading them.
func (c *condition) all(first, last []byte) bool {
	return len(c.text) == 0 && c.place == anywhere || c.place == beginning && last != nil && slices.ContainsFunc(c.begins, func(b []byte) bool {
		return bytes.HasPrefix(first, b) && bytes.HasPrefix(last, b)
	})
}
