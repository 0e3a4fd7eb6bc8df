// Package wellformed finds the place where a strict XML parser stops reading a
// document: where it is not well-formed by XML 1.0 (fifth edition) or
// Namespaces in XML 1.0.
//
// The document comes in pieces of any size. Memory is limited: only the names
// of open elements, the declared prefixes and the attributes of one tag are
// kept. If a document exceeds a limit, the check ends without a result: no
// result is better than a wrong one. In a document type, the content of
// declarations is not checked.
package wellformed

import (
	"bytes"
	"unicode/utf8"
)

// Limits of the data kept for a document.
const (
	maxNames   = 64 << 10 // bytes of the names of open elements
	maxDepth   = 1024     // open elements
	maxName    = 4 << 10  // bytes of one name
	maxAttrs   = 64       // attributes of one tag
	maxBound   = 32       // prefixes declared at the same time
	maxScratch = 8 << 10  // bytes of a document type, or of an XML declaration
	maxRef     = 64       // bytes of a reference
)

// Fault is the first place where a document is not well-formed.
type Fault struct {
	Byte   int64  // where a strict parser stops; the first byte is 1
	Line   int64  // its line; the first line is 1
	Reason string // in words
}

// Checker reads a document. The zero value is ready for its first byte.
type Checker struct {
	state state
	at    int64 // bytes read
	less  int64 // offset of the last '<'
	begin int64 // start of the document, after a byte order mark
	lf    int64 // line feeds read
	cr    int64 // carriage returns read

	names  []byte // of the open elements, joined
	starts []int  // where each begins
	rooted bool   // the root element has begun

	name     []byte // current name of a start tag, an end tag, an instruction
	attrs    []byte // names of the tag's attributes, joined
	ends     []int  // where each ends
	bound    []byte // declared prefixes, joined
	bindings []binding

	scratch  []byte // a reference, a document type, the text after "<!", an XML declaration
	carry    []byte // the beginning of an incomplete character
	quote    byte   // the quote that ends the attribute's value
	back     state  // the state to return to after a reference
	brackets int    // consecutive ']' read, up to 2
	spaced   bool   // there was white space after the last attribute
	filled   bool   // the attribute's value is not empty
	declares bool   // the instruction is the XML declaration

	typed    bool     // the document type was read
	open     bool     // it may declare entities elsewhere
	defaults bool     // it may declare prefixes
	Entities []string // general entities that the document type declares

	fault Fault
}

// binding is a declared prefix.
type binding struct {
	end   int // in Checker.bound
	depth int // of the element that declares it
}

// state is the syntax that the next byte belongs to.
type state uint8

const (
	inText state = iota
	afterLess
	inName      // of a start tag
	inTag       // after the name or an attribute of a start tag
	inAttr      // name of an attribute
	beforeEqual // after it
	beforeQuote // after its '='
	inValue
	afterSlash // of an empty element
	inEndName
	inEndTag
	afterBang
	inComment
	afterDash
	afterDashes
	inCDATA
	inTarget // of an instruction
	inInstruction
	afterMark   // '?' inside of it
	afterTarget // '?' directly after the target
	inReference
	inDoctype
	over // a fault was found, or the check was given up
)

// Reset makes the checker ready for another document. It keeps its buffers.
func (c *Checker) Reset() {
	*c = Checker{names: c.names[:0], starts: c.starts[:0], name: c.name[:0], attrs: c.attrs[:0], ends: c.ends[:0],
		bound: c.bound[:0], bindings: c.bindings[:0], scratch: c.scratch[:0], carry: c.carry[:0]}
}

// GiveUp ends the check without a result.
func (c *Checker) GiveUp() { c.state = over }

// Over reports whether the check has ended: a fault was found, or it was given
// up.
func (c *Checker) Over() bool { return c.state == over }

// Fault returns the place where the document is not well-formed; ok is false if
// none was found so far.
func (c *Checker) Fault() (f Fault, ok bool) { return c.fault, c.fault.Byte > 0 }

// Read reads the next piece of the document.
func (c *Checker) Read(b []byte) {
	from := c.at
	for i := 0; i < len(b) && c.state != over; c.at = from + int64(i) {
		if b[i] < utf8.RuneSelf && len(c.carry) == 0 {
			i = c.ascii(b, i)
		} else {
			i = c.character(b, i)
		}
	}
	if c.state == over {
		if c.fault.Byte > 0 && c.fault.Line == 0 {
			c.count(b[:max(0, c.fault.Byte-1-from)])
			c.fault.Line = c.line()
		}
		return
	}
	c.count(b)
}

// count counts the line ends of a piece.
func (c *Checker) count(b []byte) {
	c.lf += int64(bytes.Count(b, []byte("\n")))
	if c.lf == 0 {
		c.cr += int64(bytes.Count(b, []byte("\r")))
	}
}

// line returns the number of the current line. Line feeds end lines; carriage
// returns do so in a file without line feeds so far.
func (c *Checker) line() int64 {
	if c.lf == 0 {
		return 1 + c.cr
	}
	return 1 + c.lf
}

// End marks the end of the document.
func (c *Checker) End() {
	switch {
	case c.state == over:
	case len(c.carry) > 0:
		c.at -= int64(len(c.carry))
		c.stop("bytes that are not UTF-8: the file ends in the middle of a character")
	case len(c.starts) > 0:
		c.stop("the file ends before </" + short(c.top()) + ">")
	case c.state == inDoctype:
		c.stop("the file ends inside its document type")
	case c.state != inText:
		c.stop("the file ends in the middle of a tag, comment or declaration")
	case !c.rooted:
		c.stop("the file has no element")
	}
	if c.fault.Line == 0 && c.fault.Byte > 0 {
		c.fault.Line = c.line()
	}
}

// stop records a fault at the current byte.
func (c *Checker) stop(reason string) {
	c.state = over
	c.fault = Fault{Byte: c.at + 1, Reason: reason}
}
