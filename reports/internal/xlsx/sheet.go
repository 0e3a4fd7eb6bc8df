package xlsx

import (
	"strconv"

	"robots-audit/reports/internal/buffer"
)

// maxRows is the number of rows of a sheet, the header among them.
const MaxRows = 1048576

// maxParts is the number of sheets that a table may fill. What is more is told
// in its last row and stands in the records: nobody opens such a workbook.
const MaxSheets = 20

// maxPart is the number of bytes of XML after which a sheet is continued in a
// further one, whatever its rows: readers hold a part to four gigabytes.
const maxPartSize = 1 << 30

// column is a column of a sheet of rows T.
type Column[T any] struct {
	Title string
	Width float64           // characters
	Value func(row *T) Cell // what stands in the row's cell
}

// sheetKind is what all sheets of one name have in common, in every workbook
// of a run.
type SheetKind struct {
	Name     string
	titles   []string
	names    []string // of the columns: A, B, …
	widths   []float64
	formats  []ConditionalFormat
	Optional bool // only there when it has rows
}

// mark is the conditional format of a column: highlights for what its cells
// say, or, where there are none, a bar as long as the number. Colours repeat what
// a text says: nothing is lost where they are not seen.
type ConditionalFormat struct {
	Column     int // 0-based
	Highlights []Highlight
}

// highlight is the colour of cells that hold a text and nothing else.
type Highlight struct {
	Text   string
	Colour Colour
}

// colour is one of text and ground, readable in grey too.
type Colour uint8

const (
	Red Colour = iota
	Amber
	Grey
	Green
	numColours // how many there are
)

// table is a kind of sheet whose rows are T.
type Table[T any] struct {
	Kind    *SheetKind
	Columns []Column[T]
	Height  func(row *T) float64 // of rows with text over several lines, in points; nil = one line each
}

func NewTable[T any](name string, columns []Column[T], marks ...ConditionalFormat) *Table[T] {
	k := &SheetKind{Name: name, formats: marks}
	for _, c := range columns {
		k.titles = append(k.titles, c.Title)
		k.widths = append(k.widths, c.Width)
	}
	k.names = columnNames(len(columns))
	return &Table[T]{Kind: k, Columns: columns}
}

// sheet is a sheet that is being written, and the sheets that continue it
// once it is full.
type Sheet[T any] struct {
	*Table[T]
	parts   []*part
	rows    int   // of the last part, the header among them
	dropped int64 // rows that found no room
	digits  []byte
}

// sheetParts is a sheet whatever its rows.
type AnySheet interface {
	Name() string   // its name, without the number of one that continues it
	Optional() bool // see sheetKind
	Begun() bool    // has a header row
	Open(*Workbook)
	Note(w *Workbook, sentence string)

	sheetKind() *SheetKind
	written() []*part
	end(*Workbook)
}

func (s *Sheet[T]) sheetKind() *SheetKind { return s.Kind }
func (s *Sheet[T]) written() []*part      { return s.parts }

func (s *Sheet[T]) Name() string   { return s.Kind.Name }
func (s *Sheet[T]) Optional() bool { return s.Kind.Optional }
func (s *Sheet[T]) Begun() bool    { return len(s.parts) > 0 }

// add writes a row.
func (s *Sheet[T]) AddRow(w *Workbook, row *T) {
	if n := len(s.parts); n == MaxSheets && (s.rows >= w.RowLimit-1 || s.parts[n-1].size > maxPartSize) {
		s.dropped++
		return
	} else if n == 0 || s.rows >= w.RowLimit || s.parts[n-1].size > maxPartSize {
		s.Open(w)
	}
	p := s.parts[len(s.parts)-1]
	s.rows++
	s.digits = strconv.AppendInt(s.digits[:0], int64(s.rows), 10)
	dst := append(append(append(p.raw, `<row r="`...), s.digits...), '"')
	if s.Height != nil {
		dst = append(strconv.AppendFloat(append(dst, ` ht="`...), s.Height(row), 'f', -1, 64), `" customHeight="1"`...)
	}
	dst = append(dst, '>')
	for i := range s.Columns {
		c := s.Columns[i].Value(row)
		dst = appendCell(dst, s.Kind.names[i], s.digits, &c)
	}
	p.raw = append(dst, `</row>`...)
	if w.full(p) {
		w.compress(p)
	}
}

// end ends the last part.
func (s *Sheet[T]) end(w *Workbook) {
	p := s.parts[len(s.parts)-1]
	if s.dropped > 0 {
		s.addText(Text(w.Template.MoreRows(s.dropped)))
	}
	w.endPart(s.Kind, p, s.rows)
}

// say writes a row of one cell.
func (s *Sheet[T]) addText(c Cell) {
	p := s.parts[len(s.parts)-1]
	s.rows++
	s.digits = strconv.AppendInt(s.digits[:0], int64(s.rows), 10)
	p.raw = append(append(append(p.raw, `<row r="`...), s.digits...), `">`...)
	p.raw = append(appendCell(p.raw, s.Kind.names[0], s.digits, &c), `</row>`...)
}

// open begins a part with its header row.
func (s *Sheet[T]) Open(w *Workbook) {
	if len(s.parts) > 0 {
		s.end(w)
	}
	p := w.Template.begin(s.Kind, len(s.parts) == 0)
	p.raw = buffer.Get()
	s.parts, s.rows = append(s.parts, p), 1
}

// ColumnName returns "A", "Z", "AA" for a 0-based column.
func ColumnName(i int) string {
	if i >= 26 {
		return ColumnName(i/26-1) + ColumnName(i%26)
	}
	return string(rune('A' + i))
}

// columnNames returns the names of the first n columns.
func columnNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = ColumnName(i)
	}
	return names
}

// note writes a sentence in place of rows, at the sheet's top.
func (s *Sheet[T]) Note(w *Workbook, sentence string) {
	s.Open(w)
	s.addText(TopAligned(sentence))
}
