package xlsx

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/xuri/excelize/v2"
)

// drawing draws with excelize; it keeps the first error.
type drawing struct {
	f       *excelize.File
	err     error
	formats [numColours]int // conditional formats
}

func (d *drawing) do(err error) {
	if d.err == nil {
		d.err = err
	}
}

// Colours: dark text on a light background of the same hue, also readable in grey.
const (
	headFill  = "1F3A5F"
	redText   = "9C0006"
	redFill   = "FBE3E4"
	amberText = "7F5200"
	amberFill = "FFF2CC"
	greyText  = "404040"
	greyFill  = "E7E6E6"
	greenText = "1E5C2E"
	greenFill = "E2F0D9"
	barColour = "9DC3E6"
)

// cellFormats makes the cell formats, in the order of the constants; noLater is Design's.
func (d *drawing) cellFormats(noLater bool) {
	top := &excelize.Alignment{Vertical: "top"}
	figure := &excelize.Alignment{Horizontal: "right", Vertical: "top", Indent: 1} // space between it and the text to its right
	formats := [numStyles]*excelize.Style{
		StyleInt:     {CustomNumFmt: ptr("#,##0"), Alignment: figure},
		StyleFloat:   {CustomNumFmt: ptr("#,##0.0"), Alignment: figure},
		StylePercent: {CustomNumFmt: ptr("[=0]0 %_);[<0.0995]0.0 %_);0 %_)"), Alignment: figure}, // _): LibreOffice ignores the indent of percentages
		StyleDay:     {CustomNumFmt: ptr("yyyy-mm-dd"), Alignment: &excelize.Alignment{Horizontal: "left", Vertical: "top"}},
		StyleTime:    {CustomNumFmt: ptr("yyyy-mm-dd hh:mm:ss"), Alignment: &excelize.Alignment{Horizontal: "left", Vertical: "top"}},
		StyleHeader: {
			Font:      &excelize.Font{Bold: true, Color: "FFFFFF", Family: "Calibri", Size: 11},
			Fill:      excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{headFill}},
			Alignment: &excelize.Alignment{Vertical: "center", WrapText: true},
		},
		StyleTitle:      {Font: &excelize.Font{Bold: true, Size: 18, Color: headFill, Family: "Calibri"}, Alignment: &excelize.Alignment{Vertical: "center"}},
		StyleWrapped:    {Alignment: &excelize.Alignment{Vertical: "top", WrapText: true}},
		StyleIdentifier: {NumFmt: 1, Alignment: &excelize.Alignment{Horizontal: "center", Vertical: "top"}},
		StyleTop:        {Alignment: top},
		StyleUnsigned:   {CustomNumFmt: ptr("#,##0;#,##0"), Alignment: figure},
		StyleNoLater:    {CustomNumFmt: ptr(`"≤ "yyyy-mm-dd hh:mm:ss`), Alignment: &excelize.Alignment{Horizontal: "left", Vertical: "top"}},
		StyleLink:       {Font: &excelize.Font{Underline: "single", Color: "0563C1", Family: "Calibri", Size: 11}, Alignment: &excelize.Alignment{Vertical: "top"}},
		StyleBold:       {Font: &excelize.Font{Bold: true, ColorTheme: ptr(1), Family: "Calibri", Size: 11}, Alignment: &excelize.Alignment{Vertical: "top", WrapText: true}},
	}
	for i, style := range formats {
		if Style(i) == StylePlain || Style(i) == StyleNoLater && !noLater {
			continue
		}
		id, err := d.f.NewStyle(style)
		d.do(err)
		if err == nil && id != i {
			d.do(fmt.Errorf("cell format %d became %d", i, id))
		}
	}
	for i, c := range [numColours][2]string{Red: {redText, redFill}, Amber: {amberText, amberFill}, Grey: {greyText, greyFill}, Green: {greenText, greenFill}} {
		d.formats[i] = d.differential(c[0], c[1])
	}
}

func (d *drawing) differential(text, fill string) int {
	id, err := d.f.NewConditionalStyle(&excelize.Style{
		Font: &excelize.Font{Color: text}, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{fill}},
	})
	d.do(err)
	return id
}

func ptr[T any](v T) *T { return &v }

// table draws the sheet of a table; at is its number among the tables.
func (d *drawing) table(k *SheetKind, name string, at int) {
	f := d.f
	_, err := f.NewSheet(name)
	d.do(err)
	var shown []float64
	for i, w := range k.widths {
		if !k.folded[i] {
			shown = append(shown, w)
		}
	}
	panes := excelize.Panes{Freeze: true, XSplit: k.Frozen, YSplit: 1, TopLeftCell: ColumnName(k.Frozen) + "2", ActivePane: "bottomLeft"}
	if k.Frozen > 0 {
		panes.ActivePane = "bottomRight"
	}
	panes.Selection = []excelize.Selection{{Pane: panes.ActivePane}}
	d.do(f.SetPanes(name, &panes))
	// A filter over the range, not a native table: tables make a small workbook twice as large
	// (12.7 to 25.6 KB), and Gnumeric drops their filters.
	for _, chart := range k.Charts { // next to the columns
		shown = append(shown, float64(cmp.Or(chart.Width, chartWidth))/pixelsPerCharacter)
	}
	last := ColumnName(len(k.titles) - 1)
	d.do(f.AutoFilter(name, "A1:"+last+rowPlaceholder(at), nil))
	d.paper(name, "landscape", shown, 0)
	d.do(f.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Titles", RefersTo: fmt.Sprintf("'%s'!$A:$A,'%s'!$1:$1", name, name), Scope: name}))
	if len(k.Charts) == 0 { // charts are next to the columns
		d.do(f.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Area", RefersTo: fmt.Sprintf("'%s'!$A$1:$%s$%s", name, last, printPlaceholder(at)), Scope: name}))
	}
	for _, m := range k.formats {
		c := ColumnName(m.Column)
		cells := c + "2:" + c + strconv.Itoa(MaxRows)
		if m.By != "" {
			d.formatBy(name, cells, ColumnName(slices.Index(k.titles, m.By)), m.Highlights)
			continue
		}
		d.conditionalFormat(name, cells, m.Highlights)
	}
}

// columns makes excelize set the widths of a sheet with charts, which it places by them.
func (d *drawing) columns(sheet string, widths []float64) {
	for i, w := range widths {
		d.do(d.f.SetColWidth(sheet, ColumnName(i), ColumnName(i), w))
	}
}

// paperWidth is the maximum number of characters in a line of a printed page.
const paperWidth = 300

// paper sets how a sheet is printed: small enough for its columns to fit, and on several pages side
// by side before it is too small to read. high is the number of pages below each other; 0 = as many
// as needed.
func (d *drawing) paper(sheet, orientation string, widths []float64, high int) {
	sum := 0.0
	for _, w := range widths {
		sum += w
	}
	d.do(d.f.SetSheetProps(sheet, &excelize.SheetPropsOptions{FitToPage: ptr(true)}))
	d.do(d.f.SetPageLayout(sheet, &excelize.PageLayoutOptions{
		Orientation: ptr(orientation), Size: ptr(9), FitToWidth: ptr(1 + int(sum)/paperWidth), FitToHeight: ptr(high),
	}))
	const inches = 0.4
	d.do(d.f.SetPageMargins(sheet, &excelize.PageLayoutMarginsOptions{
		Left: ptr(inches), Right: ptr(inches), Top: ptr(inches), Bottom: ptr(2 * inches), Footer: ptr(inches),
	}))
	d.do(d.f.SetHeaderFooter(sheet, &excelize.HeaderFooterOptions{OddFooter: "&L&F: &A&RPage &P of &N"}))
}

// conditionalFormat sets a conditional format for a range.
func (d *drawing) conditionalFormat(sheet, cells string, highlights []Highlight) {
	if len(highlights) == 0 {
		d.do(d.f.SetConditionalFormat(sheet, cells, []excelize.ConditionalFormatOptions{{
			Type: "data_bar", Criteria: "=", MinType: "num", MinValue: "0", MaxType: "max", BarColor: "#" + barColour,
		}}))
		return
	}
	var rules []excelize.ConditionalFormatOptions
	for _, h := range highlights {
		rules = append(rules, excelize.ConditionalFormatOptions{Type: "cell", Criteria: "==", Value: `"` + h.Text + `"`, Format: ptr(d.formats[h.Colour])})
	}
	d.do(d.f.SetConditionalFormat(sheet, cells, rules))
}

// formatBy sets a conditional format for a range, from the second row on, that depends on the text
// in another column.
func (d *drawing) formatBy(sheet, cells, column string, highlights []Highlight) {
	var rules []excelize.ConditionalFormatOptions
	for _, h := range highlights {
		rules = append(rules, excelize.ConditionalFormatOptions{Type: "formula", Criteria: "$" + column + `2="` + h.Text + `"`, Format: ptr(d.formats[h.Colour])})
	}
	d.do(d.f.SetConditionalFormat(sheet, cells, rules))
}

// summary draws the first sheet: everything except its cells. Links to absent sheets are omitted.
func (d *drawing) summary(l SummaryLayout, charts []bool, absent map[string]bool) {
	f := d.f
	d.do(f.SetSheetName("Sheet1", l.Name))
	d.do(f.SetCellStr(l.Name, "A1", l.Name)) // so that there are shared strings
	d.columns(l.Name, l.Widths)
	for _, r := range l.Merged {
		from, to, _ := cutRange(r)
		d.do(f.MergeCell(l.Name, from, to))
	}
	var cells []string
	for cell, sheet := range l.Links {
		if !absent[sheet] {
			cells = append(cells, cell)
		}
	}
	slices.Sort(cells)
	for _, cell := range cells {
		d.do(f.SetCellHyperLink(l.Name, cell, "'"+l.Links[cell]+"'!A1", "Location"))
	}
	for _, h := range l.Formats {
		d.conditionalFormat(l.Name, h.Range, h.Highlights)
	}
	for i, c := range l.Charts {
		if i < len(charts) && charts[i] {
			d.chart(l.Name, c)
		}
	}
	d.do(f.SetSheetView(l.Name, 0, &excelize.ViewOptions{ShowGridLines: ptr(false)}))
	if l.Portrait {
		d.paper(l.Name, "portrait", l.Widths, 0)
		return
	}
	d.paper(l.Name, "landscape", l.Widths, 1)
}

// chartWidth is the default width of a chart, in pixels.
const (
	chartWidth         = 620
	pixelsPerCharacter = 7
)

// chart draws a chart of a sheet.
func (d *drawing) chart(sheet string, c Chart) {
	cells := func(column string) string {
		return fmt.Sprintf("'%s'!$%s$%d:$%s$%s", sheet, column, c.From+1, column, c.Rows)
	}
	var series []excelize.ChartSeries
	for i, column := range c.Values {
		series = append(series, excelize.ChartSeries{
			Name:       fmt.Sprintf("'%s'!$%s$%d", sheet, column, c.From),
			Categories: cells(c.Categories), Values: cells(column),
			Fill:      excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{c.Colours[i]}},
			DataLabel: excelize.ChartDataLabel{Font: excelize.Font{Color: "262626", Size: 9}},
		})
		if c.Type == LineChart {
			series[i].Line = excelize.LineOptions{Width: 1.75, Dash: dashes[i%len(dashes)], Fill: series[i].Fill}
			series[i].Marker = excelize.ChartMarker{Symbol: "none"}
		}
	}
	if c.Marks != "" {
		series = append(series, excelize.ChartSeries{
			Name: fmt.Sprintf("'%s'!$%s$%d", sheet, c.Marks, c.From), Categories: cells(c.Categories), Values: cells(c.Marks),
			Line:   excelize.LineOptions{Type: excelize.LineNone},
			Marker: excelize.ChartMarker{Symbol: "diamond", Size: 8, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"262626"}}},
		})
	}
	grey := excelize.Font{Color: greyText, Size: 9}
	numbers, names, labels := "#,##0", excelize.ChartTickLabelNextToAxis, excelize.ChartPlotArea{}
	if c.TwoSided {
		numbers, names = "#,##0;#,##0", excelize.ChartTickLabelLow
		labels = excelize.ChartPlotArea{ShowVal: true, NumFmt: excelize.ChartNumFmt{CustomNumFmt: numbers + ";"}} // no label for zero
	}
	categories := excelize.ChartAxis{ReverseOrder: c.Type == StackedBarChart || c.Type == BarChart || c.Newest != "", TickLabelPosition: names, Font: grey}
	if c.Newest != "" {
		categories.NumFmt = excelize.ChartNumFmt{CustomNumFmt: c.Newest}
		categories.Alignment = excelize.Alignment{TextRotation: -45} // horizontal, LibreOffice breaks each over many lines
	}
	legend := "none"
	if len(series) > 1 {
		legend = "bottom"
	}
	d.do(d.f.AddChart(sheet, c.Cell, &excelize.Chart{
		Type: chartTypes[c.Type], Series: series,
		Title:     excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: c.Title, Font: &excelize.Font{Size: 12, Bold: true, Color: headFill}}}},
		Legend:    excelize.ChartLegend{Position: legend},
		Dimension: excelize.ChartDimension{Width: cmp.Or(c.Width, chartWidth), Height: c.Height},
		XAxis:     categories,
		YAxis:     excelize.ChartAxis{MajorGridLines: true, NumFmt: excelize.ChartNumFmt{CustomNumFmt: numbers}, Font: grey},
		PlotArea:  labels,
		GapWidth:  ptr(uint(40)),
		Overlap:   ptr(100),
	}))
}

// chartTypes are excelize's names of the types of charts.
var chartTypes = [...]excelize.ChartType{BarChart: excelize.Bar, StackedBarChart: excelize.BarStacked, ColumnChart: excelize.Col, LineChart: excelize.Line}

// dashes distinguish lines if their colours do not.
var dashes = []excelize.LineDashType{
	excelize.LineDashSolid, excelize.LineDashDash, excelize.LineDashSysDot, excelize.LineDashSashDot,
	excelize.LineDashLgDash, excelize.LineDashLgDashDotDot, excelize.LineDashSysDash, excelize.LineDashSysDashDot,
}

func cutRange(r string) (from, to string, ok bool) {
	for i := range r {
		if r[i] == ':' {
			return r[:i], r[i+1:], true
		}
	}
	return r, r, false
}
