package export

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"robots-audit/audit"
	"robots-audit/reports/internal/crawls"
)

var logStart = time.Date(2026, 11, 24, 6, 0, 0, 0, time.UTC)

// someLogs has a value in each field that differs from all others, and a crawler of zeros.
func someLogs() *audit.Logs {
	var l audit.Logs
	n := 0
	fillLogs(reflect.ValueOf(&l).Elem(), &n)
	l.Crawlers[0].Days[0].Day = "2026-11-24"
	l.Crawlers = append(l.Crawlers, audit.LogCrawler{Robots: audit.LogRobots{MedianDays: -1}})
	return &l
}

// fillLogs fills all fields of a value.
func fillLogs(v reflect.Value, n *int) {
	*n++
	if _, ok := v.Interface().(time.Time); ok {
		v.Set(reflect.ValueOf(logStart.Add(time.Duration(*n) * time.Hour)))
		return
	}
	switch v.Kind() {
	case reflect.Pointer: // of the site as a whole
	case reflect.Struct:
		for i := range v.NumField() {
			fillLogs(v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillLogs(v.Index(0), n)
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", *n))
	case reflect.Bool: // false: an estimate hides other figures
	case reflect.Float64:
		v.SetFloat(float64(*n))
	default:
		v.SetInt(int64(*n) + 1000)
	}
}

// written writes a table on access logs in a format.
func (t *logTable) written(tb testing.TB, l *audit.Logs, open func(io.Writer, *Metadata, *table) writer) []byte {
	var b bytes.Buffer
	w := open(&b, &Metadata{Started: logStart}, t.table)
	t.each(crawls.New(l), &Row{Site: "example.com", Run: "r1", Version: "1.2.3"}, func(row []value) {
		if err := w.add(row); err != nil {
			tb.Fatal(err)
		}
	})
	if err := w.close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestLogTables checks the tables of a small log.
func TestLogTables(t *testing.T) {
	at := func(hours int) time.Time { return logStart.Add(time.Duration(hours) * time.Hour) }
	logs := &audit.Logs{From: at(0), To: at(30), Judged: audit.LogHistory, Ranges: "2026-05-05", Listed: 7, Versions: []audit.LogVersion{{Name: "24 Nov 2026, 06:12", First: at(0).Add(12 * time.Minute)}}, Crawlers: []audit.LogCrawler{{
		Name: "Googlebot", Operator: "Google", Purpose: "search", URLs: 5, AboutURLs: true, NeverFetched: 2,
		Genuine:  audit.LogTally{Requests: 10, Obeyed: 7, Disobeyed: 3},
		Unknown:  audit.LogTally{Requests: 2, Blocked: 2},
		Statuses: []audit.LogCount{{Name: "2xx", Requests: 8}, {Name: "other", Requests: 1}},
		Robots: audit.LogRobots{Requests: 6, Last: at(3), LastStatus: 503, Read: at(1), Knows: "24 Nov 2026, 06:12", MedianDays: 0.5, Waiting: true,
			Statuses: []audit.LogCount{{Name: "200", Requests: 3}, {Name: "206", Requests: 1}, {Name: "503", Requests: 1}, {Name: "0", Requests: 1}}},
		Rules: []audit.LogRule{
			{Version: "24 Nov 2026, 06:12", Line: 2, Rule: "disallow: /a", Requests: 5, URLs: 4, Disobeyed: 3, Grace: 1, First: at(4), Last: at(5), Samples: []string{"https://example.com/a", "https://example.com/ab?q="}},
			{Version: "robots.txt", Requests: 1},
		},
		Days:        []audit.LogDay{{Day: "2026-11-24", Requests: 4, Disobeyed: 3, Grace: 1, Errors: 2, Robots: 6, RobotsBad: 2}},
		Directories: []audit.LogPart{{Name: "/a/", Requests: 6, URLs: 5, OK: 4, Redirects: 1, Errors: 1, Blocked: 3}},
		Types:       []audit.LogPart{{Name: "=1,\xff", Requests: 1}},
	}, {Name: "NewBot", Claimed: audit.LogTally{Requests: 1}, Robots: audit.LogRobots{MedianDays: -1}}}}
	var got strings.Builder
	for i := range logTables {
		fmt.Fprintf(&got, "%s\n%s", logTables[i].fileName("example.com", "csv"), logTables[i].written(t, logs, newCSV))
	}
	const want = `logs/example.com.crawlers.csv
site,run,version,crawler,operator,purpose,logs_from,logs_to,scaled,judged_by,ranges,requests,urls,urls_estimated,genuine_requests,genuine_obeyed,genuine_disobeyed,genuine_grace,genuine_unclear,genuine_exempt,genuine_blocked,genuine_stale,unknown_requests,unknown_obeyed,unknown_disobeyed,unknown_grace,unknown_unclear,unknown_exempt,unknown_blocked,unknown_stale,claimed_requests,claimed_obeyed,claimed_disobeyed,claimed_grace,claimed_unclear,claimed_exempt,claimed_blocked,claimed_stale,robots_txt_requests,robots_txt_last,robots_txt_last_status,robots_txt_read,robots_txt_knows,robots_txt_waiting,robots_txt_median_seconds,robots_txt_2xx,robots_txt_3xx,robots_txt_4xx,robots_txt_5xx,robots_txt_other,status_2xx,status_3xx,status_4xx,status_5xx,status_other,waste_redirects,waste_errors,waste_parameters,waste_blocked,never_fetched,never_fetched_blocked,orphans
example.com,r1,1.2.3,Googlebot,Google,search,2026-11-24T06:00:00Z,2026-11-25T12:00:00Z,,history,2026-05-05,12,5,yes,10,7,3,0,0,0,0,0,2,0,0,0,0,0,2,0,0,0,0,0,0,0,0,0,6,2026-11-24T09:00:00Z,503,2026-11-24T07:00:00Z,2026-11-24T06:12:00Z,yes,43200,4,0,0,1,1,8,0,0,0,1,0,0,0,0,,,
example.com,r1,1.2.3,NewBot,,,2026-11-24T06:00:00Z,2026-11-25T12:00:00Z,,history,2026-05-05,0,0,,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,,,,,,,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
logs/example.com.rules.csv
site,run,version,crawler,rule,line,robots_txt_version,requests,urls,disobeyed,grace,first_disobeyed,last_disobeyed,examples
example.com,r1,1.2.3,Googlebot,disallow: /a,2,2026-11-24T06:12:00Z,5,4,3,1,2026-11-24T10:00:00Z,2026-11-24T11:00:00Z,https://example.com/a https://example.com/ab?q=
example.com,r1,1.2.3,Googlebot,,,,1,0,0,0,,,
logs/example.com.days.csv
site,run,version,crawler,day,requests,disobeyed,grace,errors,robots_txt_requests,robots_txt_errors
example.com,r1,1.2.3,Googlebot,2026-11-24,4,3,1,2,6,2
logs/example.com.parts.csv
site,run,version,crawler,kind,part,requests,urls,ok,redirects,errors,blocked
example.com,r1,1.2.3,Googlebot,directory,/a/,6,5,4,1,1,3
example.com,r1,1.2.3,Googlebot,type,"'=1,\xFF",1,0,0,0,0,0
`
	if diff := cmp.Diff(want, strings.ReplaceAll(got.String(), "\r\n", "\n")); diff != "" {
		t.Error(diff)
	}
}

// TestLogColumns checks that the tables have all figures of a crawler, but those that are lists or are about the site.
func TestLogColumns(t *testing.T) {
	logs := someLogs()
	shown := map[string]bool{}
	for i := range logTables {
		logTables[i].each(crawls.New(logs), &Row{}, func(row []value) {
			for _, v := range row {
				switch v.kind {
				case text:
					shown[v.text] = true
				case number, moment:
					shown[string(v.appendNumber(nil))] = true
				}
			}
		})
	}
	var missing []string
	var look func(v reflect.Value, path string)
	look = func(v reflect.Value, path string) {
		switch x := v.Interface().(type) {
		case time.Time:
			if !shown[utcMillis(x.UnixMilli()).String()] {
				missing = append(missing, path)
			}
			return
		case float64:
			if !shown[fmt.Sprint(int(x)*86400)] {
				missing = append(missing, path)
			}
			return
		case bool:
			return
		}
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
				look(v.Field(i), path+"."+tag)
			}
		case reflect.Slice:
			look(v.Index(0), path)
		default:
			if !shown[fmt.Sprint(v.Interface())] {
				missing = append(missing, path)
			}
		}
	}
	look(reflect.ValueOf(&logs.Crawlers[0]).Elem(), "")
	// Names of versions are their times in the tables: see TestLogTables.
	want := []string{".claimed_networks.name", ".claimed_networks.requests", ".robots_txt.statuses.name", ".robots_txt.knows", ".robots_txt.answers.status", ".robots_txt.answers.first", ".robots_txt.answers.last", ".robots_txt.answers.requests",
		".robots_txt.learned.version", ".robots_txt.learned.changed", ".robots_txt.learned.read", ".statuses.name", ".codes.name", ".codes.requests", ".rules.version", ".never_fetched_samples", ".orphan_samples"}
	if diff := cmp.Diff(want, missing); diff != "" {
		t.Errorf("fields of audit.LogCrawler that no table has: %s", diff)
	}
}

// TestLogFormats checks that all formats have the same rows, and that Parquet has their types.
func TestLogFormats(t *testing.T) {
	logs := someLogs()
	for _, s := range texts {
		logs.Crawlers = append(logs.Crawlers, audit.LogCrawler{Name: s, Operator: s, Rules: []audit.LogRule{{Rule: s, Version: s, Samples: []string{s}}}, Types: []audit.LogPart{{Name: s}}, Days: []audit.LogDay{{Day: s}}})
	}
	for i := range logTables {
		of := &logTables[i]
		file := of.written(t, logs, newParquet)
		f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if f.Schema().Name() != of.name || len(f.Schema().Columns()) != len(of.columns) {
			t.Errorf("%s: %s", of.name, f.Schema())
		}
		var rows []string // in the form of JSON Lines
		for _, group := range f.RowGroups() {
			reader := group.Rows()
			buf := make([]parquet.Row, group.NumRows())
			if n, err := reader.ReadRows(buf); int64(n) != group.NumRows() || err != nil && err != io.EOF {
				t.Fatalf("%s: %d rows of %d: %v", of.name, n, group.NumRows(), err)
			}
			for _, cells := range buf {
				var line []byte
				for n, cell := range cells {
					v := value{}
					switch field := f.Schema().Fields()[n]; {
					case cell.IsNull() && !field.Optional():
						t.Fatalf("%s: %s is null", of.name, of.names[n])
					case cell.IsNull():
					case cell.Kind() == parquet.ByteArray:
						v = textValue(string(cell.ByteArray()))
					case strings.HasPrefix(field.Type().String(), "TIMESTAMP"):
						v = value{kind: moment, number: cell.Int64()}
					default:
						v = value{kind: number, number: cell.Int64()}
					}
					line = appendJSON(append(line, of.before[asJSONL][n]...), v)
				}
				rows = append(rows, string(line)+"}")
			}
			reader.Close()
		}
		lines := strings.Split(strings.TrimSuffix(string(of.written(t, logs, newJSONL)), "\n"), "\n")
		if diff := cmp.Diff(lines, rows); diff != "" || len(rows) < 2 {
			t.Errorf("%s: JSON Lines (-) and Parquet (+) of %d rows: %s", of.name, len(rows), diff)
		}
	}
}

// TestLogGuide checks that the guide names each column.
func TestLogGuide(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "..", ".github", "docs", "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range logTables {
		for _, name := range logTables[i].names {
			named := strings.Contains(string(guide), "`"+name+"`")
			for n := range name {
				named = named || name[n] == '_' && strings.Contains(string(guide), "`"+name[:n]+"_…`") // "genuine_…"
			}
			if !named {
				t.Errorf("formats.md does not name the column %s of %s", name, logTables[i].name)
			}
		}
	}
	if names := SiteFiles("x", []string{"csv"}); !slices.Equal(names, []string{"x.csv", "logs/x.crawlers.csv", "logs/x.rules.csv", "logs/x.days.csv", "logs/x.parts.csv"}) {
		t.Errorf("%q", names)
	}
}
