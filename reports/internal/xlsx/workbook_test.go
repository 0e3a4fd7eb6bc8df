package xlsx

import (
	"archive/zip"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"robots-audit/reports/internal/disk"
)

// animal is a row of the tests' sheets.
type animal struct {
	name string
	legs int
}

// zoo has everything that a workbook can have: all charts, both conditional formats, links, a sheet
// with rows, one with a note and an omitted one.
type zoo struct {
	Workbook
	animals, extinct, plants Sheet[animal]
	summary                  *SummarySheet
}

func newZoo(t testing.TB, rowLimit int) *zoo {
	t.Helper()
	health := []Highlight{{"well", Green}, {"ill", Red}, {"old", Amber}, {"asleep", Grey}}
	columns := []Column[animal]{
		{Title: "Name", Width: 20, Value: func(a *animal) Cell { return Text(a.name) }},
		{Title: "Legs", Width: 10, Value: func(a *animal) Cell { return Number(int64(a.legs)) }},
	}
	z := &zoo{}
	z.animals.Table = NewTable("Animals", columns, ConditionalFormat{Column: 0, Highlights: health}, DataBar(1), ConditionalFormat{Column: 1, Highlights: health[:2], By: "Name"})
	z.extinct.Table = NewTable("Extinct", columns)
	z.plants.Table = NewTable("Plants", columns)
	z.plants.Kind.Optional = true
	summary := SummaryLayout{
		Name: "Summary", Widths: []float64{20, 10, 10}, Merged: []string{"A1:C1"}, Links: map[string]string{"A2": "Animals"},
		Formats: []RangeFormat{{"A3:A5", health}, {"B3:B5", nil}},
	}
	z.summary = &SummarySheet{Placeholders: []string{"1050001", "5"}}
	z.summary.SetRow(1, 30, Styled(StyleTitle, "A zoo"))
	z.summary.SetRow(2, 0, Styled(StyleLink, "Animals"))
	for i := range 3 {
		z.summary.SetRow(3+i, 0, Text("well"), Number(int64(i)), Percent(int64(i), 3))
	}
	for i, kind := range []ChartType{BarChart, StackedBarChart, ColumnChart, LineChart} {
		title := fmt.Sprintf("@title %d@", i)
		newest := ""
		if kind == LineChart {
			newest = "d mmm yyyy"
		}
		summary.Charts = append(summary.Charts, Chart{
			Cell: fmt.Sprintf("E%d", 1+20*i), Type: kind, Title: title, From: 2, Rows: "1050001", Categories: "A",
			Values: []string{"B", "C"}, Colours: []string{"4F81BD", "C0504D"}, Height: 300, TwoSided: kind == StackedBarChart, Newest: newest,
		})
		z.summary.Charts = append(z.summary.Charts, true)
		z.summary.Placeholders = append(z.summary.Placeholders, title, "Animals & <others>")
	}
	template := NewTemplate(Design{
		Creator: "test", Title: "Zoo", Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Summary: summary,
		Sheets:   []*SheetKind{z.animals.Kind, z.extinct.Kind, z.plants.Kind},
		MoreRows: func(rows int64) string { return fmt.Sprint(rows, " more") },
	})
	z.Workbook = Workbook{
		Template: template, Sheets: []AnySheet{&z.animals, &z.extinct, &z.plants},
		Disk: disk.OS{}, SpillName: filepath.Join(t.TempDir(), "spill"), RowLimit: rowLimit,
	}
	return z
}

// finish writes the workbook and returns its name.
func (z *zoo) finish(t testing.TB) string {
	t.Helper()
	if !z.animals.Begun() {
		z.animals.Open(&z.Workbook)
	}
	z.extinct.Note(&z.Workbook, "None is.")
	name := filepath.Join(t.TempDir(), "zoo.xlsx")
	if err := z.Finish(name, z.summary); err != nil {
		t.Fatal(err)
	}
	z.Discard()
	return name
}

// zipParts returns the files of a workbook.
func zipParts(t testing.TB, name string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	parts := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r) // checks the checksum
		if err != nil {
			t.Fatal(err)
		}
		parts[f.Name] = string(text)
	}
	return parts
}

// Every part of a workbook with charts keeps the order of the schema, and the
// properties have no empty element, on which ExcelJS fails.
func TestPartsInSchemaOrder(t *testing.T) {
	z := newZoo(t, MaxRows)
	z.animals.AddRow(&z.Workbook, &animal{"cat", 4})
	seen := map[string]int{}
	for name, part := range zipParts(t, z.finish(t)) {
		if empty := regexp.MustCompile(`<([\w:]+)[^>]*></`).FindString(part); empty != "" && strings.HasPrefix(name, "docProps/") {
			t.Errorf("%s: %s is empty", name, empty)
		}
		checkOrder(t, name, part, seen)
		if strings.Contains(part, "filterMode") {
			t.Errorf("%s is filtered: %s", name, part)
		}
	}
	for element := range schemaOrder {
		if seen[element] == 0 {
			t.Errorf("no %s in the workbook: the test tests less than it seems", element)
		}
	}
}

// Cells are coloured by another column's word. A chart with two sides shows values below zero
// without sign, and the names of the rows on the side without bars.
func TestOtherColumnAndTwoSides(t *testing.T) {
	z := newZoo(t, MaxRows)
	z.animals.AddRow(&z.Workbook, &animal{"cat", 4})
	parts := zipParts(t, z.finish(t))
	for part, wants := range map[string][]string{
		"xl/worksheets/sheet2.xml": {`<conditionalFormatting sqref="B2:B1048576"><cfRule`, `<formula>$A2="well"</formula>`, `<formula>$A2="ill"</formula>`},
		"xl/charts/chart2.xml":     {`formatCode="#,##0;#,##0"`, `<tickLblPos val="low"`},
	} {
		for _, want := range wants {
			if !strings.Contains(parts[part], want) {
				t.Errorf("%s has no %s: %s", part, want, parts[part])
			}
		}
	}
	for _, part := range []string{"xl/charts/chart1.xml", "xl/charts/chart3.xml"} {
		if strings.Contains(parts[part], `val="low"`) {
			t.Errorf("%s, which has one side, is drawn with two: %s", part, parts[part])
		}
	}
}

// The rows are read back, from as many sheets as they need, with the sentence that replaces missing
// rows; and the same rows give the same bytes, spilled or not.
func TestRows(t *testing.T) {
	for _, c := range []struct{ rows, limit, sheets, dropped int }{{0, 10, 1, 0}, {9, 10, 1, 0}, {10, 10, 2, 0}, {200, 3, MaxSheets, 161}, {30000, MaxRows, 1, 0}} {
		var first map[string]string
		for _, whole := range []bool{false, true} {
			z := newZoo(t, c.limit)
			z.Whole = whole
			for i := range c.rows {
				z.animals.AddRow(&z.Workbook, &animal{fmt.Sprintf("=animal %x", i*i*7919), i % 9})
			}
			if z.Spilled() != (c.rows == 30000) {
				t.Errorf("%d rows: spilled %v", c.rows, z.Spilled())
			}
			name := z.finish(t)
			if parts := zipParts(t, name); first == nil {
				first = parts
			} else {
				for part, text := range parts {
					if text != first[part] {
						t.Errorf("%d rows: %s depends on how rows came", c.rows, part)
					}
				}
			}
			f, err := excelize.OpenFile(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if got := len(f.GetSheetList()); got != c.sheets+2 {
				t.Errorf("%d rows: %d sheets, want %d", c.rows, got, c.sheets+2)
			}
			n := 0
			for i := range c.sheets {
				rows, err := f.GetRows(SheetName("Animals", i))
				if err != nil || rows[0][0] != "Name" {
					t.Fatalf("%d rows: sheet %d begins with %v (%v)", c.rows, i, rows[0], err)
				}
				for _, row := range rows[1:] {
					if want := fmt.Sprintf("=animal %x", n*n*7919); row[0] == want {
						n++
					} else if want := fmt.Sprint(c.dropped, " more"); row[0] != want {
						t.Fatalf("row %v, want %q", row, want)
					}
				}
			}
			if n != c.rows-c.dropped {
				t.Errorf("%d of %d rows come back, want %d", n, c.rows, c.rows-c.dropped)
			}
			if got, err := f.GetCellValue("Extinct", "A2"); err != nil || got != "None is." {
				t.Errorf("the note is %q (%v)", got, err)
			}
		}
	}
}

// Folded columns are grouped and hidden, and have their button after them; a sheet without any has
// no space for one.
func TestFolded(t *testing.T) {
	columns := []Column[animal]{
		{Title: "Name", Width: 20, Value: func(a *animal) Cell { return Text(a.name) }},
		{Title: "Legs", Width: 10, Folded: true, Value: func(a *animal) Cell { return Number(int64(a.legs)) }},
		{Title: "Feet", Width: 12, Folded: true, Value: func(a *animal) Cell { return Number(int64(a.legs)) }},
	}
	animals, plants := Sheet[animal]{Table: NewTable("Animals", columns)}, Sheet[animal]{Table: NewTable("Plants", columns[:1])}
	template := NewTemplate(Design{Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Summary: SummaryLayout{Name: "Summary"}, Sheets: []*SheetKind{animals.Kind, plants.Kind}})
	dir := t.TempDir()
	w := Workbook{Template: template, Sheets: []AnySheet{&animals, &plants}, Disk: disk.OS{}, SpillName: filepath.Join(dir, "spill"), RowLimit: MaxRows}
	animals.AddRow(&w, &animal{"cat", 4})
	plants.Open(&w)
	name := filepath.Join(dir, "zoo.xlsx")
	summary := &SummarySheet{}
	summary.SetRow(1, 0, Text("A zoo"))
	if err := w.Finish(name, summary); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i, folded := range []bool{false, true, true, false} {
		level, err := f.GetColOutlineLevel("Animals", ColumnName(i))
		if err != nil || (level == 1) != folded {
			t.Errorf("column %d has level %d (%v)", i, level, err)
		}
		if shown, err := f.GetColVisible("Animals", ColumnName(i)); err != nil || shown == folded {
			t.Errorf("column %d is shown: %v (%v)", i, shown, err)
		}
	}
	if got, err := f.GetCellValue("Animals", "C2"); err != nil || got != "4" {
		t.Errorf("a folded cell holds %q (%v)", got, err)
	}
	parts := zipParts(t, name)
	if sheet := parts["xl/worksheets/sheet2.xml"]; !strings.Contains(sheet, `<col collapsed="1" max="4" min="4" width="9"/></cols>`) || !strings.Contains(sheet, ` outlineLevelCol="1"`) {
		t.Errorf("no button: %s", sheet)
	}
	if sheet := parts["xl/worksheets/sheet3.xml"]; strings.Contains(sheet, "outline") || strings.Contains(sheet, "collapsed") {
		t.Errorf("a button for nothing: %s", sheet)
	}
}

// Shared strings are bounded; a text beyond the bound is written into its cell.
func TestSharedStrings(t *testing.T) {
	var s SharedStrings
	sitemap := s.Reserve("number 1")
	if !s.Set(sitemap, "a name") || s.Text(&sitemap) != "a name" {
		t.Errorf("a reserved text is %q", s.Text(&sitemap))
	}
	if a, b := s.Cell("x"), s.CellOf([]byte("x")); a != b || a.Kind != KindShared || s.Text(&a) != "x" {
		t.Errorf("%+v and %+v are not one", a, b)
	}
	if c := s.Cell(""); c.Kind != KindBlank {
		t.Errorf("%+v for no text", c)
	}
	for i := range maxShared {
		c := s.Cell(fmt.Sprint(i))
		if s.Text(&c) != fmt.Sprint(i) {
			t.Fatalf("text %d is %q", i, s.Text(&c))
		}
	}
	if c := s.Cell("one more"); !s.Full() || c.Kind != KindText {
		t.Errorf("%+v where there is no room (full: %v)", c, s.Full())
	}
	if s.Set(sitemap, strings.Repeat("x", 4*maxSharedBytes)) || s.Set(Text("own"), "x") {
		t.Error("a text is set that has no room, or no place")
	}
}

// TestLinks links cells to files, also in continued sheets, and reads them back; beyond the bound
// there are none, and a sheet without links has no part for them.
func TestLinks(t *testing.T) {
	z := newZoo(t, 2000)
	z.animals.Columns[0].Link = func(a *animal) string {
		switch a.name {
		case "stray":
			return ""
		case "lost":
			return LinkToSheet("Summary")
		}
		return "pages/" + a.name + ".html?a=1&b=2#legs"
	}
	write := func(name string) { z.animals.AddRow(&z.Workbook, &animal{name, 4}) }
	write("cat")
	write("stray")
	write("lost")
	for range 1996 {
		write("dog")
	}
	write("fox") // the first of the second sheet
	f, err := excelize.OpenFile(z.finish(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, c := range []struct{ sheet, cell, want string }{
		{"Animals", "A2", "pages/cat.html?a=1&b=2#legs"}, {"Animals", "A3", ""}, {"Animals", "A4", "'Summary'!A1"}, {"Animals", "A5", "pages/dog.html?a=1&b=2#legs"}, {"Animals", "B2", ""},
		{"Animals 2", "A2", "pages/fox.html?a=1&b=2#legs"},
	} {
		if _, got, err := f.GetCellHyperLink(c.sheet, c.cell); got != c.want || err != nil {
			t.Errorf("%s %s leads to %q, %v; want %q", c.sheet, c.cell, got, err, c.want)
		}
	}
	if text, err := f.GetCellValue("Animals", "A2"); text != "cat" || err != nil {
		t.Errorf("a cell with a link holds %q, %v", text, err)
	}
	var p part
	for i := range maxLinks + 5 {
		if added := p.addLink("A", []byte("2"), "x"); added != (i < maxLinks) {
			t.Fatalf("link %d: %v", i, added)
		}
	}
}

// TestPrint: a long sheet prints its first rows, and its footer says that there are more.
func TestPrint(t *testing.T) {
	for rows, want := range map[int]string{200: "", 201: "First 200 of 201 rows", 1234: "First 200 of 1234 rows"} {
		table := NewTable("Numbers", []Column[int]{{Title: "Number", Width: 9, Value: func(n *int) Cell { return Number(int64(*n)) }}})
		design := Design{Creator: "test", Summary: SummaryLayout{Name: "Summary"}, Sheets: []*SheetKind{table.Kind}, PrintNote: func(printed, rows int64) string { return fmt.Sprintf("First %d of %d rows", printed, rows) }}
		template := NewTemplate(design)
		sheet := &Sheet[int]{Table: table}
		path := filepath.Join(t.TempDir(), "x.xlsx")
		w := Workbook{Template: template, Sheets: []AnySheet{sheet}, Disk: disk.OS{}, SpillName: path + ".spill", RowLimit: MaxRows}
		for n := range rows {
			sheet.AddRow(&w, &n)
		}
		if err := w.Finish(path, &SummarySheet{}); err != nil {
			t.Fatal(err)
		}
		f, err := excelize.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		foot, err := f.GetHeaderFooter("Numbers")
		if err != nil || strings.Contains(foot.OddFooter, "First") != (want != "") || !strings.Contains(foot.OddFooter, want) {
			t.Errorf("%d rows: %v, %v", rows, foot, err)
		}
		area := fmt.Sprintf("'Numbers'!$A$1:$A$%d", min(rows, 200)+1)
		if !slices.ContainsFunc(f.GetDefinedName(), func(n excelize.DefinedName) bool { return n.Name == "_xlnm.Print_Area" && n.RefersTo == area }) {
			t.Errorf("%d rows: %v", rows, f.GetDefinedName())
		}
		f.Close()
	}
}
