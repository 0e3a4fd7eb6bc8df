//go:build readers

package reports

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/export"
)

// exportRuns writes runs whose exports have values that are hard to read: hostile text, nulls and
// zeros, and more rows than a row group has; two of them with a byte order mark.
func exportRuns(t *testing.T) (dirs []string) {
	t.Helper()
	written := func(o Options, records ...audit.Record) {
		t.Helper()
		o.Dir, o.Formats, o.Version, o.Started, o.CSVMark = t.TempDir(), allFormats, "1.2.3", start, len(dirs)%2 > 0
		writeRun(t, o, records)
		dirs = append(dirs, o.Dir)
	}
	for range 2 { // without a mark, and with it
		var urls []string
		for text := range hostile {
			if len(text) < 1000 {
				urls = append(urls, "/"+text)
			}
		}
		for _, text := range markupTexts {
			urls = append(urls, "/a/"+text)
		}
		slices.Sort(urls)
		short, crawlers := hostileNames()
		body := "user-agent: *\ndisallow: /a\nallow: /a/b\nallow: /c\ndisallow: /c\ndisallow: /\xff\x00\u202e\ndisallow: /=1,\"2\" ;'\n" + string(hostileBody(short))
		records := judged(t, crawlers, engine.File{Status: 200, Body: []byte(body)}, append(urls, "/a/b", "/c", "/ok", `/=1,"2" ;'x`, "/ünïcödé/漢字")...)
		for _, rec := range records {
			if rec.Sitemap != nil {
				rec.Sitemap.URL = "=HYPERLINK(\"http://x\")\r\n\u202e\x00"
			}
			if rec.URLs == nil {
				continue
			}
			for i := range rec.URLs.List {
				u := &rec.URLs.List[i]
				u.Weight = audit.Weight{ClicksGiven: i%3 == 0, Impressions: int64(i % 2), ImpressionsGiven: i%5 == 0}
				u.LastMod = []string{"", "2026", "2026-03", "2026-03-04", "2026-03-04T05:06:07.089+01:00", "＝1", "-1", " =1", "\t=1", "0000-01-01", "0001-01-01", "9999-12-31"}[i%12]
				if i%7 == 0 {
					u.Loc = []string{"＝cmd|' /C calc'!A0", "﹢1", "−1", "@SUM(1)", "\"=1", "\u00a0=1+1", "'=1", "=1+1\r\n=2"}[i/7%8]
				}
			}
		}
		written(Options{Rows: "all", Crawlers: records[0].Site.Crawlers}, withLogs(records, hostileLogs(append(slices.Sorted(maps.Keys(hostile)), "")))...)
	}
	written(Options{Rows: "all", Crawlers: testCrawlers}, siteRecords("example.com", 0, export.RowGroup/3+100)...)
	written(Options{Rows: "blocked", Crawlers: testCrawlers}, siteRecords("example.com", 0, 0)...)
	return dirs
}

// cells are the rows of an export as columns of CSV.
func cells(rows []export.Row) (table [][]string) {
	for i := range rows {
		v := reflect.ValueOf(&rows[i]).Elem()
		var row []string
		for n := range v.NumField() {
			row = append(row, csvOf(v.Field(n)))
		}
		table = append(table, row)
	}
	return table
}

// duckDB runs statements and returns the rows of each; null is "null".
func duckDB(t *testing.T, statements ...string) (tables [][][]string) {
	t.Helper()
	command := exec.Command("node", append([]string{filepath.Join("testdata", "readers", "duckdb.js")}, statements...)...)
	command.Env = append(os.Environ(), "NODE_PATH="+filepath.Dir(filepath.Dir(readerFile(t, "node_modules", "@duckdb", "node-api"))))
	command.Stderr = os.Stderr
	out, err := command.Output()
	noError(t, err)
	for line := range bytes.Lines(out) {
		var rows [][]*string
		if err := json.Unmarshal(line, &rows); err != nil {
			t.Fatalf("%v: %.300s", err, line)
		}
		table := [][]string{}
		for _, row := range rows {
			var texts []string
			for _, cell := range row {
				if cell == nil {
					texts = append(texts, "null")
				} else {
					texts = append(texts, *cell)
				}
			}
			table = append(table, texts)
		}
		tables = append(tables, table)
	}
	return tables
}

// duckTypes are the expected types of the columns in DuckDB.
func duckTypes() (table [][]string) {
	row := reflect.TypeFor[export.Row]()
	for i := range row.NumField() {
		kind := "VARCHAR"
		switch f := row.Field(i); f.Name {
		case "Line", "RunnerUpLine", "Margin", "Clicks", "Impressions", "Hits":
			kind = "BIGINT"
		case "LastModTime", "FirstBlocked", "LastChanged", "HistoryBegins":
			kind = "TIMESTAMP WITH TIME ZONE"
		}
		table = append(table, []string{row.Field(i).Tag.Get("json"), kind})
	}
	return table
}

// DuckDB reads Parquet, JSON Lines and CSV without changes: names, types, nulls and every value.
func TestExportsByDuckDB(t *testing.T) {
	columns, same := "", "" // as text, a time as milliseconds; and those of the rows as written
	for _, c := range duckTypes() {
		text := `CAST("` + c[0] + `" AS VARCHAR)`
		if c[1] != "VARCHAR" && c[1] != "BIGINT" {
			text = `CAST(epoch_ms(CAST("` + c[0] + `" AS TIMESTAMPTZ)) AS VARCHAR)`
		}
		columns += ", " + text
		same += `, "` + c[0] + `": '` + c[1] + `'`
	}
	columns, same = columns[2:], "{"+same[2:]+"}"
	for i, dir := range exportRuns(t) {
		rows := exported(t, dir, "example.com", i%2 > 0)
		want := [][]string{}
		for i := range rows {
			v := reflect.ValueOf(&rows[i]).Elem()
			var row []string
			for n := range v.NumField() {
				switch f := v.Field(n); {
				case f.Kind() == reflect.Pointer && f.IsNil():
					row = append(row, "null")
				case v.Type().Field(n).Name == "LastModTime":
					row = append(row, strconv.FormatInt(int64(*rows[i].LastModTime), 10))
				case reflect.Indirect(f).Kind() == reflect.Int64:
					row = append(row, strconv.FormatInt(reflect.Indirect(f).Int(), 10))
				default:
					row = append(row, reflect.Indirect(f).String())
				}
			}
			want = append(want, row)
		}
		base := filepath.Join(dir, "example.com.")
		fromJSON := "read_json('" + base + "jsonl', format = 'newline_delimited', columns = " + strings.ReplaceAll(same, "TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ") + ")"
		const filter = "url >= 'https://example.com/page-1' AND line > 1 AND lastmod_time >= TIMESTAMPTZ '2000-01-01' AND if_line_goes IS NOT NULL"
		tables := duckDB(t,
			"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '"+base+"parquet')",
			"SELECT "+columns+" FROM '"+base+"parquet'",
			"SELECT "+columns+" FROM "+fromJSON,
			"SELECT * FROM read_csv('"+base+"csv', all_varchar = true)",
			"SELECT created_by FROM parquet_file_metadata('"+base+"parquet')",
			"SELECT decode(key), decode(value) FROM parquet_kv_metadata('"+base+"parquet') WHERE decode(key) LIKE '%.run'",
			"SELECT name FROM parquet_schema('"+base+"parquet') LIMIT 1",
			"SELECT "+columns+" FROM "+strings.Replace(fromJSON, ".jsonl'", ".jsonl.zst'", 1),
			"SELECT * FROM read_csv('"+base+"csv.gz', all_varchar = true)",
			// The column statistics of the file, by which readers skip row groups.
			"SELECT count(*) FROM '"+base+"parquet' WHERE "+filter,
			"SELECT count(*) FROM "+fromJSON+" WHERE "+filter,
		)
		if diff := cmp.Diff(duckTypes(), tables[0]); diff != "" {
			t.Errorf("types: %s", diff)
		}
		if diff := cmp.Diff(want, tables[1]); diff != "" {
			t.Errorf("Parquet: %.3000s", diff)
		}
		if diff := cmp.Diff(want, tables[2]); diff != "" {
			t.Errorf("JSON Lines: %.3000s", diff)
		}
		wantCSV := cells(rows)
		for _, row := range wantCSV {
			for n := range row {
				if row[n] == "" {
					row[n] = "null"
				}
			}
		}
		if diff := cmp.Diff(wantCSV, tables[3], cmp.Transformer("rows", func(t [][]string) string { return joined(t) })); diff != "" {
			t.Errorf("CSV: %.3000s", diff)
		}
		if diff := cmp.Diff(tables[2], tables[7]); diff != "" {
			t.Errorf("JSON Lines, packed: %.3000s", diff)
		}
		if diff := cmp.Diff(tables[3], tables[8]); diff != "" {
			t.Errorf("CSV, packed: %.3000s", diff)
		}
		if diff := cmp.Diff(tables[9], tables[10]); diff != "" {
			t.Errorf("rows of Parquet that a filter leaves: %s", diff)
		}
		if by := tables[4][0][0]; !strings.HasPrefix(by, "robots-audit version 1.2.3 (build ") {
			t.Errorf("created by %q", by)
		}
		if run := tables[5]; len(run) != 1 || run[0][1] != start.Format("20060102T150405Z") || tables[6][0][0] != "verdict" {
			t.Errorf("metadata %q, root %q", run, tables[6])
		}
	}
}

// logTypes are the expected types in DuckDB of columns on access logs. All others are numbers.
var logTypes = map[string]string{
	"site": "VARCHAR", "run": "VARCHAR", "version": "VARCHAR", "crawler": "VARCHAR", "operator": "VARCHAR", "purpose": "VARCHAR", "scaled": "VARCHAR", "judged_by": "VARCHAR", "ranges": "VARCHAR",
	"urls_estimated": "VARCHAR", "robots_txt_waiting": "VARCHAR", "rule": "VARCHAR", "examples": "VARCHAR", "day": "VARCHAR", "kind": "VARCHAR", "part": "VARCHAR",
	"logs_from": "TIMESTAMP WITH TIME ZONE", "logs_to": "TIMESTAMP WITH TIME ZONE", "robots_txt_last": "TIMESTAMP WITH TIME ZONE", "robots_txt_read": "TIMESTAMP WITH TIME ZONE", "robots_txt_knows": "TIMESTAMP WITH TIME ZONE", "robots_txt_version": "TIMESTAMP WITH TIME ZONE", "first_disobeyed": "TIMESTAMP WITH TIME ZONE", "last_disobeyed": "TIMESTAMP WITH TIME ZONE",
}

func logType(column string) string {
	if kind, ok := logTypes[column]; ok {
		return kind
	}
	return "BIGINT"
}

// DuckDB reads the tables on access logs: the same names, types, nulls and values from all formats.
func TestExportsOfLogsByDuckDB(t *testing.T) {
	for i, dir := range exportRuns(t)[:2] {
		for _, table := range logTables {
			base := filepath.Join(dir, "logs", "example.com."+table+".")
			columns := duckDB(t, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '"+base+"parquet')")[0]
			var texts, typed []string
			for _, c := range columns {
				if want := logType(c[0]); c[1] != want {
					t.Errorf("%s: %s is %s, want %s", table, c[0], c[1], want)
				}
				text := `CAST("` + c[0] + `" AS VARCHAR)`
				if strings.HasPrefix(c[1], "TIMESTAMP") {
					text = `CAST(epoch_ms(CAST("` + c[0] + `" AS TIMESTAMPTZ)) AS VARCHAR)`
				}
				texts, typed = append(texts, text), append(typed, `"`+c[0]+`": '`+c[1]+`'`)
			}
			all := "SELECT " + strings.Join(texts, ", ") + " FROM "
			fromJSON := "read_json('" + base + "jsonl', format = 'newline_delimited', columns = {" + strings.Join(typed, ", ") + "})"
			got := duckDB(t,
				all+"'"+base+"parquet'", all+fromJSON, all+strings.Replace(fromJSON, ".jsonl'", ".jsonl.zst'", 1),
				"SELECT * FROM read_csv('"+base+"csv', all_varchar = true)", "SELECT * FROM read_csv('"+base+"csv.gz', all_varchar = true)",
				"SELECT name FROM parquet_schema('"+base+"parquet') LIMIT 1",
			)
			if len(got[0]) < len(hostile) || got[5][0][0] != table {
				t.Errorf("%s: %d rows, root %q", table, len(got[0]), got[5])
			}
			for n, name := range []string{"JSON Lines", "JSON Lines, packed"} {
				if diff := cmp.Diff(joined(got[0]), joined(got[1+n])); diff != "" {
					t.Errorf("%s: %s: %.3000s", table, name, diff)
				}
			}
			for _, row := range got[0] { // as CSV
				for n, c := range columns {
					switch {
					case row[n] == "null":
					case row[n] == "":
						row[n] = "null"
					case c[1] == "VARCHAR":
						row[n] = export.CSVText(row[n])
					case c[1] != "BIGINT":
						ms, err := strconv.ParseInt(row[n], 10, 64)
						noError(t, err)
						row[n] = time.UnixMilli(ms).UTC().Format(time.RFC3339Nano)
					}
				}
			}
			for n, name := range []string{"CSV", "CSV, packed"} {
				if diff := cmp.Diff(joined(got[0]), joined(got[3+n])); diff != "" {
					t.Errorf("run %d, %s: %s: %.3000s", i, table, name, diff)
				}
			}
		}
	}
}

func joined(table [][]string) string {
	var b strings.Builder
	for _, row := range table {
		b.WriteString(strings.Join(row, "\x1f") + "\n")
	}
	return b.String()
}

// The files of many sites and runs are one table, whether they have rows or not.
func TestExportsTogether(t *testing.T) {
	all := t.TempDir()
	noError(t, os.Mkdir(filepath.Join(all, "logs"), 0o755))
	var rows, runs int
	for i, hours := range []int{0, 0, 24} {
		o := Options{Dir: t.TempDir(), Version: "1.2." + strconv.Itoa(i), Crawlers: testCrawlers, Formats: allFormats, Rows: "all", Started: start.Add(time.Duration(hours) * time.Hour)}
		r := openRun(t, o)
		for k, name := range []string{"a.example", "b.example"} {
			writeAll(t, r, withLogs(siteRecords(name, k, 30*k), crawlerLogs(name))) // a site without URLs has files as well
			rows += 3 * 30 * k
		}
		closeRun(t, r)
		for _, format := range allFormats {
			for _, name := range []string{"a.example", "b.example"} {
				noError(t, os.Rename(filepath.Join(o.Dir, name+"."+format), filepath.Join(all, strconv.Itoa(i)+name+"."+format)))
				noError(t, os.Rename(filepath.Join(o.Dir, "logs", name+".days."+format), filepath.Join(all, "logs", strconv.Itoa(i)+name+".days."+format)))
			}
		}
		runs = i
	}
	for _, format := range allFormats {
		from := " FROM '" + filepath.Join(all, "*."+format) + "' "
		got := duckDB(t, "SELECT count(*), count(DISTINCT site), count(DISTINCT run), count(DISTINCT version), min(run), max(version)"+from)
		if want := [][]string{{strconv.Itoa(rows), "1", "2", strconv.Itoa(runs + 1), start.Format("20060102T150405Z"), "1.2.2"}}; cmp.Diff(want, got[0]) != "" {
			t.Errorf("%s: %q, want %q", format, got[0], want)
		}
		got = duckDB(t, "SELECT count(*), count(DISTINCT site), count(DISTINCT run), count(DISTINCT version), sum(requests) FROM '"+filepath.Join(all, "logs", "*.days."+format)+"'")
		if want := [][]string{{"6", "2", "2", "3", "18"}}; cmp.Diff(want, got[0]) != "" {
			t.Errorf("days, %s: %q, want %q", format, got[0], want)
		}
	}
}

// The programs that come with every system unpack the compressed files.
func TestExportsUnpacked(t *testing.T) {
	for _, dir := range exportRuns(t)[2:] {
		base := filepath.Join(dir, "example.com.")
		for format, command := range map[string][]string{"csv.gz": {"gzip", "-dc"}, "jsonl.zst": {"zstd", "-dcq"}} {
			got, err := exec.Command(command[0], append(command[1:], base+format)...).Output()
			noError(t, err)
			plain, err := os.ReadFile(base + packedAs[format].of)
			if err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%s: %d bytes, want %d (%v)", format, len(got), len(plain), err)
			}
		}
	}
}

// Python's csv module reads the cells unchanged, and also with a byte order mark if its encoding
// says so. The same applies to the compressed file.
func TestCSVByPython(t *testing.T) {
	const script = `import csv, gzip, json, sys
with open(sys.argv[1], newline="", encoding=sys.argv[2]) as f, gzip.open(sys.argv[1] + ".gz", "rt", newline="", encoding=sys.argv[2]) as packed:
    rows = list(csv.reader(f))
    assert rows == list(csv.reader(packed))
    json.dump(rows, sys.stdout)`
	for i, dir := range exportRuns(t) {
		rows := exported(t, dir, "example.com", i%2 > 0)
		command := exec.Command(readerFile(t, "python3"), "-c", script, filepath.Join(dir, "example.com.csv"), []string{"utf-8", "utf-8-sig"}[i%2])
		command.Stderr = os.Stderr
		out, err := command.Output()
		noError(t, err)
		var table [][]string
		noError(t, json.Unmarshal(out, &table))
		if table[0][0] != "url_id" {
			t.Errorf("the first title is %q", table[0][0])
		}
		if diff := cmp.Diff(joined(cells(rows)), joined(table[1:])); diff != "" {
			t.Errorf("%.3000s", diff)
		}
	}
}

// LibreOffice shows the text unchanged, and takes nothing for a formula, with a mark or without.
func TestCSVByLibreOffice(t *testing.T) {
	for i, dir := range exportRuns(t)[:2] {
		rows := exported(t, dir, "example.com", i%2 > 0)
		in := filepath.Join(dir, "example.com.csv")
		out := t.TempDir()
		read := "--infilter=Text - txt - csv (StarCalc):44,34,76,1" // UTF-8: detected by its dialog, or given
		for _, to := range []string{"csv:Text - txt - csv (StarCalc):44,34,76,1", "fods"} {
			command := exec.Command("soffice", "-env:UserInstallation=file://"+filepath.Join(out, "profile"), "--headless", read, "--convert-to", to, "--outdir", out, in)
			if said, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
		}
		flat := readBytes(t, out, "example.com.fods")
		if !bytes.Contains(flat, []byte("<table:table-cell")) || bytes.Contains(flat, []byte("table:formula")) {
			t.Error("no cells, or a formula among them")
		}
		text := readBytes(t, out, "example.com.csv")
		table, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\uFEFF")))).ReadAll()
		noError(t, err)
		want := cells(rows)
		if table[0][0] != "url_id" {
			t.Errorf("the first title is %q", table[0][0])
		}
		if len(table) != len(want)+1 {
			t.Fatalf("%d rows, want %d", len(table)-1, len(want))
		}
		types := duckTypes()
		for r, row := range want {
			for n := range row {
				if name := types[n][0]; types[n][1] == "VARCHAR" && name != "lastmod" && name != "url_id" && table[r+1][n] != row[n] { // it formats dates and numbers in its own way
					t.Errorf("row %d, %s: %q, want %q", r+1, name, table[r+1][n], row[n])
				}
			}
		}
	}
}
