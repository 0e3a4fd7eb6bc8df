package table

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Bounds of XML, far above those of any program that writes workbooks. Excel's own cells have at
// most 32,767 characters.
const (
	maxDepth = 100     // open elements
	maxToken = 1 << 20 // bytes of one tag with its attributes, one text, or one comment
	maxText  = 1 << 20 // bytes of the text of one cell
	maxIndex = 8 << 20 // bytes of a part that lists other parts
)

var errToken = fmt.Errorf("a tag or a text of more than %d KB", maxToken>>10)

// elements reads the tags and texts of a part. It keeps only the one that was read last.
type elements struct {
	in    budget
	xml   *xml.Decoder
	close func() error
	of    *Archive
	name  string
	depth int
}

// budget reads a limited number of bytes for each token.
type budget struct {
	*bufio.Reader
	left int
}

func (b *budget) ReadByte() (byte, error) {
	if b.left--; b.left < 0 {
		return 0, errToken
	}
	return b.Reader.ReadByte()
}

// part opens a part of a workbook.
func (b *Book) part(name string) (*elements, error) {
	f := b.files[strings.ToLower(name)]
	if f == nil {
		return nil, fmt.Errorf("%s: this part of the workbook is missing", name)
	}
	in, err := b.archive.Unpack(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	e := &elements{in: budget{Reader: bufio.NewReader(in)}, close: in.Close, of: b.archive, name: name}
	e.xml = xml.NewDecoder(&e.in)
	return e, nil
}

// next returns the next tag or text; io.EOF = the part ended normally. It reads raw tokens, for
// which the decoder keeps no data.
func (e *elements) next() (xml.Token, error) {
	e.in.left = maxToken
	token, err := e.xml.RawToken()
	if e.of.tokens++; err == nil && e.of.tokens > e.of.limits.Tokens {
		err = fmt.Errorf("more than %d tags and texts. Save the sheet as .csv", e.of.limits.Tokens)
	}
	switch token.(type) {
	case xml.StartElement:
		if e.depth++; e.depth > maxDepth {
			err = fmt.Errorf("more than %d elements within each other", maxDepth)
		}
	case xml.EndElement:
		e.depth--
	}
	if errors.Is(err, io.EOF) {
		if e.depth <= 0 {
			return nil, io.EOF
		}
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, e.fault("%w", err)
	}
	return token, nil
}

// fault returns an error with the name of the part.
func (e *elements) fault(format string, args ...any) error {
	return fmt.Errorf("%s: %w", e.name, fmt.Errorf(format, args...))
}

// attribute returns the value of an attribute, by its name without a prefix; "" = there is none.
func attribute(tag xml.StartElement, name string) string {
	for _, a := range tag.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
