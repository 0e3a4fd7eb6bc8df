package reports

import (
	"strconv"

	"robots-audit/reports/internal/buffer"
)

// maxRows is the number of rows of a sheet, the header among them.
const maxRows = 1048576

// maxParts is the number of sheets that a table may fill. What is more is told
// in its last row and stands in the records: nobody opens such a workbook.
const maxParts = 20

// maxPart is the number of bytes of XML after which a sheet is continued in a
// further one, whatever its rows: readers hold a part to four gigabytes.
const maxPart = 1 << 30

// column is a column of a sheet of rows T.
type column[T any] struct {
	title string
	width float64           // characters
	value func(row *T) cell // what stands in the row's cell
}

// sheetKind is what all sheets of one name have in common, in every workbook
// of a run.
type sheetKind struct {
	name     string
	titles   []string
	names    []string // of the columns: A, B, …
	widths   []float64
	marks    []mark
	optional bool // only there when it has rows
}

// mark is the conditional format of a column: highlights for what its cells
// say, or, where there are none, a bar as long as the number. Colours repeat what
// a text says: nothing is lost where they are not seen.
type mark struct {
	column     int // 0-based
	highlights []highlight
}

// highlight is the colour of cells that hold a text and nothing else.
type highlight struct {
	text   string
	colour colour
}

// colour is one of text and ground, readable in grey too.
type colour uint8

const (
	red colour = iota
	amber
	grey
	green
	colours // how many there are
)

// table is a kind of sheet whose rows are T.
type table[T any] struct {
	kind    *sheetKind
	columns []column[T]
	height  func(row *T) float64 // of rows with text over several lines, in points; nil = one line each
}

func newTable[T any](name string, columns []column[T], marks ...mark) *table[T] {
	k := &sheetKind{name: name, marks: marks}
	for _, c := range columns {
		k.titles = append(k.titles, c.title)
		k.widths = append(k.widths, c.width)
	}
	k.names = columnNames(len(columns))
	return &table[T]{kind: k, columns: columns}
}

// sheet is a sheet that is being written, and the sheets that continue it
// once it is full.
type sheet[T any] struct {
	*table[T]
	parts  []*part
	rows   int   // of the last part, the header among them
	lost   int64 // rows that found no room
	digits []byte
}

// sheetParts is a sheet whatever its rows.
type sheetParts interface {
	title() string  // its name, without the number of one that continues it
	optional() bool // see sheetKind
	begun() bool    // has a header row
	open(*book)
	note(w *book, sentence string)

	shape() *sheetKind
	written() []*part
	end(*book)
}

func (s *sheet[T]) shape() *sheetKind { return s.kind }
func (s *sheet[T]) written() []*part  { return s.parts }

func (s *sheet[T]) title() string  { return s.kind.name }
func (s *sheet[T]) optional() bool { return s.kind.optional }
func (s *sheet[T]) begun() bool    { return len(s.parts) > 0 }

// add writes a row.
func (s *sheet[T]) add(w *book, row *T) {
	if n := len(s.parts); n == maxParts && (s.rows >= w.rowLimit-1 || s.parts[n-1].size > maxPart) {
		s.lost++
		return
	} else if n == 0 || s.rows >= w.rowLimit || s.parts[n-1].size > maxPart {
		s.open(w)
	}
	p := s.parts[len(s.parts)-1]
	s.rows++
	s.digits = strconv.AppendInt(s.digits[:0], int64(s.rows), 10)
	dst := append(append(append(p.raw, `<row r="`...), s.digits...), '"')
	if s.height != nil {
		dst = append(strconv.AppendFloat(append(dst, ` ht="`...), s.height(row), 'f', -1, 64), `" customHeight="1"`...)
	}
	dst = append(dst, '>')
	for i := range s.columns {
		c := s.columns[i].value(row)
		dst = appendCell(dst, s.kind.names[i], s.digits, &c)
	}
	p.raw = append(dst, `</row>`...)
	if w.full(p) {
		w.compress(p)
	}
}

// end ends the last part.
func (s *sheet[T]) end(w *book) {
	p := s.parts[len(s.parts)-1]
	if s.lost > 0 {
		s.say(text(w.style.moreRows(s.lost)))
	}
	w.endPart(s.kind, p, s.rows)
}

// say writes a row of one cell.
func (s *sheet[T]) say(c cell) {
	p := s.parts[len(s.parts)-1]
	s.rows++
	s.digits = strconv.AppendInt(s.digits[:0], int64(s.rows), 10)
	p.raw = append(append(append(p.raw, `<row r="`...), s.digits...), `">`...)
	p.raw = append(appendCell(p.raw, s.kind.names[0], s.digits, &c), `</row>`...)
}

// open begins a part with its header row.
func (s *sheet[T]) open(w *book) {
	if len(s.parts) > 0 {
		s.end(w)
	}
	p := w.style.begin(s.kind, len(s.parts) == 0)
	p.raw = buffer.Get()
	s.parts, s.rows = append(s.parts, p), 1
}

// columnName returns "A", "Z", "AA" for a 0-based column.
func columnName(i int) string {
	if i >= 26 {
		return columnName(i/26-1) + columnName(i%26)
	}
	return string(rune('A' + i))
}

// columnNames returns the names of the first n columns.
func columnNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = columnName(i)
	}
	return names
}

// note writes a sentence in place of rows, at the sheet's top.
func (s *sheet[T]) note(w *book, sentence string) {
	s.open(w)
	s.say(atTop(sentence))
}
