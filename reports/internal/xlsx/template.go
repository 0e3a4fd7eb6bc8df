package xlsx

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Template is the common part of the workbooks of one design, drawn by excelize: everything except
// the rows. Any number of goroutines may use it.
type Template struct {
	Design

	mu       sync.Mutex
	frames   map[*SheetKind]*sheetFrames
	variants map[string]*variant
}

// frame is the text before a sheet's rows, including its header row, and the text after them.
type frame struct {
	start  *fixed // up to the number of rows in the dimension, which is known last
	head   *fixed // from there up to the rows
	filter string // from after the rows up to their number in the filter
	after  *fixed // from there on
}

// sheetFrames are the frames of a table's first sheet and of its continuations, which have no
// charts. nil = not drawn yet.
type sheetFrames struct{ first, further *frame }

// frame is the frame of a sheet. Usually the workbook has already been drawn with it, see variant.
// A sheet that is compressed before is drawn alone. An error is a fault of the design.
func (c *Template) frame(k *SheetKind, further bool) (*frame, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.framesOf(k)
	if further && of.further != nil || !further && of.first != nil {
		return of.of(further), nil
	}
	sheets := 1
	if len(k.Charts) > 0 {
		sheets = 2
	}
	parts, err := c.draw([]*SheetKind{k}, []int{sheets}, nil)
	if err == nil {
		err = c.cutFrames(parts, 0, k, sheets)
	}
	return of.of(further), err
}

func (s *sheetFrames) of(further bool) *frame {
	if further {
		return s.further
	}
	return s.first
}

// framesOf returns the drawn frames of a kind of sheet. The caller has locked the template.
func (c *Template) framesOf(k *SheetKind) *sheetFrames {
	of := c.frames[k]
	if of == nil {
		of = &sheetFrames{}
		c.frames[k] = of
	}
	return of
}

// cutFrames takes the missing frames of a kind from its sheets, which begin at the n-th sheet of a
// drawing. The caller has locked the template.
func (c *Template) cutFrames(parts []drawnPart, n int, k *SheetKind, sheets int) (err error) {
	of := c.framesOf(k)
	if of.first == nil && sheets > 0 {
		if of.first, err = frameOf(parts, n, k); err != nil {
			return err
		}
	}
	switch {
	case of.further != nil:
	case len(k.Charts) == 0:
		of.further = of.first
	case sheets > 1:
		of.further, err = frameOf(parts, n+1, k)
	}
	return err
}

// variant is the template of workbooks with the same sheets and charts.
type variant struct{ parts []variantPart }

// variantPart is one file of a workbook. Its content depends on the workbook if sheet, summary,
// strings or segments say so.
type variantPart struct {
	name     string
	packed   part         // the compressed text, if it is the same in every workbook
	frame    summaryFrame // of the summary sheet
	sheet    int          // 0-based among the tables; -1 = none
	number   int          // 0-based part of the sheet
	summary  bool         // the summary sheet
	strings  bool         // the shared strings
	segments []segment    // of a part with placeholders
}

// segment is the text of a part up to a placeholder.
type segment struct {
	text        string
	rowsOf      int  // the last row of the n-th table follows; -1 = it does not
	printed     bool // the last printed row
	placeholder int  // the summary's n-th text follows; -1 = it does not
}

// cutAtPlaceholders splits a part at the placeholders for the last rows of tables and for the texts
// of the summary sheet.
func cutAtPlaceholders(xml string, tables int, summary *SummarySheet) []segment {
	var segments []segment
	for {
		at, length, next := len(xml), 0, segment{rowsOf: -1, placeholder: -1}
		nearest := func(placeholder string, s segment) {
			if i := strings.Index(xml, placeholder); i >= 0 && i < at {
				at, length, next = i, len(placeholder), s
			}
		}
		for n := range tables {
			nearest("$"+rowPlaceholder(n), segment{rowsOf: n, placeholder: -1})
			nearest("$"+printPlaceholder(n), segment{rowsOf: n, printed: true, placeholder: -1})
		}
		for n := 0; n+1 < len(summary.Placeholders); n += 2 {
			nearest(summary.Placeholders[n], segment{rowsOf: -1, placeholder: n / 2})
		}
		next.text = xml[:at]
		segments = append(segments, next)
		if at == len(xml) {
			return segments
		}
		xml = xml[at+length:]
	}
}

// Design describes workbooks.
type Design struct {
	Creator  string                  // in the document's properties: the program
	Title    string                  // in the document's properties
	Created  time.Time               // in the document's properties; the only time in a workbook
	Summary  SummaryLayout           // the first sheet
	Sheets   []*SheetKind            // in their order, after the summary sheet
	NoLater  bool                    // there are cells of StyleNoLater
	MoreRows func(rows int64) string // text of a table's last row about rows beyond the maximum

	// PrintNote is the footer of a printed sheet that has more rows; nil = none.
	PrintNote func(printed, rows int64) string
}

// SummaryLayout is the layout of the first sheet: the positions of its tables and charts.
type SummaryLayout struct {
	Name     string            // of the sheet
	Widths   []float64         // of its columns, in characters
	Portrait bool              // printed in portrait, on as many pages as needed
	Merged   []string          // ranges, such as "A1:D1"
	Links    map[string]string // cell → sheet; no link if the sheet is omitted
	Charts   []Chart
	Formats  []RangeFormat
}

// RangeFormat is a conditional format of cells of the summary sheet; see ConditionalFormat.
type RangeFormat struct {
	Range      string // such as "D2:D9"
	Highlights []Highlight
}

// ChartType is a type of chart.
type ChartType uint8

// The types of charts.
const (
	BarChart        ChartType = iota // horizontal, the first row on top
	StackedBarChart                  // horizontal, one bar for all values of a row
	ColumnChart                      // vertical
	LineChart                        // a line for each column of values, with breaks at empty cells
)

// Chart is a chart of the summary sheet, or of the sheet of a table. Its data is a table on that
// sheet. Its title and the table's last row are placeholders, replaced in each workbook.
type Chart struct {
	Cell       string // upper left corner; on the sheet of a table it is automatic, next to the columns
	Type       ChartType
	Title      string   // a placeholder
	From       int      // first row of the data, its header; automatic on the sheet of a table
	Rows       string   // number of the last row: digits, or a placeholder of digits; on the sheet of a table "" = its last
	Categories string   // column of the categories
	Values     []string // columns of the values
	Colours    []string // colours of the values: "4F81BD"
	Height     uint     // pixels
	Width      uint     // pixels; 0 = 620
	Newest     string   // for a LineChart: the rows are times, the latest first, and the lines go to the right; the axis uses this format, or its placeholder; "" = not times
	Marks      string   // for a LineChart: another column of values, drawn as marks without a line; "" = none
	TwoSided   bool     // values below zero are a separate side: their bars go to the left, and the axis and the labels show them without sign
}

// NewTemplate returns the template of a design. Its parts are drawn when a workbook first needs
// them.
func NewTemplate(d Design) *Template {
	return &Template{Design: d, frames: map[*SheetKind]*sheetFrames{}, variants: map[string]*variant{}}
}

// frameOf splits the drawn n-th sheet, which is one of a table.
func frameOf(parts []drawnPart, n int, k *SheetKind) (*frame, error) {
	cut, err := cutSheet(parts, n+1)
	if err != nil {
		return nil, err
	}
	filter, after, ok := strings.Cut(cut.after, rowPlaceholder(n))
	if !ok {
		return nil, fmt.Errorf("excelize has drawn no filter over %s", k.Name)
	}
	return &frame{
		start: compressOnce(cut.start + dimension(len(k.titles))), head: compressOnce(dimensionEnd + cut.before + string(headRow(k))),
		filter: filter, after: compressOnce(after),
	}, nil
}

// headRow is the row of the columns' titles.
func headRow(k *SheetKind) []byte {
	row := []byte(`<row r="1" ht="32" customHeight="1">`)
	for i, title := range k.titles {
		row = appendCell(row, k.names[i], []byte("1"), &Cell{Kind: KindText, Style: StyleHeader, Text: title})
	}
	return append(row, `</row>`...)
}

// rowPlaceholder is the number that replaces the last row of the n-th table until the rows are
// counted.
func rowPlaceholder(n int) string { return strconv.Itoa(1000001 + n) }

// printPlaceholder is the number that replaces the last printed row until it is known.
func printPlaceholder(n int) string { return strconv.Itoa(2000001 + n) }

// printedRows is the maximum number of printed rows of a table.
const printedRows = 200

// maxVariants bounds the variants kept.
const maxVariants = 256

// variant returns the template of a workbook with counts[i] parts of the i-th table, which has the
// i-th kind, and the charts of the summary sheet.
func (c *Template) variant(kinds []*SheetKind, counts []int, p *SummarySheet) (*variant, error) {
	c.mu.Lock() // locked while drawing: another site probably needs the same variant
	defer c.mu.Unlock()
	key := fmt.Sprint(counts, p.Charts)
	for i, k := range kinds {
		if counts[i] > 0 {
			key += k.columns + ";"
		}
	}
	if t := c.variants[key]; t != nil {
		return t, nil
	}
	drawn, err := c.draw(kinds, counts, p.Charts)
	if err != nil {
		return nil, err
	}
	where := map[string][2]int{} // part → table, number
	for i, count := range counts {
		if err := c.cutFrames(drawn, len(where), kinds[i], count); err != nil {
			return nil, err
		}
		for number := range count {
			where[sheetFile(len(where)+1)] = [2]int{i, number}
		}
	}
	t := &variant{}
	for _, d := range drawn {
		tp := variantPart{name: d.name, sheet: -1}
		if at, ok := where[d.name]; ok {
			tp.sheet, tp.number = at[0], at[1]
		} else {
			switch {
			case d.name == sheetFile(0):
				tp.summary = true
				if tp.frame, err = newSummaryFrame(d.text); err != nil {
					return nil, err
				}
			case d.name == "xl/sharedStrings.xml":
				tp.strings = true
			case d.name == "xl/workbook.xml" || strings.HasPrefix(d.name, "xl/charts/chart"):
				tp.segments = cutAtPlaceholders(d.text, len(where), p)
			default:
				tp.packed.addFixed(compressOnce(d.text))
				tp.packed.end()
			}
		}
		t.parts = append(t.parts, tp)
	}
	if len(c.variants) >= maxVariants {
		clear(c.variants)
	}
	c.variants[key] = t
	return t, nil
}

// SheetName returns the name of the n-th sheet of a table, 0-based: "Blocked",
// "Blocked 2", …
func SheetName(name string, n int) string {
	if n == 0 {
		return name
	}
	return name + " " + strconv.Itoa(n+1)
}
