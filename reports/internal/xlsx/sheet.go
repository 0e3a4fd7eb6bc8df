package xlsx

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"sync"

	"robots-audit/reports/internal/disk"
)

// MaxRows is the number of rows of a sheet, including the header.
const MaxRows = 1048576

// MaxSheets is the number of sheets that a table may fill. The last row counts the rows beyond it:
// a larger workbook would be useless.
const MaxSheets = 20

// maxPartSize is the number of bytes of XML after which a sheet continues in another one: readers
// limit a part to four gigabytes.
const maxPartSize = 1 << 30

// Column is a column of a sheet of rows T.
type Column[T any] struct {
	Title  string
	Width  float64             // in characters
	Value  func(row *T) Cell   // returns the row's cell
	Link   func(row *T) string // target of the cell's link: path of a file near the workbook as a URL, LinkToSheet or LinkToRow; nil, "" = none
	Folded bool                // for few readers: it is grouped with its neighbours, and hidden until the reader unfolds it
	Extra  bool                // for very few readers: a workbook has it only if everything is requested
}

// SheetKind is the common part of a table's sheets, independent of its rows, in every workbook of a
// template.
type SheetKind struct {
	Name     string
	titles   []string
	names    []string // names of the columns: A, B, …
	widths   []float64
	folded   []bool
	formats  []ConditionalFormat
	columns  string // columns and chart of the sheet, see Table.With and WithChart; "" = all columns, no chart
	Optional bool   // omitted if it has no rows
	Frozen   int    // number of frozen columns, in the table with all columns

	// Charts of its rows are on its first sheet. Such a table has no links: both would need the
	// same file of a sheet's relations.
	Charts []Chart
}

// ConditionalFormat is the format of a column: highlights for texts of its cells or,
// without highlights, bars as long as the numbers. Colours repeat the text, so they
// are not needed to understand it.
type ConditionalFormat struct {
	Column     int // 0-based
	Highlights []Highlight
	By         string // title of the column whose text selects the highlight; "" = the column itself
}

// DataBar is the format of a column, 0-based, whose numbers have bars.
func DataBar(column int) ConditionalFormat { return ConditionalFormat{Column: column} }

// Highlight is the colour of cells with exactly one text.
type Highlight struct {
	Text   string
	Colour Colour
}

// Colour is a pair of text and background colours, also readable in grey.
type Colour uint8

// The colours of highlights.
const (
	Red Colour = iota
	Amber
	Grey
	Green
	numColours // number of colours
)

// Table is a kind of sheet whose rows are T.
type Table[T any] struct {
	Kind    *SheetKind
	Columns []Column[T]
	Height  func(row *T) float64 // for rows with text over several lines, in points; nil = one line each

	mu   sync.Mutex
	with map[string]*Table[T] // by SheetKind.columns
}

// NewTable returns a table with these columns. Its name is that of its sheet.
func NewTable[T any](name string, columns []Column[T], formats ...ConditionalFormat) *Table[T] {
	k := &SheetKind{Name: name, formats: formats}
	for _, c := range columns {
		k.titles = append(k.titles, c.Title)
		k.widths = append(k.widths, c.Width)
		k.folded = append(k.folded, c.Folded)
	}
	k.names = columnNames(len(columns))
	return &Table[T]{Kind: k, Columns: columns}
}

// maxWith bounds the tables that With makes of one.
const maxWith = 64

// Mark notes which columns have a value in a row: a cell that is neither blank nor only a dash. It
// reports whether some column has one for the first time.
func (t *Table[T]) Mark(row *T, used []bool) (more bool) {
	for i := range t.Columns {
		if !used[i] {
			c := t.Columns[i].Value(row)
			used[i] = c.Kind != KindBlank && (c.Kind != KindText || c.Text != "" && c.Text != "–")
			more = more || used[i]
		}
	}
	return more
}

// With returns the table with some of its columns only, by their numbers. It returns the same table
// each time.
func (t *Table[T]) With(columns []bool) *Table[T] {
	key := fmt.Sprint(columns)
	if !slices.Contains(columns, false) {
		return t
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if of := t.with[key]; of != nil {
		return of
	}
	if len(t.with) == maxWith {
		return t
	}
	var list []Column[T]
	var formats []ConditionalFormat
	for i, c := range t.Columns {
		if !columns[i] {
			continue
		}
		for _, f := range t.Kind.formats {
			if f.Column == i {
				f.Column = len(list)
				formats = append(formats, f)
			}
		}
		list = append(list, c)
	}
	of := NewTable(t.Kind.Name, list, formats...)
	of.Kind.Optional, of.Kind.columns, of.Height = t.Kind.Optional, key, t.Height
	for _, shown := range columns[:t.Kind.Frozen] {
		if shown {
			of.Kind.Frozen++
		}
	}
	if t.with == nil {
		t.with = map[string]*Table[T]{}
	}
	t.with[key] = of
	return of
}

// WithChart returns the table with a chart next to its columns. It returns the same table each
// time.
func (t *Table[T]) WithChart(c Chart) *Table[T] {
	t.mu.Lock()
	defer t.mu.Unlock()
	const key = "chart"
	if of := t.with[key]; of != nil {
		return of
	}
	kind := *t.Kind
	kind.columns, kind.Charts = key+kind.columns, []Chart{c}
	of := &Table[T]{Kind: &kind, Columns: t.Columns, Height: t.Height}
	if t.with == nil {
		t.with = map[string]*Table[T]{}
	}
	t.with[key] = of
	return of
}

// Narrow makes the sheet, which has no rows yet, show only some columns of its table.
func (s *Sheet[T]) Narrow(shown []bool) {
	if slices.Contains(shown, true) { // otherwise there will be no rows
		s.Table = s.With(shown)
	}
}

// Fill writes all rows of the sheet, with only the columns that have a value in some row.
func (s *Sheet[T]) Fill(w *Workbook, rows iter.Seq[*T]) {
	used := make([]bool, len(s.Columns))
	for row := range rows {
		s.Mark(row, used)
	}
	s.Narrow(used)
	for row := range rows {
		s.AddRow(w, row)
	}
}

// Sheet is a sheet during writing, with the sheets that continue it once it is full.
type Sheet[T any] struct {
	*Table[T]
	parts   []*part
	rows    int   // of the last part, including the header
	dropped int64 // rows beyond the maximum
	digits  []byte
}

// AnySheet is a Sheet with any type of rows.
type AnySheet interface {
	Name() string
	Optional() bool
	Begun() bool
	Open(w *Workbook)
	Note(w *Workbook, sentence string)

	sheetKind() *SheetKind
	written() []*part
	end(*Workbook)
}

func (s *Sheet[T]) sheetKind() *SheetKind { return s.Kind }
func (s *Sheet[T]) written() []*part      { return s.parts }

// Name returns the sheet's name, without the number of a continuation.
func (s *Sheet[T]) Name() string { return s.Kind.Name }

// Optional reports whether the sheet is omitted if it has no rows.
func (s *Sheet[T]) Optional() bool { return s.Kind.Optional }

// Begun reports whether the sheet has its header row.
func (s *Sheet[T]) Begun() bool { return len(s.parts) > 0 }

// AddRow writes a row. Workbook.Err and Finish return errors of the disk.
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
		if link := s.Columns[i].Link; link != nil && c.Kind != KindBlank {
			if target := link(row); target != "" && p.addLink(s.Kind.names[i], s.digits, target) {
				c.Style = StyleLink
			}
		}
		dst = appendCell(dst, s.Kind.names[i], s.digits, &c)
	}
	p.raw = append(dst, `</row>`...)
	if w.full(p) {
		w.compress(p)
	}
}

// Last is the position of the last row: the name of its sheet, with its number if it continues
// another, and the row's number. The sheet must have begun.
func (s *Sheet[T]) Last() (name string, row int) {
	return SheetName(s.Kind.Name, len(s.parts)-1), s.rows
}

// Restart drops all rows: the sheet is as if none had been written.
func (s *Sheet[T]) Restart() {
	for _, p := range s.parts {
		disk.PutBuffer(p.raw)
	}
	s.parts, s.rows, s.dropped = nil, 0, 0
}

// end ends the last part.
func (s *Sheet[T]) end(w *Workbook) {
	p := s.parts[len(s.parts)-1]
	if s.dropped > 0 {
		s.addText(Text(w.Template.MoreRows(s.dropped)))
	}
	w.endPart(s.Kind, p, s.rows)
}

// addText writes a row of one cell.
func (s *Sheet[T]) addText(c Cell) {
	p := s.parts[len(s.parts)-1]
	s.rows++
	s.digits = strconv.AppendInt(s.digits[:0], int64(s.rows), 10)
	p.raw = append(append(append(p.raw, `<row r="`...), s.digits...), `">`...)
	p.raw = append(appendCell(p.raw, s.Kind.names[0], s.digits, &c), `</row>`...)
}

// Open begins a sheet with its header row: the first one or a continuation.
func (s *Sheet[T]) Open(w *Workbook) {
	if len(s.parts) > 0 {
		s.end(w)
	}
	p := &part{sheet: s.Kind, further: len(s.parts) > 0, raw: disk.GetBuffer()}
	s.parts, s.rows = append(s.parts, p), 1
}

// Note writes a sentence instead of rows.
func (s *Sheet[T]) Note(w *Workbook, sentence string) {
	s.Open(w)
	s.addText(TopAligned(sentence))
}

// KindsOf returns the kinds of sheets, in their order.
func KindsOf(sheets []AnySheet) (kinds []*SheetKind) {
	for _, s := range sheets {
		kinds = append(kinds, s.sheetKind())
	}
	return kinds
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
