package reports

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// scaffold is what the workbooks of one run have in common, drawn by excelize:
// everything but the rows.
type scaffold struct {
	design
	shells map[*sheetKind]shell

	mu    sync.Mutex
	cache map[string]*template
}

// shell is what stands before a sheet's rows, its header row among it, and
// what stands after them.
type shell struct {
	lead           fixed  // up to the number of rows in the dimension, which is known last
	first, further fixed  // from there on
	filter         string // what stands after the rows up to their number in the filter
	after          fixed  // from there on
}

// template is the scaffolding of workbooks with the same sheets.
type template struct{ parts []templatePart }

// templatePart is one file of a workbook. What is in it depends on the
// workbook where sheet, page, words or pieces say so.
type templatePart struct {
	name   string
	raw    string
	packed part    // the compressed text, where it is the same in every workbook
	sheet  int     // 0-based among the tables; -1 = none
	number int     // 0-based part of the sheet
	page   bool    // the free page
	words  bool    // the shared strings
	pieces []piece // what has places to fill in
}

// piece is a stretch of a part up to a place to fill in.
type piece struct {
	text   string
	rowsOf int // the last row of the n-th table follows; -1 = not
	place  int // the page's n-th place follows; -1 = not
}

// cutPlaces cuts a part at the places for the last rows of tables and those
// of the page.
func cutPlaces(xml string, tables int, page *page) []piece {
	var pieces []piece
	for {
		at, length, next := len(xml), 0, piece{rowsOf: -1, place: -1}
		look := func(place string, p piece) {
			if i := strings.Index(xml, place); i >= 0 && i < at {
				at, length, next = i, len(place), p
			}
		}
		for n := range tables {
			look("$"+rowMark(n), piece{rowsOf: n, place: -1})
		}
		for n := 0; n+1 < len(page.places); n += 2 {
			look(page.places[n], piece{rowsOf: -1, place: n / 2})
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
type design struct {
	creator  string    // the program
	subject  string    // the title among the document's properties
	made     time.Time // when it says that it was made
	page     layout
	sheets   []*sheetKind            // in their order, after the page
	moreRows func(rows int64) string // what the last row of a table says when so many more found no room
}

// layout is the frame of the page: where its tables and charts lie.
type layout struct {
	name        string // of the sheet
	widths      []float64
	merged      []string          // ranges, such as "A1:D1"
	links       map[string]string // cell → sheet
	charts      []chart
	highlighted []highlightedCells
}

// highlightedCells are cells of the page with a conditional format.
type highlightedCells struct {
	cells      string // a range, such as "D2:D9"
	highlights []highlight
}

// chartKind is a type of chart.
type chartKind uint8

const (
	bars        chartKind = iota // lying, the first row on top
	stackedBars                  // likewise, a bar for all values of a row
	columnBars                   // standing
)

// chart is a chart of the page. What it shows is a table on the page, whose
// last row is left open, as is the title.
type chart struct {
	cell     string // upper left corner
	kind     chartKind
	title    string // place of the title
	from     int    // first row of the table, its header
	rows     string // place of the last row's number, as digits
	category string // column of the categories
	values   []string
	colours  []string
	height   uint
}

// newScaffold has excelize draw the workbooks of a design. An error is a fault
// of the design.
func newScaffold(d design) (*scaffold, error) {
	c := &scaffold{design: d, shells: map[*sheetKind]shell{}, cache: map[string]*template{}}
	counts := make([]int, len(d.sheets))
	for i := range counts {
		counts[i] = 2 // so that there is a shell for sheets that continue
	}
	parts, err := c.draw(counts, nil)
	if err != nil {
		return nil, err
	}
	for i, k := range d.sheets {
		first, err := cutSheet(parts, 2*i+2)
		if err != nil {
			return nil, err
		}
		further, err := cutSheet(parts, 2*i+3)
		if err != nil {
			return nil, err
		}
		filter, after, ok := strings.Cut(first.after, rowMark(2*i))
		if !ok {
			return nil, fmt.Errorf("excelize has drawn no filter over %s", k.name)
		}
		head := string(headRow(k))
		c.shells[k] = shell{
			lead: fix(first.lead + dimension(len(k.titles))), first: fix(dimensionEnd + first.before + head), further: fix(dimensionEnd + further.before + head),
			filter: filter, after: fix(after),
		}
	}
	return c, nil
}

// headRow is the row of the columns' titles.
func headRow(k *sheetKind) []byte {
	row := []byte(`<row r="1" ht="32" customHeight="1">`)
	for i, title := range k.titles {
		row = appendCell(row, k.names[i], []byte("1"), &cell{kind: textCell, look: lookHead, text: title})
	}
	return append(row, `</row>`...)
}

// begin returns a part that holds the beginning of a table's sheet.
func (c *scaffold) begin(k *sheetKind, first bool) *part {
	shell := c.shells[k]
	head := shell.further
	if first {
		head = shell.first
	}
	p := &part{}
	p.add(head)
	return p
}

// rowMark is the number that stands for the last row of the n-th table until
// the rows are counted.
func rowMark(n int) string { return strconv.Itoa(1000001 + n) }

// maxTemplates bounds the templates kept.
const maxTemplates = 64

// template returns the scaffolding of a workbook with counts[i] parts of the
// i-th table.
func (c *scaffold) template(counts []int, p *page) (*template, error) {
	c.mu.Lock() // for as long as a drawing takes: another site is likely to need the same
	defer c.mu.Unlock()
	key := fmt.Sprint(counts, p.charts)
	if t := c.cache[key]; t != nil {
		return t, nil
	}
	drawn, err := c.draw(counts, p.charts)
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
	t := &template{}
	for _, d := range drawn {
		tp := templatePart{name: d.name, raw: d.text, sheet: -1}
		if at, ok := where[d.name]; ok {
			tp.sheet, tp.number, tp.raw = at[0], at[1], ""
		} else {
			switch {
			case d.name == "xl/worksheets/sheet1.xml":
				tp.page = true
			case d.name == "xl/sharedStrings.xml":
				tp.words = true
			case d.name == "xl/workbook.xml" || strings.HasPrefix(d.name, "xl/charts/chart"):
				tp.pieces, tp.raw = cutPlaces(d.text, len(where), p), ""
			default:
				tp.packed.raw = []byte(d.text)
				tp.packed.close()
				tp.raw, tp.packed.raw = "", nil
			}
		}
		t.parts = append(t.parts, tp)
	}
	if len(c.cache) >= maxTemplates {
		clear(c.cache)
	}
	c.cache[key] = t
	return t, nil
}

// sheetName returns "Blocked", "Blocked 2", …
func sheetName(name string, n int) string {
	if n == 0 {
		return name
	}
	return name + " " + strconv.Itoa(n+1)
}
