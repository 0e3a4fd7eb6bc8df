package wellformed

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// doctype checks a document type, which may be complete since a '>' was read.
func (c *Checker) doctype() {
	d := doctype{rest: c.scratch}
	switch d.read() {
	case whole:
		c.state, c.typed, c.open, c.defaults = inText, true, d.open, d.open || d.defaults
		c.Entities = slices.Compact(d.entities)
	case bad:
		c.stop("a document type with wrong syntax")
	}
}

// doctype parses a document type (productions 28 to 30, 69 to 82), after its
// "<!DOCTYPE". It recognizes declarations by their first word, and does not
// check their content.
type doctype struct {
	rest     []byte
	open     bool     // entities and prefixes may be declared in a place that is not read
	defaults bool     // attributes are declared, perhaps with a default, perhaps xmlns
	entities []string // names of declared entities
}

// result is the state of a document type.
type result uint8

const (
	unfinished result = iota // the '>' that ends it is not read yet
	whole
	bad
)

func (d *doctype) read() result {
	if !d.space() || !d.name() {
		return d.failed()
	}
	spaced := d.space()
	for _, kind := range [...]struct {
		word     string
		literals int
	}{{"SYSTEM", 1}, {"PUBLIC", 2}} {
		if rest, is := bytes.CutPrefix(d.rest, []byte(kind.word)); is && spaced {
			d.rest, d.open = rest, true
			for range kind.literals {
				if !d.space() || !d.literal() {
					return d.failed()
				}
			}
			d.space()
		}
	}
	if rest, is := bytes.CutPrefix(d.rest, []byte("[")); is {
		d.rest = rest
		if r := d.subset(); r != whole {
			return r
		}
		d.space()
	}
	if string(d.rest) == ">" {
		return whole
	}
	return d.failed()
}

// failed returns unfinished if all text was used, else bad.
func (d *doctype) failed() result {
	if len(d.rest) == 0 {
		return unfinished
	}
	return bad
}

// subset reads the inner declarations.
func (d *doctype) subset() result {
	for {
		d.space()
		switch {
		case len(d.rest) == 0:
			return unfinished
		case d.rest[0] == ']':
			d.rest = d.rest[1:]
			return whole
		case bytes.HasPrefix(d.rest, []byte("<!--")):
			_, rest, found := bytes.Cut(d.rest[4:], []byte("--"))
			if !found || len(rest) == 0 {
				return unfinished
			}
			if rest[0] != '>' {
				return bad
			}
			d.rest = rest[1:]
		case bytes.HasPrefix(d.rest, []byte("<?")):
			d.rest = d.rest[2:]
			if !d.name() || !bytes.HasPrefix(d.rest, []byte("?>")) && !d.space() {
				return d.failed()
			}
			_, rest, found := bytes.Cut(d.rest, []byte("?>"))
			if !found {
				return unfinished
			}
			d.rest = rest
		case d.rest[0] == '%':
			d.rest, d.open = d.rest[1:], true
			if !d.name() || len(d.rest) == 0 || d.rest[0] != ';' {
				return d.failed()
			}
			d.rest = d.rest[1:]
		default:
			if r := d.declaration(); r != whole {
				return r
			}
		}
	}
}

// declaration reads one declaration.
func (d *doctype) declaration() result {
	for _, word := range [...]string{"<!ENTITY", "<!ATTLIST", "<!ELEMENT", "<!NOTATION"} {
		rest, is := bytes.CutPrefix(d.rest, []byte(word))
		if !is {
			continue
		}
		d.rest = rest
		if !d.space() {
			return d.failed()
		}
		d.defaults = d.defaults || word == "<!ATTLIST"
		if from := d.rest; word == "<!ENTITY" && d.name() {
			d.entities = append(d.entities, string(from[:len(from)-len(d.rest)]))
		}
		for len(d.rest) > 0 {
			switch ch := d.rest[0]; {
			case ch == '>':
				d.rest = d.rest[1:]
				return whole
			case ch == '"' || ch == '\'':
				if !d.literal() {
					return unfinished
				}
			case ch == '<':
				return bad
			default:
				d.rest = d.rest[1:]
			}
		}
		return unfinished
	}
	return bad
}

// space skips white space, and reports whether there was any.
func (d *doctype) space() bool {
	n := run(d.rest, 0, isSpace)
	d.rest = d.rest[n:]
	return n > 0
}

// name skips a name.
func (d *doctype) name() bool {
	n := 0
	for n < len(d.rest) {
		r, size := utf8.DecodeRune(d.rest[n:])
		if n == 0 && !isNameStart(r) || !isNameRune(r) {
			break
		}
		n += size
	}
	d.rest = d.rest[n:]
	return n > 0
}

// literal skips a text in quotes.
func (d *doctype) literal() bool {
	if len(d.rest) == 0 || !strings.ContainsRune(`"'`, rune(d.rest[0])) {
		return false
	}
	end := bytes.IndexByte(d.rest[1:], d.rest[0])
	if end < 0 {
		d.rest = nil // it is not complete
		return false
	}
	d.rest = d.rest[end+2:]
	return true
}

// Entities returns the general entities that a document type declares; b
// begins with it.
func Entities(b []byte) []string {
	var c Checker
	c.Read(b)
	return c.Entities
}
