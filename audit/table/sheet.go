package table

import (
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"
)

// Bounds of a sheet. The first two are Excel's.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
	maxRow     = 16 << 20 // bytes of the texts of one row
	maxAllRows = 16 << 20 // of all sheets, including rows without cells
)

// Rows yields the rows of a sheet from the first on, also those without cells, with the stored
// values of their cells. The next row overwrites the slice.
func (s Sheet) Rows() iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		e, err := s.book.part(s.part)
		if err != nil {
			yield(nil, err)
			return
		}
		defer e.close()
		if s.ods > 0 {
			s.odsRows(e)(yield)
			return
		}
		r := rowReader{e: e, book: s.book}
		for {
			row, err := r.next()
			if err == io.EOF || !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// rowReader reads the rows of a sheet.
type rowReader struct {
	e      *elements
	book   *Book
	cells  []string
	number int // of the row, from 1 on
	blank  int // rows without cells before it
	size   int // of the texts in the row
	column int // of the cell, from 1 on
	kind   string
	full   bool // the cell has a value or a formula
	text   cellText
	done   bool // the rows have ended; the rest is read for its checksum
}

// next returns the next row; io.EOF = there is none.
func (r *rowReader) next() ([]string, error) {
	for {
		if r.blank > 0 {
			r.blank--
			return nil, nil
		}
		token, err := r.e.next()
		if err == nil && !r.done {
			err = r.text.add(r.e, token)
		}
		if err != nil {
			return nil, err
		}
		if r.done {
			continue
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "row":
				err = r.beginRow(token)
			case "c":
				err = r.beginCell(token)
			case "f":
				r.full = true
			}
		case xml.EndElement:
			switch token.Name.Local {
			case "c":
				err = r.endCell()
			case "row":
				return r.cells, nil
			case "sheetData":
				r.done = true
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

// beginRow begins a row, after any omitted rows before it.
func (r *rowReader) beginRow(tag xml.StartElement) error {
	before := r.number
	r.number++
	if n, err := strconv.Atoi(attribute(tag, "r")); err == nil && n > r.number {
		r.number = n
	}
	r.cells, r.column, r.size = r.cells[:0], 0, 0
	r.blank = r.number - before - 1
	r.book.rows += r.number - before
	switch {
	case r.number > maxRows:
		return r.e.fault("more than %d rows", maxRows)
	case r.book.rows > maxAllRows:
		return r.e.fault("more than %d rows in all sheets", maxAllRows)
	}
	return nil
}

// beginCell begins a cell, which may have its position.
func (r *rowReader) beginCell(tag xml.StartElement) error {
	r.column++
	if at := attribute(tag, "r"); at != "" {
		r.column = columnOf(at)
	}
	if r.column < 1 || r.column > maxColumns {
		return r.e.fault("a cell after column %d, or without a column, in row %d", maxColumns, r.number)
	}
	r.kind, r.full = attribute(tag, "t"), false
	r.text.take(false)
	return nil
}

// columnOf reads the column of a place such as "AB12"; 0 = it is none.
func columnOf(at string) int {
	n := 0
	for _, c := range strings.ToUpper(strings.TrimRight(at, "0123456789")) {
		if c < 'A' || c > 'Z' || n > maxColumns {
			return 0
		}
		n = n*26 + int(c-'A') + 1
	}
	return n
}

// endCell puts the cell into its row. An empty cell is ignored.
func (r *rowReader) endCell() error {
	value := r.text.take(r.kind == "inlineStr")
	if r.kind == "s" && value != "" {
		i, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || i < 0 || i >= len(r.book.shared) {
			return r.e.fault("row %d refers to a text that is missing", r.number)
		}
		value = r.book.shared[i]
	}
	if r.kind == "" || r.kind == "n" {
		value = plainNumber(value)
	}
	if r.size += len(value); r.size > maxRow {
		return r.e.fault("row %d is longer than %d MB", r.number, maxRow>>20)
	}
	if value == "" && !r.full {
		return nil
	}
	if r.column == 0 {
		return r.e.fault("row %d begins inside a cell", r.number)
	}
	for len(r.cells) < r.column {
		r.cells = append(r.cells, "")
	}
	r.cells[r.column-1] = value
	return nil
}

// plainNumber writes a number of a program for Number, which takes a point before three digits for
// one between groups.
func plainNumber(value string) string {
	if at := strings.IndexByte(value, '.'); at >= 0 && len(value)-at == len(".123") {
		value += "0"
	}
	return value
}

// cellText collects the text of a cell: its value or the texts of its runs, without phonetic text.
type cellText struct {
	text     []byte
	inside   bool
	phonetic bool
}

var errText = errors.New("a cell with a text of more than " + strconv.Itoa(maxText>>10) + " KB")

// add adds the text of a token.
func (t *cellText) add(e *elements, token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		t.turn(token.Name.Local, true)
	case xml.EndElement:
		t.turn(token.Name.Local, false)
	case xml.CharData:
		if t.inside && !t.phonetic {
			if t.text = append(t.text, token...); len(t.text) > maxText {
				return e.fault("%w", errText)
			}
		}
	}
	return nil
}

// turn notes the begin or end of an element.
func (t *cellText) turn(name string, begins bool) {
	switch name {
	case "t", "v":
		t.inside = begins
	case "rPh":
		t.phonetic = begins
	}
}

// take returns the text, and begins another. Strings may have escapes for characters that XML
// cannot represent.
func (t *cellText) take(escaped bool) string {
	text := string(t.text)
	t.text = t.text[:0]
	if escaped && strings.Contains(text, "_x") {
		text = escapes.ReplaceAllStringFunc(text, func(e string) string {
			n, _ := strconv.ParseUint(e[2:6], 16, 16)
			return string(rune(n))
		})
	}
	return text
}

var escapes = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)
