package table

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// shown writes the columns and rows that a file is read as.
func shown(content []byte, o Options) string {
	file, err := Read(bytes.NewReader(content), o)
	if err != nil {
		return err.Error()
	}
	defer file.Close()
	t := file.Table()
	var b strings.Builder
	for _, m := range []Meaning{URL, Clicks, Impressions} {
		if at := t.Column(m); at >= 0 {
			fmt.Fprintf(&b, "%s=%d ", m, at)
		}
	}
	for row, err := range t.Rows() {
		if err != nil {
			fmt.Fprintf(&b, "| %v ", err)
			continue
		}
		fmt.Fprintf(&b, "| %d: %s ", row.Line, strings.Join(row.Cells, "¦"))
	}
	return strings.TrimSpace(b.String())
}

func utf16Text(text string, order func(unit uint16) []byte) (b []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		b = append(b, order(unit)...)
	}
	return b
}

func little(u uint16) []byte { return []byte{byte(u), byte(u >> 8)} }
func big(u uint16) []byte    { return []byte{byte(u >> 8), byte(u)} }

func gzipped(content []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(content)
	z.Close()
	return b.Bytes()
}

func zipped(files ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, _ := z.Create(files[i])
		io.WriteString(w, files[i+1])
	}
	z.Close()
	return b.Bytes()
}

// ods is a sheet as LibreOffice writes it: repeated cells and rows, a comment, and a number.
const ods = `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet>
<table:table table:name="Empty"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>
<table:table table:name="Pages"><table:table-row><table:table-cell><text:p>URL</text:p></table:table-cell><table:table-cell/><table:table-cell><text:p>Clicks</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="3"/></table:table-row>
<table:table-row><table:table-cell><office:annotation><text:p>a note</text:p></office:annotation><text:p><text:a>https://a.example/1</text:a></text:p></table:table-cell><table:table-cell/><table:table-cell office:value-type="float" office:value="345"><text:p>345</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16381"/></table:table-row>
<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`

// Tables and lists of all forms are read alike.
func TestForms(t *testing.T) {
	const csv = "Top pages,Clicks\nhttps://a.example/ä,3\n"
	const want = "url=0 clicks=1 | 2: https://a.example/ä¦3"
	latin, err := charmap.Windows1252.NewEncoder().String(strings.Replace(csv, "ä", "käse", 1))
	noError(t, err)
	for name, c := range map[string]struct {
		content string
		want    string
	}{
		"commas":               {csv, want},
		"semicolons":           {strings.ReplaceAll(csv, ",", ";"), want},
		"tabs":                 {strings.ReplaceAll(csv, ",", "\t"), want},
		"bars":                 {strings.ReplaceAll(csv, ",", "|"), want},
		"Windows line ends":    {strings.ReplaceAll(csv, "\n", "\r\n"), want},
		"old Macintosh":        {strings.ReplaceAll(csv, "\n", "\r"), want},
		"byte order mark":      {"\uFEFF" + csv, want},
		"UTF-16LE":             {"\xff\xfe" + string(utf16Text(csv, little)), want},
		"UTF-16BE":             {"\xfe\xff" + string(utf16Text(csv, big)), want},
		"UTF-16 without mark":  {string(utf16Text(csv, little)), want},
		"Windows-1252":         {latin, "url=0 clicks=1 | 2: https://a.example/käse¦3"},
		"gzip":                 {string(gzipped([]byte(csv))), want},
		"ZIP":                  {string(zipped("Queries.csv", "Top queries,Clicks\nshoes,1\n", "Pages.csv", csv)), want},
		"gzip in a ZIP":        {string(zipped("pages.csv.gz", string(gzipped([]byte(csv))))), want},
		"OpenDocument":         {string(zipped(odsPart, ods, odsManifest, "<m/>")), "url=0 clicks=2 | 4: https://a.example/1¦¦345"},
		"OpenDocument, zipped": {string(zipped("a.ods", string(zipped(odsPart, ods, odsManifest, "<m/>")))), "url=0 clicks=2 | 4: https://a.example/1¦¦345"},
		"Excel's hint":         {"sep=;\nURL;Clicks\nhttps://a.example/,;3\n", "url=0 clicks=1 | 3: https://a.example/,¦3"},
		"texts above":          {"# 20261101\n# Sessions\n\nReport;2026\nURL;Clicks\nhttps://a.example/;3\n", "url=0 clicks=1 | 6: https://a.example/¦3"},
		"numbered rows":        {"#\tURL\tClicks\n1\thttps://a.example/\t3\n", "url=1 clicks=2 | 2: 1¦https://a.example/¦3"},
		"a list with commas":   {"https://a.example/0,15,7.html\nhttps://a.example/1,16,8.html\n", "url=0 | 1: https://a.example/0,15,7.html | 2: https://a.example/1,16,8.html"},
		"a list":               {"https://a.example/a;b\n# no\n\nhttps://a.example/c\n", "url=0 | 1: https://a.example/a;b | 4: https://a.example/c"},
		"unknown titles":       {"Adresse;Umsatz\nhttps://a.example/;3\n", "url=0 | 2: https://a.example/¦3"},
		"no titles":            {"https://a.example/;3\nhttps://a.example/b;4\n", "url=0 | 1: https://a.example/¦3 | 2: https://a.example/b¦4"},
		"two periods":          {"Top pages,8/1/26 - 8/31/26 Clicks,7/1/26 - 7/31/26 Clicks\nhttps://a.example/,3,4\n", "url=0 clicks=1 | 2: https://a.example/¦3¦4"},
		"ISO-2022-JP":          {"URL,Clicks\nhttps://a.example/\x1b$B%+\x1b(B,3\n", "url=0 clicks=1 | 2: https://a.example/カ¦3"},
		"nothing":              {"", ""},
	} {
		if got := shown([]byte(c.content), Options{Want: []Meaning{URL, Clicks}}); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

// Files that are no tables are refused with what to do.
func TestRefused(t *testing.T) {
	for content, want := range map[string]string{
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...":           "an old workbook (.xls), or it has a password",
		"%PDF-1.7":                                      "this is a PDF file",
		"<html><table>":                                 "this is a web page",
		"PK\x03\x04....":                                "a damaged or incomplete ZIP or workbook",
		string(gzipped([]byte("a"))[:5]):                "a damaged .gz file",
		string(zipped("a.png", "")):                     "the ZIP has no table",
		string(zipped("xl/workbook.bin", "")):           "a binary workbook (.xlsb)",
		"\x00\x01\x02\x03https://a.example/\x00":        "not a text file",
		"https://a.example/caf\x8e\n":                   "Name its encoding",
		string(gzipped(gzipped(gzipped(gzipped(nil))))): "an archive in an archive",
		string(zipped(odsPart, "", odsManifest, "<m><encryption-data/></m>")): "it has a password",
	} {
		if got := shown([]byte(content), Options{}); !strings.Contains(strings.ReplaceAll(got, "name its", "Name its"), want) {
			t.Errorf("%.20q: %s\nwant %s", content, got, want)
		}
	}
	if _, err := Open(t.TempDir(), Options{}); err == nil || !strings.Contains(err.Error(), "this is a folder") {
		t.Error(err)
	}
}

// The user may name columns by title, number or letter, and an encoding.
func TestNamed(t *testing.T) {
	const table = "Seite;Umsatz;Clicks\nhttps://a.example/;7;3\n"
	for column, want := range map[string]string{"umsatz": "clicks=1", "2": "clicks=1", "B": "clicks=1", "Clicks": "clicks=2"} {
		if got := shown([]byte(table), Options{Want: []Meaning{Clicks}, Columns: map[Meaning]string{Clicks: column}}); !strings.Contains(got, want) {
			t.Errorf("%s: %s", column, got)
		}
	}
	_, err := Read(strings.NewReader(table), Options{Want: []Meaning{Clicks}, Columns: map[Meaning]string{Clicks: "Visits"}})
	if !errors.Is(err, ErrNoColumn) || err.Error() != `no column "Visits". The first row has "Seite", "Umsatz", "Clicks"` {
		t.Error(err)
	}
	if got := shown([]byte(table), Options{Want: []Meaning{URL}, Columns: map[Meaning]string{Clicks: "Visits"}}); !strings.HasPrefix(got, "url=0") {
		t.Errorf("a column of another table: %s", got)
	}
	if got := shown([]byte("https://a.example/\xd0\xba\n"), Options{Encoding: "windows-1251"}); !strings.Contains(got, "Рє") {
		t.Error(got)
	}
	file, err := Read(strings.NewReader(table), Options{})
	noError(t, err)
	if got := file.Table().Numbers(); len(got) != 1 || got[0] != `column B "Umsatz"` {
		t.Errorf("%q", got)
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "12": 12, "1,234": 1234, "1.234": 1234, "1 234": 1234, "1\u00a0234": 1234, "1\u202f234": 1234, "1'234": 1234, "12.0": 12, "1,5": 1, "1.234.567,8": 1234567,
		"1.2K": 1200, "1,2K": 1200, "3M": 3_000_000, "1.2万": 12000, "1.2E+6": 1_200_000, "0.125": 0, "١٬٢٣٤": 1234,
		"": -1, "-": -1, "7.html": -1, "-3": -1, "many": -1, "K": -1, "1e400": -1, "99999999999999999999": -1, "NaN": -1,
	} {
		if n, ok := Number(text); ok != (want >= 0) || ok && n != want {
			t.Errorf("%q: %d, %t", text, n, ok)
		}
	}
}

// Skipped rows are counted, and the first are shown with their reason.
func TestSkipped(t *testing.T) {
	var s Skipped
	if s.String() != "" {
		t.Error(s.String())
	}
	for i := range 7 {
		s.Add(RowError{Line: i + 1, Text: "x\x00", Why: map[bool]string{true: "no URL", false: "a path"}[i < 2]})
	}
	if got := s.String(); s.Rows != 7 || !strings.HasPrefix(got, `line 1 "x`) || strings.Count(got, "no URL") != 1 || !strings.HasSuffix(got, "; and 2 more") {
		t.Error(got)
	}
}

// No file takes much memory, or makes the reader fail, and a text that is read again is the same.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"Top pages,Clicks\nhttps://a.example/ä,3\n", "\xff\xfeu\x00", "sep=;\na;b", "\"a\n", "https://a.example/caf\xe9\r", string(gzipped([]byte("a,b"))), string(zipped(odsPart, ods, odsManifest, "<m/>"))} {
		f.Add([]byte(text), "")
	}
	f.Add([]byte("a\x8e|b"), "shift_jis")
	f.Fuzz(func(t *testing.T, content []byte, encoding string) {
		o := Options{Encoding: encoding, Want: []Meaning{URL, Clicks}, Limits: Limits{Bytes: 16 << 20, Entries: 50, Tokens: 1 << 20, Texts: 1 << 20}}
		got := shown(content, o)
		name := filepath.Join(t.TempDir(), "f")
		noError(t, os.WriteFile(name, content, 0o600))
		file, err := Open(name, o)
		if err != nil {
			if err.Error() != got {
				t.Errorf("%v, and %s", err, got)
			}
			return
		}
		defer file.Close()
		rows := 0
		for range file.Table().Rows() {
			rows++
		}
		if n := strings.Count(got, "| "); n < rows && len(content) < 1<<16 {
			t.Errorf("%d rows, and %d in %s", rows, n, got)
		}
	})
}
