package wellformed

import (
	"regexp"
	"strings"
)

// other reads markup other than text and tags.
func (c *Checker) other(b []byte, i int) int {
	ch := b[i]
	switch c.state {
	case inComment, inInstruction, inCDATA:
		if c.declares || ch == '>' && c.brackets == 2 {
			break
		}
		if end := run(b, i, isPlain); end > i {
			c.brackets = 0
			return end
		}
	}
	switch c.state {
	case afterBang:
		c.bang(ch)
	case inComment:
		if ch == '-' {
			c.state = afterDash
		}
	case afterDash:
		c.state = inComment
		if ch == '-' {
			c.state = afterDashes
		}
	case afterDashes:
		if ch != '>' {
			c.stop("-- inside a comment")
			return i
		}
		c.state = inText
	case inCDATA:
		switch {
		case ch == ']':
			c.brackets = min(c.brackets+1, 2)
		case ch == '>' && c.brackets == 2:
			c.state, c.brackets = inText, 0
		default:
			c.brackets = 0
		}
	case inTarget, inInstruction, afterMark, afterTarget:
		return c.instruction(b, i)
	case inDoctype:
		if c.keep(b[i : i+1]); ch == '>' && c.state != over {
			c.doctype()
		}
	}
	return i + 1
}

// bang reads the text after "<!".
func (c *Checker) bang(ch byte) {
	switch c.scratch = append(c.scratch, ch); string(c.scratch) {
	case "--":
		c.state = inComment
	case "[CDATA[":
		if c.state, c.brackets = inCDATA, 0; len(c.starts) == 0 {
			c.outside()
		}
	case "DOCTYPE":
		c.state, c.scratch = inDoctype, c.scratch[:0]
		if c.rooted || c.typed {
			c.stop("a document type in the wrong place")
		}
	default:
		if s := string(c.scratch); !strings.HasPrefix("[CDATA[", s) && !strings.HasPrefix("DOCTYPE", s) && s != "-" {
			c.stop("<! without a comment, CDATA section or document type")
		}
	}
}

// instruction reads in a processing instruction.
func (c *Checker) instruction(b []byte, i int) int {
	ch := b[i]
	switch c.state {
	case inTarget:
		if end := run(b, i, isName); end > i && (len(c.name) > 0 || class[ch]&isStart != 0) {
			c.nameBytes(b[i:end])
			return end
		}
		c.target(ch)
	case afterTarget:
		if ch != '>' {
			c.stop("a '?' in the name of an instruction")
			return i
		}
		c.state = inText
	case inInstruction:
		if ch == '?' {
			c.state = afterMark
		}
		c.scratchDeclaration(b[i : i+1])
	case afterMark:
		c.scratchDeclaration(b[i : i+1])
		switch {
		case ch == '>' && c.declares && !declaration.Match(c.scratch):
			c.stop(`an XML declaration that is not of the form <?xml version="1.0" encoding="UTF-8"?>`)
		case ch == '>':
			c.state, c.declares = inText, false
		case ch != '?':
			c.state = inInstruction
		}
	}
	return i + 1
}

// target ends the name of an instruction; ch follows it.
func (c *Checker) target(ch byte) {
	switch {
	case len(c.name) == 0:
		c.stop("<? without an instruction")
	case strings.EqualFold(string(c.name), "xml"):
		c.declares = true
		c.scratch = c.scratch[:0]
		switch {
		case string(c.name) != "xml":
			c.stop("an instruction with the name " + string(c.name) + ", which is reserved")
		case c.less != c.begin && c.rooted:
			c.stop("an XML declaration (<?xml) in the middle of the file")
		case c.less != c.begin:
			c.stop("an XML declaration (<?xml) that is not at the very beginning of the file")
		case class[ch]&isSpace == 0:
			c.stop("an XML declaration (<?xml) without white space after its name")
		}
		if c.state != over {
			c.state = inInstruction
			c.scratchDeclaration([]byte{ch})
		}
	case class[ch]&isSpace != 0:
		c.state = inInstruction
	case ch == '?':
		c.state = afterTarget
	default:
		c.stop("a character that is not allowed in the name of an instruction")
	}
}

// declaration is an XML declaration (productions 23 to 32), after its "<?xml".
// The only version is 1.0, as before the fifth edition, since parsers accept no
// other.
var declaration = regexp.MustCompile(`^[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.0"|'1\.0')` +
	`(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*'))?` +
	`(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>$`)

// scratchDeclaration keeps the text of the XML declaration.
func (c *Checker) scratchDeclaration(raw []byte) {
	if c.declares {
		c.keep(raw)
	}
}

// keep keeps text that is checked when it is complete.
func (c *Checker) keep(raw []byte) {
	if c.scratch = append(c.scratch, raw...); len(c.scratch) > maxScratch {
		c.GiveUp()
	}
}
