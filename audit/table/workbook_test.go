package table

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

var limits = Limits{Bytes: 1 << 30, Entries: 100, Tokens: 3 << 20, Texts: 1 << 20}

// opened opens a ZIP of files, name and text in turn.
func opened(t *testing.T, files ...string) *Archive {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: files[i]}) // packing would take longer than all else
		noError(t, err)
		io.WriteString(w, files[i+1])
	}
	z.Close()
	a, err := OpenArchive(bytes.NewReader(b.Bytes()), int64(b.Len()), limits)
	noError(t, err)
	return a
}

const relations = `<Relationships><Relationship Id="a" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="b" Type="x/sharedStrings" Target="/xl/sharedStrings.xml"/><Relationship Id="c" Type="x/chartsheet" Target="chart.xml"/></Relationships>`

// bookOf opens a workbook of one sheet with these rows, and with texts that cells share.
func bookOf(t *testing.T, rows, texts string) *Archive {
	t.Helper()
	return opened(t, `xl\Workbook.xml`, `<x:workbook xmlns:x="x"><x:sheets><x:sheet name="Chart" sheetId="2" r:id="c"/><x:sheet name="S" sheetId="1" r:id="a"/></x:sheets></x:workbook>`,
		"xl/_rels/workbook.xml.rels", relations, "xl/worksheets/sheet1.xml", "<worksheet><sheetData>"+rows+"</sheetData><x><row/><c/></x></worksheet>", "xl/sharedStrings.xml", "<sst>"+texts+"</sst>")
}

// rowsOf reads all rows of all sheets, with "|" between cells.
func rowsOf(a *Archive) (rows []string, err error) {
	b, err := a.Workbook()
	if err != nil {
		return nil, err
	}
	for _, s := range b.Sheets {
		for row, err := range s.Rows() {
			if err != nil {
				return rows, fmt.Errorf("%s: %w", s.Name, err)
			}
			rows = append(rows, strings.Join(row, "|"))
		}
	}
	return rows, nil
}

// Cells are read as the standard has them (ECMA-376, 18.3.1.4 and 18.4).
func TestRows(t *testing.T) {
	const texts = `<si><t>a</t></si><si><r><rPr><b/></rPr><t>b</t></r><r><t xml:space="preserve"> c</t></r><rPh><t>no</t></rPh></si><si><t>_x0041__x005F_x_xZZZZ_</t></si><si/>`
	for _, c := range []struct{ rows, want string }{
		{``, ""},
		{`<row/><row r="3"><c t="s"><v> 0 </v></c><c t="s"><v>1</v></c></row>`, "\n\na|b c"},
		{`<row r="1"><c r="B1" t="s"><v>2</v></c><c r="D1"><v>1.50</v></c></row>`, "|A_x_xZZZZ_||1.50"},
		{`<row><c r="AA1" t="inlineStr"><is><t>x&amp;<![CDATA[<]]></t><rPh><t>no</t></rPh></is></c></row>`, strings.Repeat("|", 26) + "x&<"},
		{`<row><c t="str"><f>A1&amp;B1</f><v>_x0041_</v></c><c t="b"><v>1</v></c><c s="1"/></row>`, "_x0041_|1"},
		{`<row><c t="s"><v>3</v></c><c><f>1</f></c><c/></row>`, "|"}, // a formula without a value, and nothing
		{`<x:row xmlns:x="x"><x:c t="e"><x:v>#N/A</x:v></x:c></x:row>`, "#N/A"},
	} {
		rows, err := rowsOf(bookOf(t, c.rows, texts))
		if got := strings.Join(rows, "\n"); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.rows, got, err, c.want)
		}
	}
}

// TestRowsAsExcelize reads workbooks of random cells as excelize does.
func TestRowsAsExcelize(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "a", " b ", "ä\n<&>\"", "_x0041_", "https://a.example/?q=1", "1", "日本"}
	for range 30 {
		f := excelize.NewFile()
		for _, name := range []string{"Sheet1", "Two"} {
			f.NewSheet(name)
			for range r.IntN(40) {
				at, _ := excelize.CoordinatesToCellName(1+r.IntN(30), 1+r.IntN(12))
				switch r.IntN(5) {
				case 0:
					f.SetCellInt(name, at, r.Int64N(1e6))
				case 1:
					f.SetCellBool(name, at, true)
				case 2:
					f.SetCellFormula(name, at, "1+1")
				case 3:
					f.SetCellRichText(name, at, []excelize.RichTextRun{{Text: "x"}, {Text: texts[r.IntN(len(texts))], Font: &excelize.Font{Bold: true}}})
				default:
					f.SetCellStr(name, at, texts[r.IntN(len(texts))])
				}
			}
		}
		var b bytes.Buffer
		noError(t, f.Write(&b))
		f.Close()
		var want []string
		again, err := excelize.OpenReader(bytes.NewReader(b.Bytes()), excelize.Options{RawCellValue: true})
		noError(t, err)
		for _, sheet := range again.GetSheetList() {
			rows, err := again.Rows(sheet)
			noError(t, err)
			for rows.Next() {
				row, _ := rows.Columns()
				want = append(want, strings.Join(row, "|"))
			}
			rows.Close()
		}
		again.Close()
		a, err := OpenArchive(bytes.NewReader(b.Bytes()), int64(b.Len()), limits)
		noError(t, err)
		got, err := rowsOf(a)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v\n%q, want\n%q", err, got, want)
		}
	}
}

// Hostile parts are refused before much of them is unpacked, with the names of the part and the
// bound.
func TestBounds(t *testing.T) {
	const sheet, shared, most = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", 32 << 20
	long := func(text string) string { return strings.Repeat(text, 10<<20/len(text)) }
	text := "<t>" + strings.Repeat("x", 1<<19) + "</t>"
	for name, c := range map[string]struct {
		of   *Archive
		want string
	}{
		"nested cells":   {bookOf(t, long("<c>"), ""), sheet + ": more than 100 elements within each other"},
		"nested texts":   {bookOf(t, "", long("<r>")), shared + ": more than 100 elements within each other"},
		"a long text":    {bookOf(t, "<row><c><v>"+long("x"), ""), sheet + ": a tag or a text of more than 1024 KB"},
		"a long comment": {bookOf(t, "<!--"+long("x"), ""), sheet + ": a tag or a text of more than 1024 KB"},
		"a long name":    {bookOf(t, "<"+long("x"), ""), sheet + ": a tag or a text of more than 1024 KB"},
		"attributes":     {bookOf(t, "<row "+long(`a="" `), ""), sheet + ": a tag or a text of more than 1024 KB"},
		"runs":           {bookOf(t, "<row><c><is>"+long("<t>xxxx</t>"), ""), sheet + ": a cell with a text of more than 1024 KB"},
		"shared runs":    {bookOf(t, "", "<si>"+long("<t>xxxx</t>")), shared + ": a cell with a text of more than 1024 KB"},
		"shared texts":   {bookOf(t, "", long("<si><t>x</t></si>")), shared + ": more than 1 MB of texts. Save the sheet as .csv"},
		"cells":          {bookOf(t, "<row>"+long("<c/>"), ""), sheet + ": a cell after column 16384, or without a column, in row 1"},
		"no cell":        {bookOf(t, `<row><c r="1">`, ""), sheet + ": a cell after column 16384, or without a column, in row 1"},
		"a far cell":     {bookOf(t, `<row><c r="`+strings.Repeat("Z", 1<<19)+`1">`, ""), sheet + ": a cell after column 16384, or without a column, in row 1"},
		"rows":           {bookOf(t, long("<row/>"), ""), sheet + ": more than 1048576 rows"},
		"a far row":      {bookOf(t, `<row r="2000000"/>`, ""), sheet + ": more than 1048576 rows"},
		"an entity":      {bookOf(t, `<!DOCTYPE x [<!ENTITY a "b">]><row><c><v>&a;`, ""), sheet + ": XML syntax error"},
		"tokens":         {bookOf(t, strings.Repeat("<x></x>", 2<<20), ""), sheet + ": more than 3145728 tags and texts. Save the sheet as .csv"},
		"sheets":         {opened(t, workbookPart, "<workbook>"+long("<sheet/>")), workbookPart + ": more than 100 sheets"},
		"an index":       {opened(t, workbookPart, "<workbook>"+long("<x>"+strings.Repeat("x", 100)+"</x>")), workbookPart + ": longer than 8 MB"},
		"parts":          {opened(t, workbookPart, `<workbook><sheet r:id="a"/></workbook>`, relationsPart, "<x>"+long(`<Relationship Type="worksheet"/>`)), relationsPart + ": longer than 8 MB"},
		"a wide row":     {bookOf(t, "<row>"+strings.Repeat(`<c t="s"><v>0</v></c>`, 40), "<si>"+text+"</si>"), sheet + ": row 1 is longer than 16 MB"},
		"a part":         {opened(t, workbookPart, `<workbook><sheet r:id="a"/></workbook>`, relationsPart, relations), shared + ": this part of the workbook is missing"},
		"a number":       {bookOf(t, `<row><c t="s"><v>-1</v></c></row>`, ""), sheet + ": row 1 refers to a text that is missing"},
		"an open row":    {bookOf(t, "<row>", ""), sheet + ": unexpected EOF"},
	} {
		if _, err := rowsOf(c.of); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if unpacked := limits.Bytes - c.of.left; unpacked > most {
			t.Errorf("%s: refused after %d bytes", name, unpacked)
		}
	}
}

// Blank rows of many sheets are bounded together: a row is a few bytes, and says that a
// million come before it.
func TestBlankRows(t *testing.T) {
	sheets, many := "", ""
	for i := range 20 {
		sheets += fmt.Sprintf(`<sheet name="S%d" r:id="%d"/>`, i, i)
		many += fmt.Sprintf(`<Relationship Id="%d" Type="x/worksheet" Target="worksheets/sheet1.xml"/>`, i)
	}
	a := opened(t, workbookPart, "<workbook>"+sheets+"</workbook>", relationsPart, "<x>"+many+"</x>", "xl/worksheets/sheet1.xml", `<x><row r="1048576"/></x>`)
	b, err := a.Workbook()
	noError(t, err)
	n := 0
	for _, s := range b.Sheets {
		for _, err = range s.Rows() {
			if err != nil {
				break
			}
			n++
		}
	}
	if n != maxAllRows || err == nil || !strings.Contains(err.Error(), "more than 16777216 rows in all sheets") {
		t.Errorf("%d rows, %v", n, err)
	}
}

// A damaged part is named, also where its rows are over before the damage.
func TestDamaged(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range [][2]string{{workbookPart, `<workbook><sheet r:id="a"/></workbook>`}, {relationsPart, strings.Replace(relations, "sharedStrings", "x", 1)}, {"xl/worksheets/sheet1.xml", "<x><sheetData></sheetData><!--MARK--></x>"}} {
		w, _ := z.CreateHeader(&zip.FileHeader{Name: part[0]})
		io.WriteString(w, part[1])
	}
	z.Close()
	a, err := OpenArchive(bytes.NewReader(bytes.Replace(b.Bytes(), []byte("MARK"), []byte("MASK"), 1)), int64(b.Len()), limits)
	noError(t, err)
	if _, err := rowsOf(a); err == nil || !strings.Contains(err.Error(), "sheet1.xml: zip: checksum error") {
		t.Error(err)
	}
}

// FuzzRows: for any parts, reading ends, and errors name the part.
func FuzzRows(f *testing.F) {
	f.Add("<row><c r=\"B2\" t=\"s\"><v>0</v></c></row>", "<si><t>a</t></si>")
	f.Add("<c><row/><v>1</v></c>", "")
	f.Fuzz(func(t *testing.T, rows, texts string) {
		got, err := rowsOf(bookOf(t, rows, texts))
		if err != nil && !strings.Contains(err.Error(), "xl/") {
			t.Errorf("%v", err)
		}
		if len(got) > maxRows {
			t.Errorf("%d rows", len(got))
		}
	})
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
