package xlsx

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// scaffold is what the workbooks of one run have in common, drawn by excelize:
// everything but the rows.
type Template struct {
	Design
	frames map[*SheetKind]frame

	mu       sync.Mutex
	variants map[string]*variant
}

// shell is what stands before a sheet's rows, its header row among it, and
// what stands after them.
type frame struct {
	lead           fixed  // up to the number of rows in the dimension, which is known last
	first, further fixed  // from there on
	filter         string // what stands after the rows up to their number in the filter
	after          fixed  // from there on
}

// template is the scaffolding of workbooks with the same sheets.
type variant struct{ parts []variantPart }

// templatePart is one file of a workbook. What is in it depends on the
// workbook where sheet, page, words or pieces say so.
type variantPart struct {
	name     string
	raw      string
	packed   part      // the compressed text, where it is the same in every workbook
	sheet    int       // 0-based among the tables; -1 = none
	number   int       // 0-based part of the sheet
	page     bool      // the free page
	strings  bool      // the shared strings
	segments []segment // what has places to fill in
}

// piece is a stretch of a part up to a place to fill in.
type segment struct {
	text        string
	rowsOf      int // the last row of the n-th table follows; -1 = not
	placeholder int // the page's n-th place follows; -1 = not
}

// cutPlaces cuts a part at the places for the last rows of tables and those
// of the page.
func cutAtPlaceholders(xml string, tables int, page *Page) []segment {
	var pieces []segment
	for {
		at, length, next := len(xml), 0, segment{rowsOf: -1, placeholder: -1}
		look := func(place string, p segment) {
			if i := strings.Index(xml, place); i >= 0 && i < at {
				at, length, next = i, len(place), p
			}
		}
		for n := range tables {
			look("$"+rowPlaceholder(n), segment{rowsOf: n, placeholder: -1})
		}
		for n := 0; n+1 < len(page.Placeholders); n += 2 {
			look(page.Placeholders[n], segment{rowsOf: -1, placeholder: n / 2})
		}
		next.text = xml[:at]
		pieces = append(pieces, next)
		if at == len(xml) {
			return pieces
		}
		xml = xml[at+length:]
	}
}

// design is what the workbooks of a run are to be.
type Design struct {
	Creator  string    // the program
	Title    string    // the title among the document's properties
	Created  time.Time // when it says that it was made
	Page     PageLayout
	Sheets   []*SheetKind            // in their order, after the page
	MoreRows func(rows int64) string // what the last row of a table says when so many more found no room
}

// layout is the frame of the page: where its tables and charts lie.
type PageLayout struct {
	Name    string // of the sheet
	Widths  []float64
	Merged  []string          // ranges, such as "A1:D1"
	Links   map[string]string // cell → sheet
	Charts  []Chart
	Formats []RangeFormat
}

// highlightedCells are cells of the page with a conditional format.
type RangeFormat struct {
	Range      string // a range, such as "D2:D9"
	Highlights []Highlight
}

// chartKind is a type of chart.
type ChartType uint8

const (
	BarChart        ChartType = iota // lying, the first row on top
	StackedBarChart                  // likewise, a bar for all values of a row
	ColumnChart                      // standing
)

// chart is a chart of the page. What it shows is a table on the page, whose
// last row is left open, as is the title.
type Chart struct {
	Cell       string // upper left corner
	Type       ChartType
	Title      string // place of the title
	From       int    // first row of the table, its header
	Rows       string // place of the last row's number, as digits
	Categories string // column of the categories
	Values     []string
	Colours    []string
	Height     uint
}

// newScaffold has excelize draw the workbooks of a design. An error is a fault
// of the design.
func NewTemplate(d Design) (*Template, error) {
	c := &Template{Design: d, frames: map[*SheetKind]frame{}, variants: map[string]*variant{}}
	counts := make([]int, len(d.Sheets))
	for i := range counts {
		counts[i] = 2 // so that there is a shell for sheets that continue
	}
	parts, err := c.draw(counts, nil)
	if err != nil {
		return nil, err
	}
	for i, k := range d.Sheets {
		first, err := cutSheet(parts, 2*i+2)
		if err != nil {
			return nil, err
		}
		further, err := cutSheet(parts, 2*i+3)
		if err != nil {
			return nil, err
		}
		filter, after, ok := strings.Cut(first.after, rowPlaceholder(2*i))
		if !ok {
			return nil, fmt.Errorf("excelize has drawn no filter over %s", k.Name)
		}
		head := string(headRow(k))
		c.frames[k] = frame{
			lead: compressOnce(first.lead + dimension(len(k.titles))), first: compressOnce(dimensionEnd + first.before + head), further: compressOnce(dimensionEnd + further.before + head),
			filter: filter, after: compressOnce(after),
		}
	}
	return c, nil
}

// headRow is the row of the columns' titles.
func headRow(k *SheetKind) []byte {
	row := []byte(`<row r="1" ht="32" customHeight="1">`)
	for i, title := range k.titles {
		row = appendCell(row, k.names[i], []byte("1"), &Cell{Kind: KindText, Style: StyleHeader, Text: title})
	}
	return append(row, `</row>`...)
}

// begin returns a part that holds the beginning of a table's sheet.
func (c *Template) begin(k *SheetKind, first bool) *part {
	shell := c.frames[k]
	head := shell.further
	if first {
		head = shell.first
	}
	p := &part{}
	p.addFixed(head)
	return p
}

// rowMark is the number that stands for the last row of the n-th table until
// the rows are counted.
func rowPlaceholder(n int) string { return strconv.Itoa(1000001 + n) }

// maxTemplates bounds the templates kept.
const maxVariants = 64

// template returns the scaffolding of a workbook with counts[i] parts of the
// i-th table.
func (c *Template) variant(counts []int, p *Page) (*variant, error) {
	c.mu.Lock() // for as long as a drawing takes: another site is likely to need the same
	defer c.mu.Unlock()
	key := fmt.Sprint(counts, p.Charts)
	if t := c.variants[key]; t != nil {
		return t, nil
	}
	drawn, err := c.draw(counts, p.Charts)
	if err != nil {
		return nil, err
	}
	where := map[string][2]int{} // part → table, number
	n := 2
	for i, count := range counts {
		for number := range count {
			where[fmt.Sprintf("xl/worksheets/sheet%d.xml", n)] = [2]int{i, number}
			n++
		}
	}
	t := &variant{}
	for _, d := range drawn {
		tp := variantPart{name: d.name, raw: d.text, sheet: -1}
		if at, ok := where[d.name]; ok {
			tp.sheet, tp.number, tp.raw = at[0], at[1], ""
		} else {
			switch {
			case d.name == "xl/worksheets/sheet1.xml":
				tp.page = true
			case d.name == "xl/sharedStrings.xml":
				tp.strings = true
			case d.name == "xl/workbook.xml" || strings.HasPrefix(d.name, "xl/charts/chart"):
				tp.segments, tp.raw = cutAtPlaceholders(d.text, len(where), p), ""
			default:
				tp.packed.raw = []byte(d.text)
				tp.packed.close()
				tp.raw, tp.packed.raw = "", nil
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

// sheetName returns "Blocked", "Blocked 2", …
func SheetName(name string, n int) string {
	if n == 0 {
		return name
	}
	return name + " " + strconv.Itoa(n+1)
}
