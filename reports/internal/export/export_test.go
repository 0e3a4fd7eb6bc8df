package export

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"robots-audit/engine/escape"
)

// The columns are the fields of Row, in their order, with their values.
func TestColumns(t *testing.T) {
	of := reflect.TypeFor[Row]()
	if of.NumField() != len(columns) {
		t.Fatalf("%d columns, Row has %d fields", len(columns), of.NumField())
	}
	for i, c := range columns {
		if tag := of.Field(i).Tag.Get("json"); c.name != tag {
			t.Errorf("column %d is %s, the field %s", i, c.name, tag)
		}
		var row Row
		set(reflect.ValueOf(&row).Elem().Field(i), "x", 7)
		for k, other := range columns {
			if v := other.of(&row); (v.kind != null && (v.text != "" || v.number != 0)) != (k == i) {
				t.Errorf("%s shows in %s: %+v", c.name, other.name, v)
			}
		}
	}
}

// set sets a field of a row, whatever its kind.
func set(field reflect.Value, text string, n int64) {
	switch field.Kind() {
	case reflect.Pointer:
		field.Set(reflect.New(field.Type().Elem()))
		set(field.Elem(), text, n)
	case reflect.String:
		field.SetString(text)
	default:
		field.SetInt(n)
	}
}

// texts are hard to write in one format or another.
var texts = []string{
	"", "a", "/a/b-c_d.html", "https://example.com/a?b=c", "a,b", `a"b`, `"`, `""`, "a\r\nb", "\n", " a", "a ", "\u00a0a", `\.`, `\.a`, "=1", "+1", "-1", "@a", "'a", "'", "\t=1", "＝1", `"=1`,
	"\u200b=1", "ü", "漢字", "\u202ea", "a\x00b", "\x7f", "\u0085", "\u2028", "\ufeff", "\ufdd0", "\U000E0041", "\U0001F469\u200d\U0001F4BB", "<&>", `a\b`, "\b\f\n\r\t\x01", "٣", "2026-01-02", "0", "-",
	strings.Repeat("long ", 100),
}

// plainCSV writes rows as package encoding/csv does.
func plainCSV(rows []Row, mark bool) string {
	var b strings.Builder
	if mark {
		b.WriteString("\uFEFF")
	}
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	var titles []string
	for i := range reflect.TypeFor[Row]().NumField() {
		titles = append(titles, reflect.TypeFor[Row]().Field(i).Tag.Get("json"))
	}
	w.Write(titles)
	for _, row := range rows {
		var cells []string
		for i := range titles {
			field := reflect.ValueOf(row).Field(i)
			if field.Kind() == reflect.Pointer && field.IsNil() {
				cells = append(cells, "")
				continue
			}
			field = reflect.Indirect(field)
			if field.Kind() == reflect.String {
				cells = append(cells, CSVText(field.String()))
			} else {
				cells = append(cells, fmt.Sprint(field.Interface()))
			}
		}
		w.Write(cells)
	}
	w.Flush()
	return b.String()
}

// plainJSON writes rows as package encoding/json does.
func plainJSON(t testing.TB, rows []Row) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i := range rows {
		if err := e.Encode(&rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	return string(escape.JSON(b.Bytes()))
}

// sample is the data that tests write: rows of URLs, and the verdict of each row.
type sample struct {
	rows     []Row
	urls     []int // number of the URL of each row
	verdicts []*verdict
}

// randomTable makes rows with values that repeat as in a site's rows, more often with fewer words.
func randomTable(random *rand.Rand, urls, crawlers, words int, history bool) (t sample) {
	word := func() string { return escape.ShowInvalid(texts[random.IntN(min(words, len(texts)))]) }
	fill := func(row *Row, at int, list []column) {
		for i := range list {
			field := reflect.ValueOf(row).Elem().Field(at + i)
			if field.Kind() != reflect.Pointer || random.IntN(3) > 0 {
				set(field, word(), random.Int64N(int64(words))*86400_000)
			}
		}
	}
	details := make([]Row, 2*words*crawlers)
	known := make([]*verdict, len(details))
	for i := range details {
		fill(&details[i], verdictAt, verdictColumns)
		known[i] = &verdict{Row: details[i]}
	}
	for n := range urls {
		var of Row
		fill(&of, 0, headColumns)
		fill(&of, tailAt, tailColumns)
		of.URLID = fmt.Sprintf("%016x", n)
		for range random.IntN(crawlers) + 1 {
			i := random.IntN(len(details))
			row := of
			for c := range verdictColumns {
				reflect.ValueOf(&row).Elem().Field(verdictAt + c).Set(reflect.ValueOf(details[i]).Field(verdictAt + c))
			}
			if history {
				fill(&row, rowAt, rowColumns)
				row.HistoryBegins = new(utcMillis)
			}
			t.rows, t.urls, t.verdicts = append(t.rows, row), append(t.urls, n), append(t.verdicts, known[i])
		}
	}
	return t
}

// write writes the rows in a format. The memory of a row's texts is reused, as that of a batch may
// be.
func (t *sample) write(to *bytes.Buffer, format func(*bytes.Buffer) writer) error {
	for _, v := range t.verdicts {
		*v = verdict{Row: v.Row}
	}
	w := format(to)
	for i := range t.rows {
		row := t.rows[i]
		if i == 0 || t.urls[i] != t.urls[i-1] {
			w.beginURL(&row)
		}
		if err := w.write(&row, t.verdicts[i]); err != nil {
			return err
		}
	}
	return w.close()
}

// check compares the output for a table with that of libraries for its rows.
func (t *sample) check(tb testing.TB, mark bool) {
	tb.Helper()
	about := &Metadata{CSVMark: mark, Started: time.Unix(0, 0)}
	for _, c := range []struct {
		name, want string
		open       func(*bytes.Buffer) writer
	}{
		{"csv", plainCSV(t.rows, mark), func(b *bytes.Buffer) writer { return newCSV(b, about, urlTable) }},
		{"jsonl", plainJSON(tb, t.rows), func(b *bytes.Buffer) writer { return newJSONL(b, about, urlTable) }},
	} {
		var got bytes.Buffer
		if err := t.write(&got, c.open); err != nil {
			tb.Fatal(err)
		}
		if got.String() != c.want {
			tb.Fatalf("%s: %s", c.name, cmp.Diff(strings.Split(c.want, "\n"), strings.Split(got.String(), "\n")))
		}
	}
	var file bytes.Buffer
	if err := t.write(&file, func(b *bytes.Buffer) writer { return newParquet(b, about, urlTable) }); err != nil {
		tb.Fatal(err)
	}
	rows, err := parquet.Read[Row](bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		tb.Fatal(err)
	}
	if len(rows)+len(t.rows) > 0 && !reflect.DeepEqual(rows, t.rows) {
		tb.Fatalf("Parquet: %s", cmp.Diff(t.rows, rows))
	}
	t.checkStatistics(tb, file.Bytes())
}

// checkStatistics compares the column data of a Parquet file with its rows.
func (t *sample) checkStatistics(tb testing.TB, file []byte) {
	tb.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		tb.Fatal(err)
	}
	at := 0
	for g, group := range f.Metadata().RowGroups {
		rows := t.rows[at : at+int(group.NumRows)]
		at += len(rows)
		for i, chunk := range group.Columns {
			nulls, least, greatest := int64(0), value{}, value{}
			for k := range rows {
				v := columns[i].of(&rows[k])
				if v.kind == null {
					nulls++
					continue
				}
				if least.kind == null || compareValues(v, least) < 0 {
					least = v
				}
				if greatest.kind == null || compareValues(v, greatest) > 0 {
					greatest = v
				}
			}
			bound := func(v value) string {
				switch {
				case v.kind == null, len(least.text) > maxBound, len(greatest.text) > maxBound:
					return ""
				case v.kind == text:
					return v.text
				}
				return string(binary.LittleEndian.AppendUint64(nil, uint64(v.number)))
			}
			of := chunk.MetaData.Statistics
			if of.NullCount != nulls || string(of.MinValue) != bound(least) || string(of.MaxValue) != bound(greatest) {
				tb.Fatalf("row group %d, %s: %d nulls, %q to %q; want %d, %q to %q", g, columns[i].name, of.NullCount, of.MinValue, of.MaxValue, nulls, bound(least), bound(greatest))
			}
		}
	}
	if at != len(t.rows) || f.Metadata().NumRows != int64(at) {
		tb.Fatalf("row groups of %d rows, want %d", at, len(t.rows))
	}
}

// The writers give the same bytes as libraries, and libraries can read them.
func TestWriters(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		table := randomTable(random, n, 1+n%4, 1+random.IntN(len(texts)), n%3 == 0)
		table.check(t, n%2 == 0)
	}
}

// More rows than fit in a row group: values remembered for one do not show in the next.
func TestRowGroups(t *testing.T) {
	table := randomTable(rand.New(rand.NewPCG(3, 4)), RowGroup*2/3, 3, 5, false)
	if len(table.rows) < RowGroup+100 {
		t.Fatalf("%d rows", len(table.rows))
	}
	table.check(t, false)
}

func FuzzWriters(f *testing.F) {
	var filled []int // columns that get the text and the number; none belongs to the verdict
	for i, c := range columns {
		switch c.name {
		case "url", "source", "lastmod", "lastmod_time", "owner_note":
			filled = append(filled, i)
		}
	}
	if len(filled) != 5 {
		f.Fatalf("columns %d", filled)
	}
	for i, s := range texts {
		f.Add(s, int64(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, s string, n int64, seed uint64) {
		if year := utcMillis(n).String(); len(year) > 30 || strings.HasPrefix(year, "-") { // LastModTime has no such years
			n = 0
		}
		random := rand.New(rand.NewPCG(seed, 0))
		table := randomTable(random, 4, 2, 3, seed%2 == 0)
		for i := range table.rows {
			for _, c := range filled {
				if i == 0 || table.urls[i] != table.urls[i-1] || c >= rowAt {
					if c < rowAt || table.rows[i].HistoryBegins != nil {
						set(reflect.ValueOf(&table.rows[i]).Elem().Field(c), escape.ShowInvalid(s), n)
					}
				} else {
					reflect.ValueOf(&table.rows[i]).Elem().Field(c).Set(reflect.ValueOf(table.rows[i-1]).Field(c))
				}
			}
		}
		table.check(t, false)
	})
}

// BenchmarkWriters writes the three rows of a URL.
func BenchmarkWriters(b *testing.B) {
	table := randomTable(rand.New(rand.NewPCG(1, 2)), 20000, 1, 8, false)
	for _, format := range formats {
		b.Run(format.name, func(b *testing.B) {
			b.ReportAllocs()
			for n := 0; n < b.N; {
				for _, v := range table.verdicts {
					*v = verdict{Row: v.Row}
				}
				w := format.open(discard{}, &Metadata{}, urlTable)
				for i := 0; i < len(table.rows) && n < b.N; i, n = i+1, n+1 {
					w.beginURL(&table.rows[i])
					for range 3 {
						if err := w.write(&table.rows[i], table.verdicts[i]); err != nil {
							b.Fatal(err)
						}
					}
				}
				w.close()
			}
		})
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
