package xlsx

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// drawnPart is one file of a workbook as excelize makes it.
type drawnPart struct{ name, text string }

// draw makes excelize draw a workbook without rows: counts[i] sheets of the i-th kind.
func (c *Template) draw(kinds []*SheetKind, counts []int, charts []bool) ([]drawnPart, error) {
	f := excelize.NewFile()
	defer f.Close()
	d := drawing{f: f}
	d.cellFormats(c.NoLater)
	absent := map[string]bool{}
	for i, k := range kinds {
		absent[k.Name] = counts[i] == 0
	}
	d.summary(c.Summary, charts, absent)
	tables := map[string]*SheetKind{} // by their files
	at := 0
	for i, k := range kinds {
		for n := range counts[i] {
			d.table(k, SheetName(k.Name, n), at)
			if n == 0 {
				for _, chart := range k.Charts {
					chart.Cell, chart.From, chart.Rows = ColumnName(len(k.titles)+1)+"2", 1, cmp.Or(chart.Rows, rowPlaceholder(at))
					d.chart(k.Name, chart)
				}
			}
			at++
			tables[sheetFile(at)] = k
		}
	}
	d.do(f.SetAppProps(&excelize.AppProperties{Application: c.Creator}))
	made := c.Created.Format(time.RFC3339)
	d.do(f.SetDocProps(&excelize.DocProperties{Creator: c.Creator, Title: c.Title, Created: made, Modified: made}))
	if d.err != nil {
		return nil, fmt.Errorf("drawing a workbook: %w", d.err)
	}
	var caught catcher
	f.SetZipWriter(func(io.Writer) excelize.ZipWriter { return &caught })
	err := f.Write(io.Discard)
	if err != nil {
		return nil, fmt.Errorf("drawing a workbook: %w", err)
	}
	parts := make([]drawnPart, len(caught))
	for i, p := range caught {
		parts[i] = drawnPart{p.name, p.String()}
		switch {
		case strings.HasPrefix(p.name, "xl/charts/chart"):
			parts[i].text, err = inSchemaOrder(textAxis(axisBelow(parts[i].text)))
		case p.name == "xl/styles.xml" || p.name == "docProps/core.xml":
			parts[i].text, err = inSchemaOrder(parts[i].text)
		case tables[p.name] != nil:
			parts[i].text = tables[p.name].withColumns(parts[i].text)
		case p.name == "[Content_Types].xml":
			parts[i].text = withoutImages(parts[i].text)
		}
		if err != nil {
			return nil, err
		}
		parts[i].text = compact(parts[i].text)
		if strings.HasPrefix(p.name, "xl/charts/chart") {
			parts[i].text = plainChart(parts[i].text)
		}
	}
	parts = withoutUnread(parts)
	slices.SortFunc(parts, func(a, b drawnPart) int {
		return cmp.Or(cmp.Compare(partOrder(a.name), partOrder(b.name)), cmp.Compare(len(a.name), len(b.name)), strings.Compare(a.name, b.name))
	})
	return parts, nil
}

// partOrder sorts the parts that readers need first to the front.
func partOrder(name string) int {
	switch {
	case name == "[Content_Types].xml":
		return 0
	case strings.HasPrefix(name, "_rels/"):
		return 1
	case strings.HasPrefix(name, "xl/worksheets/sheet"):
		return 3
	}
	return 2
}

// withoutImages drops the types of images from [Content_Types].xml: there are none, and excelize
// lists them in a different order each time.
func withoutImages(xml string) string {
	elements := strings.SplitAfter(xml, "</Default>")
	return strings.Join(slices.DeleteFunc(elements, func(e string) bool {
		return strings.HasPrefix(e, "<Default ") && strings.Contains(e, `ContentType="image/`)
	}), "")
}

// withColumns gives a sheet its columns, and puts the button that unfolds folded columns above the
// column after them. Excelize cannot set this button, and takes long for each width.
func (k *SheetKind) withColumns(xml string) string {
	var cols strings.Builder
	for from, to := 0, 0; from < len(k.widths); from = to {
		for to = from + 1; to < len(k.widths) && k.widths[to] == k.widths[from] && k.folded[to] == k.folded[from]; to++ {
		}
		hidden, level := "", ""
		if k.folded[from] {
			hidden, level = ` hidden="1"`, ` outlineLevel="1"`
		}
		fmt.Fprintf(&cols, `<col customWidth="1"%s max="%d" min="%d"%s width="%v"/>`, hidden, to, from+1, level, k.widths[from])
	}
	if slices.Contains(k.folded, true) {
		fmt.Fprintf(&cols, `<col collapsed="1" max="%d" min="%[1]d" width="9"/>`, len(k.widths)+1)
		xml = strings.Replace(xml, "<sheetFormatPr ", `<sheetFormatPr outlineLevelCol="1" `, 1)
	}
	before, rows, _ := strings.Cut(xml, "<sheetData")
	before, _, _ = strings.Cut(before, "<cols>")
	return before + "<cols>" + cols.String() + "</cols><sheetData" + rows
}

// axisBelow puts the axis of the values below bars whose order is reversed so that the first row of
// their table is on top; excelize leaves it above.
func axisBelow(xml string) string {
	before, axis, ok := strings.Cut(xml, "<valAx>")
	if !ok || !strings.Contains(before, `<orientation val="maxMin"`) {
		return xml
	}
	return before + "<valAx>" + strings.Replace(axis, `<crosses val="autoZero"`, `<crosses val="max"`, 1)
}

// textAxis makes a line chart use the order of times in the rows. Otherwise spreadsheets make an
// axis of days, with one position for all times of a day, in their own order.
func textAxis(xml string) string {
	if !strings.Contains(xml, "<lineChart>") {
		return xml
	}
	return strings.Replace(xml, `<auto val="1"`, `<auto val="0"`, 1)
}

// drawnSheet is a sheet split at its dimension and its rows.
type drawnSheet struct{ start, before, after string }

// sheetFile is the file of the n-th sheet; that of the summary is 0.
func sheetFile(n int) string { return fmt.Sprintf("xl/worksheets/sheet%d.xml", n+1) }

// cutSheet splits the n-th sheet of a drawing.
func cutSheet(parts []drawnPart, n int) (drawnSheet, error) {
	for _, p := range parts {
		if p.name == sheetFile(n) {
			return cutRows(p.text)
		}
	}
	return drawnSheet{}, fmt.Errorf("excelize has drawn no %s", sheetFile(n))
}

func cutRows(xml string) (drawnSheet, error) {
	before, after, ok := strings.Cut(xml, "<sheetData")
	if !ok {
		return drawnSheet{}, fmt.Errorf("a sheet without <sheetData>")
	}
	if rest, empty := strings.CutPrefix(after, "/>"); empty {
		after = rest
	} else if _, after, ok = strings.Cut(after, "</sheetData>"); !ok {
		return drawnSheet{}, fmt.Errorf("a sheet without </sheetData>")
	}
	start, before, ok := strings.Cut(before, "<sheetViews") // the dimension comes before it
	if !ok {
		return drawnSheet{}, fmt.Errorf("a sheet without <sheetViews>")
	}
	start, _, _ = strings.Cut(start, "<dimension")           // excelize's own does not include our rows
	start = strings.Replace(start, ` filterMode="1"`, "", 1) // nothing is filtered yet
	return drawnSheet{start, "<sheetViews" + before + "<sheetData>", "</sheetData>" + after}, nil
}

// dimension says which cells of a sheet are in use: those from A1 on, in this number of columns.
// The number of rows and dimensionEnd follow.
func dimension(columns int) string { return dimensionStart + ColumnName(columns-1) }

const (
	dimensionStart = `<dimension ref="A1:`
	dimensionEnd   = `"/>`
)

// catcher collects the files that excelize would write to a zip file.
type catcher []*caughtPart

type caughtPart struct {
	name string
	bytes.Buffer
}

func (c *catcher) Create(name string) (io.Writer, error) {
	p := &caughtPart{name: name}
	*c = append(*c, p)
	return p, nil
}

func (c *catcher) AddFS(fs.FS) error { return nil }
func (c *catcher) Close() error      { return nil }
