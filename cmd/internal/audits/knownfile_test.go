package audits

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit/table"
	"robots-audit/cmd/internal/clitest"
)

func zipped(t *testing.T, files ...string) string {
	t.Helper()
	return written(t, "export.zip", clitest.Archived(files...))
}

func written(t *testing.T, name string, content []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// options name the column of URLs; "" = find it.
func options(column string) (o table.Options) {
	if column != "" {
		o.Columns = map[table.Meaning]string{table.URL: column}
	}
	return o
}

// bookOf writes a workbook with one sheet, these rows, and shared texts.
func bookOf(t *testing.T, rows, texts string) string {
	t.Helper()
	const of, is = "http://schemas.openxmlformats.org/", ` xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	relations := func(list string) string {
		return strings.ReplaceAll(`<Relationships xmlns="`+of+`package/2006/relationships">`+list+`</Relationships>`, "TYPE", of+"officeDocument/2006/relationships")
	}
	return zipped(t, "xl/workbook.xml", `<workbook`+is+` xmlns:r="`+of+`officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relations(`<Relationship Id="a" Type="TYPE/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="b" Type="TYPE/sharedStrings" Target="/xl/sharedStrings.xml"/>`),
		"_rels/.rels", relations(`<Relationship Id="a" Type="TYPE/officeDocument" Target="xl/workbook.xml"/>`), "xl/styles.xml", "<styleSheet"+is+"/>",
		"xl/worksheets/sheet1.xml", "<worksheet"+is+"><sheetData>"+rows+"</sheetData></worksheet>", "xl/sharedStrings.xml", "<sst"+is+">"+texts+"</sst>")
}

func workbook(t *testing.T, sheets ...[]string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "export.xlsx")
	if err := clitest.SaveWorkbook(file, sheets...); err != nil {
		t.Fatal(err)
	}
	return file
}

// Exports are read as downloaded: of several tables the one with the URLs is used.
func TestReadKnownFiles(t *testing.T) {
	const table = "URL,Letztes Crawling\r\n\"https://a.example/x,y\",2026-11-01\r\nhttps://a.example/2,2026-11-02\r\n"
	for name, c := range map[string]struct {
		file, column string
		urls         int64
		at           int
	}{
		"text":                        {written(t, "list", []byte("https://a.example/1\n")), "", 1, 0},
		"Search Console, one issue":   {zipped(t, "Diagramm.csv", "Datum,Betroffene Seiten\n2026-11-01,2\n", "Tabelle.csv", table, "Metadaten.csv", "Property,Wert\nSitemap,https://a.example/sitemap.xml\n"), "", 2, 0},
		"Search Console, performance": {zipped(t, "Queries.csv", "Top queries,Clicks\nhttps://q.example/,3\nshoes,4\n", "Filters.csv", "Filter,Value\nPage,+https\nSite,https://a.example/\n", "Pages.csv", "Top pages,Clicks\nhttps://a.example/1,5\nhttps://a.example/2,5\n"), "", 2, 0},
		"as many among the filters":   {zipped(t, "Filters.csv", "Filter,Value\nPage,https://a.example/\n", "Pages.csv", "Top pages,Clicks\nhttps://a.example/1,5\n"), "", 1, 0},
		"a column":                    {zipped(t, "a.csv", "x,y\nhttps://a.example/1,1\nhttps://a.example/2,1\n", "b.csv", "from,to\nhttps://b.example/1,https://a.example/1\n"), "to", 1, 1},
		"of macOS":                    {zipped(t, "__MACOSX/._t.csv", "https://a.example/1\nhttps://a.example/2\n", "d/t.CSV", "https://a.example/1\n"), "", 1, 0},
		"a workbook":                  {workbook(t, []string{"Chart", "Date|URLs", "2026-11-01|3"}, []string{"Table", "URL|Last crawled", "https://a.example/x,y|2026-11-01", "", "https://a.example/2|2026-11-01"}), "", 2, 0},
		"a workbook and a column":     {workbook(t, []string{"Pages", "From|To|Clicks", "https://b.example/|https://a.example/x|7"}), "to", 1, 1},
	} {
		known, _, err := ReadKnown(c.file, options(c.column), "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if known.URLs != c.urls || known.Column != c.at {
			t.Errorf("%s: %d URLs in column %d, want %d in %d", name, known.URLs, known.Column, c.urls, c.at)
		}
	}
}

// Errors name the file within the archive, and the line.
func TestReadKnownFilesErrors(t *testing.T) {
	whole, err := os.ReadFile(zipped(t, "t.csv", strings.Repeat("https://a.example/\n", 1000)))
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	damaged[60] ^= 0xff
	locked := bytes.Clone(whole)
	for _, at := range []int{6, bytes.LastIndex(locked, []byte("PK\x01\x02")) + 8} {
		locked[at] |= 1
	}
	for name, c := range map[string]struct{ file, column, want string }{
		"nothing":       {written(t, "x", nil), "", "no absolute http or https URL in it"},
		"no table":      {zipped(t, "a.png", "x", "b/c.pdf", "y"), "", `the ZIP has no table (.csv, .tsv, .txt, .xlsx or .ods). It has ["a.png" "b/c.pdf"]`},
		"empty ZIP":     {zipped(t), "", "the ZIP has no table (.csv, .tsv, .txt, .xlsx or .ods). It has []"},
		"tables of no":  {zipped(t, "a.csv", "x\n1\n"), "", "no absolute http or https URL in it"},
		"cut":           {written(t, "x", whole[:len(whole)/2]), "", "a damaged or incomplete ZIP or workbook"},
		"damaged":       {written(t, "x", damaged), "", "t.csv: "},
		"password":      {written(t, "x", locked), "", "t.csv: it has a password"},
		"no column":     {zipped(t, "a.csv", "x,y\n1,2\n", "b.csv", "z\n1\n"), "url", `a.csv: no column "url". The first row has "x", "y"`},
		"old workbook":  {written(t, "x.xls", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...")), "", ".xls"},
		"not a column":  {workbook(t, []string{"S", "a|b", "1|2"}), "url", `sheet S: no column "url". The first row has "a", "b"`},
		"no workbook":   {zipped(t, "xl/workbook.xml", "<x", "[Content_Types].xml", ""), "", "workbook"},
		"missing sheet": {zipped(t, "xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets><sheet name="S" sheetId="1"/></sheets></workbook>`), "", "the workbook could not be read: xl/_rels/workbook.xml.rels: this part of the workbook is missing"},
		"missing text":  {bookOf(t, `<row><c t="s"><v>1</v></c></row>`, "<si><t>a</t></si>"), "", "xl/worksheets/sheet1.xml: row 1 refers to a text that is missing"},
		"attributes":    {bookOf(t, "<row "+strings.Repeat(`a="" `, 210_000), ""), "", "xl/worksheets/sheet1.xml: a tag or a text of more than 1024 KB"},
		"cut sheet":     {bookOf(t, "<row>", ""), "", "xl/worksheets/sheet1.xml: "},
	} {
		if _, _, err := ReadKnown(c.file, options(c.column), ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// ZIP bombs stop at the limit, whatever size they declare.
func TestReadKnownFilesLimits(t *testing.T) {
	small := table.Limits{Bytes: 1 << 20, Entries: 10, Tokens: 1 << 20, Texts: 1 << 20}
	read := func(file string) error {
		_, _, err := ReadKnown(file, table.Options{Limits: small}, "")
		return err
	}
	lines := strings.Repeat("no URL at all\n", 60_000)
	const sheet, number = "xl/worksheets/sheet1.xml", "<c><v>1</v></c>"
	var files []string
	for i := range 11 {
		files = append(files, fmt.Sprint(i, ".csv"), "x\n")
	}
	// A workbook whose sheet declares a small size.
	var packed, lying bytes.Buffer
	w, _ := flate.NewWriter(&packed, 9)
	io.WriteString(w, strings.Repeat(lines, 4))
	w.Close()
	honest, err := zip.OpenReader(workbook(t, []string{"S", "https://a.example/"}))
	if err != nil {
		t.Fatal(err)
	}
	defer honest.Close()
	z := zip.NewWriter(&lying)
	for _, f := range honest.File {
		if f.Name != "xl/worksheets/sheet1.xml" {
			z.Copy(f)
			continue
		}
		raw, _ := z.CreateRaw(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, CompressedSize64: uint64(packed.Len()), UncompressedSize64: 100})
		raw.Write(packed.Bytes())
	}
	z.Close()
	for name, c := range map[string]struct{ file, want string }{
		"one table":   {zipped(t, "a.csv", lines+lines), "a.csv: more than 1 MB unpacked"},
		"several":     {zipped(t, "a.csv", lines, "b.csv", lines), "b.csv: more than 1 MB unpacked"},
		"entries":     {zipped(t, files...), "11 files in the ZIP, but at most 10 are read"},
		"a workbook":  {bookOf(t, strings.Repeat("<row>"+number+"</row>", 60_000), ""), sheet + ": more than 1 MB unpacked"},
		"a lying one": {written(t, "x", lying.Bytes()), sheet + ": zip: not a valid zip file"},
		"nested":      {bookOf(t, strings.Repeat("<c>", 200), ""), sheet + ": more than 100 elements within each other"},
		"nested text": {bookOf(t, "", strings.Repeat("<r>", 200)), "xl/sharedStrings.xml: more than 100 elements within each other"},
		"columns":     {bookOf(t, "<row>"+strings.Repeat(number, 16_385), ""), sheet + ": a cell after column 16384"},
		"a column":    {bookOf(t, `<row><c r="XFE1"/></row>`, ""), sheet + ": a cell after column 16384"},
		"rows":        {bookOf(t, `<row r="1048577"/>`, ""), sheet + ": more than 1048576 rows"},
		"texts":       {bookOf(t, "", strings.Repeat("<si/>", 22_000)), "xl/sharedStrings.xml: more than 1 MB of texts"},
		"an entity":   {bookOf(t, `<row><c t="str"><v>&lol;</v></c></row>`, ""), sheet + ": XML syntax error"},
		"contents":    {zipped(t, slices.Repeat([]string{strings.Repeat("x", 1<<15), ""}, 9)...), "its table of contents is longer than 138 KB. At most 10 files are read"},
	} {
		if err := read(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if err := read(zipped(t, "a.csv", "https://a.example/\n"+lines[:len(lines)/3])); err != nil {
		t.Error(err)
	}
}
