// Package wellformed finds the place at which a strict XML parser stops
// reading a document: where it is not well-formed by XML 1.0 (fifth edition)
// or Namespaces in XML 1.0.
//
// The document comes in pieces of any size. What is held of it is bounded: the
// names of open elements, the prefixes that are declared, the attributes of
// one tag. A document that goes beyond a bound is given up, and nothing is
// said of what follows: no verdict is better than a wrong one. Inside a
// document type, declarations are told apart but not looked into.
package wellformed

import (
	"bytes"
	"unicode/utf8"
)

// Bounds of what is held of a document.
const (
	maxNames   = 64 << 10 // bytes of the names of open elements
	maxDepth   = 1024     // elements open
	maxName    = 4 << 10  // bytes of one name
	maxAttrs   = 64       // attributes of one tag
	maxBound   = 32       // prefixes declared at a time
	maxScratch = 8 << 10  // bytes of a document type, or of an XML declaration
	maxRef     = 64       // bytes of a reference
)

// Fault is the first place at which a document is not well-formed.
type Fault struct {
	Byte   int64  // at which a strict parser stops; the first byte is 1
	Line   int64  // in which it lies; the first line is 1
	Reason string // in words
}

// Checker reads a document. The zero value is ready for its first byte.
type Checker struct {
	state state
	at    int64 // bytes read
	less  int64 // where the last '<' stands
	begin int64 // where the document begins: behind a byte order mark
	lf    int64 // line feeds read
	cr    int64 // carriage returns read

	names  []byte // of the open elements, one behind the other
	starts []int  // where each begins
	rooted bool   // the root element has begun

	name     []byte // being read: of a start tag, an end tag, an instruction
	attrs    []byte // names of the tag's attributes, one behind the other
	ends     []int  // where each ends
	bound    []byte // prefixes declared, one behind the other
	bindings []binding

	scratch  []byte // a reference, a document type, what follows "<!", an XML declaration
	carry    []byte // the beginning of a character whose end is still to come
	quote    byte   // that ends the attribute's value
	back     state  // where a reference stands
	brackets int    // ']' read one after the other, up to 2
	spaced   bool   // white space came after the last attribute
	filled   bool   // the attribute's value is not empty
	declares bool   // the instruction is the XML declaration

	typed    bool     // the document type has come
	open     bool     // it may declare entities elsewhere
	defaults bool     // it may declare prefixes
	Entities []string // general entities that it declares

	fault Fault
}

// binding is a prefix that is declared.
type binding struct {
	end   int // in Checker.bound
	depth int // of the element that declares it
}

// state is what the next byte is read as part of.
type state uint8

const (
	inText state = iota
	afterLess
	inName      // of a start tag
	inTag       // behind the name or an attribute of a start tag
	inAttr      // name of an attribute
	beforeEqual // behind it
	beforeQuote // behind its '='
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
	afterTarget // '?' right behind the target
	inReference
	inDoctype
	over // a fault was found, or the document is given up
)

// Reset makes the checker ready for another document. It keeps its buffers.
func (c *Checker) Reset() {
	*c = Checker{names: c.names[:0], starts: c.starts[:0], name: c.name[:0], attrs: c.attrs[:0], ends: c.ends[:0],
		bound: c.bound[:0], bindings: c.bindings[:0], scratch: c.scratch[:0], carry: c.carry[:0]}
}

// GiveUp ends the reading; nothing more will be said.
func (c *Checker) GiveUp() { c.state = over }

// Over says whether the reading is over: a fault was found, or the document is
// given up.
func (c *Checker) Over() bool { return c.state == over }

// Fault returns the place at which the document is not well-formed; ok is
// false if none was found so far.
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

// line returns the number of the line that was reached. Line feeds end lines;
// carriage returns do in a file that has no line feeds so far.
func (c *Checker) line() int64 {
	if c.lf == 0 {
		return 1 + c.cr
	}
	return 1 + c.lf
}

// End tells that the document ends here.
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

// stop notes a fault at the byte being read.
func (c *Checker) stop(reason string) {
	c.state = over
	c.fault = Fault{Byte: c.at + 1, Reason: reason}
}
