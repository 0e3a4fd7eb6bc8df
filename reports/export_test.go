package reports

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"robots-audit/audit"
	"robots-audit/engine"
)

var allFormats = []string{"csv", "jsonl", "parquet"}

// exported reads a site's exports back: the same rows in every format.
func exported(t *testing.T, dir, base string) []exportRow {
	t.Helper()
	rows, err := parquet.ReadFile[exportRow](filepath.Join(dir, base+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, base+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var fromJSON []exportRow
	for line := range bytes.Lines(text) {
		var row exportRow
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		fromJSON = append(fromJSON, row)
	}
	for i := range rows { // JSON has no bytes that are not UTF-8
		row := reflect.ValueOf(&rows[i]).Elem()
		for n := range row.NumField() {
			if f := row.Field(n); f.Kind() == reflect.String {
				f.SetString(string([]rune(f.String())))
			}
		}
	}
	if diff := cmp.Diff(rows, fromJSON); diff != "" {
		t.Errorf("Parquet (-) and JSON Lines (+) differ:\n%s", diff)
	}
	text, err = os.ReadFile(filepath.Join(dir, base+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) || strings.Count(string(text), "\n") != strings.Count(string(text), "\r\n") {
		t.Error("not the line ends of RFC 4180, or a byte order mark")
	}
	table, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(table) != len(rows)+1 || table[0][0] != "url_id" {
		t.Fatalf("%d rows of CSV, %d of Parquet", len(table)-1, len(rows))
	}
	for i, row := range fromJSON {
		v := reflect.ValueOf(row)
		for n, got := range table[i+1] {
			want := ""
			if f := v.Field(n); f.Kind() == reflect.Int64 {
				want = strconv.FormatInt(f.Int(), 10)
			} else if want = f.String(); strings.ContainsRune(want, '\ufffd') {
				continue // CSV shows such bytes as \xFF
			} else {
				want = csvText(want)
			}
			if got != want {
				t.Errorf("row %d, %s: %q, want %q", i, table[0][n], got, want)
			}
		}
	}
	return fromJSON
}

// The exports say what the sheets say, row by row.
func TestExports(t *testing.T) {
	for _, which := range []string{"blocked", "all"} {
		records := judged(t, "Googlebot,Bingbot,Googlebot@google-2019", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /a\nallow: /a/b\ndisallow: /page*.html\nallow: /page\n")},
			"/a", "/a/b", "/a/b/17", "/page.html", "/img/a", "/a?x=\"1,2\"", "/ok")
		o := Options{Dir: t.TempDir(), Started: start, Crawlers: records[0].Site.Crawlers, Formats: allFormats, Rows: which}
		r := openRun(t, o)
		writeAll(t, r, records)
		closeRun(t, r)
		rows := exported(t, o.Dir, "example.com")
		f := openBook(t, filepath.Join(o.Dir, "example.com.xlsx"))
		var want []map[string]string
		for _, sheet := range []string{"Blocked", "Undecided", "Resources"} {
			want = append(want, sheetRows(t, f, sheet)...)
		}
		sheets := map[string]map[string]string{}
		for _, row := range want {
			if row["Crawler"] != "" { // else a sentence in place of rows
				sheets[row["url_id"]+row["Crawler"]] = row
			}
		}
		allowed := 0
		for _, row := range rows {
			if row.Verdict == "allow" {
				allowed++
				continue
			}
			w := sheets[row.URLID+row.Crawler]
			delete(sheets, row.URLID+row.Crawler)
			got := strings.Join([]string{row.URL, row.Profile, row.Verdict, row.Rule, strconv.Itoa(int(row.Line)), row.Group, row.Why, row.RunnerUp, row.Without, row.Source}, "|")
			if w := strings.Join([]string{w["URL"], w["Profile"], w["Verdict"], w["Rule"], w["Line"], w["Group"], w["Why this group"], w["Runner-up rule"], w["If this line goes"], w["Source"]}, "|"); got != w {
				t.Errorf("exported %s, the sheet says %s", got, w)
			}
		}
		if len(sheets) > 0 || (allowed > 0) != (which == "all") || which == "all" && len(rows) != 7*3 {
			t.Errorf("rows %s: %d rows, %d of them allowed; of the sheets' rows are missing %v", which, len(rows), allowed, sheets)
		}
		before := folder(t, o.Dir)
		for _, format := range allFormats {
			if err := os.Remove(filepath.Join(o.Dir, "example.com."+format)); err != nil {
				t.Fatal(err)
			}
		}
		if err := Rebuild(o.Dir); err != nil {
			t.Fatal(err)
		}
		sameFolder(t, before, folder(t, o.Dir), journalName)
	}
}

func TestExportHostileText(t *testing.T) {
	dir := t.TempDir()
	o := testOptions(dir)
	o.Formats = allFormats
	r := openRun(t, o)
	records := siteRecords("example.com", 0, 0)
	batch := &audit.URLs{}
	for text := range hostile {
		batch.List = append(batch.List, audit.URL{Loc: text, LastMod: text, Verdicts: []engine.Verdict{engine.Disallow, engine.Allow, engine.Allow}, Lines: []int32{2, 0, 0}})
	}
	writeAll(t, r, append([]audit.Record{records[0], records[1], {Domain: "example.com", URLs: batch}}, records[2:]...))
	closeRun(t, r)
	if rows := exported(t, dir, "example.com"); len(rows) != len(hostile) {
		t.Errorf("%d rows, want %d", len(rows), len(hostile))
	}
	for text, want := range map[string]string{"=1": "'=1", "+1": "'+1", "-1": "'-1", "@a": "'@a", "\t=1": `'\x09=1`, "\r": `'\x0D`, "a=1": "a=1", "\xff": `\xFF`, "": "", "ü": "ü"} {
		if got := csvText(text); got != want {
			t.Errorf("%q as %q, want %q", text, got, want)
		}
	}
}

func TestCheckFormats(t *testing.T) {
	for list, want := range map[string]string{"": "", "csv,parquet": "", "xml": `no format "xml"`, "csv,csv": "twice"} {
		err := CheckFormats(strings.FieldsFunc(list, func(r rune) bool { return r == ',' }))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", list, err, want)
		}
	}
}
