package reports

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// exportRow is a verdict as programs read it: a URL for one crawler. It says
// what the rows of the sheets Blocked, Undecided and Resources say. The fields'
// tags are the names of columns and keys: a promise.
type exportRow struct {
	URLID        string `json:"url_id" parquet:"url_id"`
	URL          string `json:"url" parquet:"url"`
	Kind         string `json:"kind" parquet:"kind,dict"` // "page", "image", …
	Crawler      string `json:"crawler" parquet:"crawler,dict"`
	Profile      string `json:"profile" parquet:"profile,dict"`
	Verdict      string `json:"verdict" parquet:"verdict,dict"`
	Rule         string `json:"rule" parquet:"rule,dict"`
	Line         int64  `json:"line" parquet:"line"` // 0 = no rule decided
	Group        string `json:"group" parquet:"group,dict"`
	Why          string `json:"why" parquet:"why,dict"`
	RunnerUp     string `json:"runner_up" parquet:"runner_up,dict"`
	RunnerUpLine int64  `json:"runner_up_line" parquet:"runner_up_line"` // 0 = none
	Margin       int64  `json:"margin" parquet:"margin"`                 // octets
	Without      string `json:"if_line_goes" parquet:"if_line_goes,dict"`
	Source       string `json:"source" parquet:"source,dict"`
	LastMod      string `json:"lastmod" parquet:"lastmod,dict"` // as written
	Directory    string `json:"directory" parquet:"directory,dict"`
	Pattern      string `json:"pattern" parquet:"pattern,dict"`
	Clicks       int64  `json:"clicks" parquet:"clicks"` // 0 = none, or not known
	Impressions  int64  `json:"impressions" parquet:"impressions"`
}

// exporter writes rows in one format.
type exporter interface {
	add(*exportRow) error
	end() error
}

// formats are the further formats there are; each name is the files' extension.
var formats = map[string]func(io.Writer) exporter{
	"csv":     func(w io.Writer) exporter { return newCSV(w) },
	"jsonl":   func(w io.Writer) exporter { return newJSONL(w) },
	"parquet": func(w io.Writer) exporter { return newParquet(w) },
}

// csvExport writes RFC 4180. What a spreadsheet would take for a formula begins
// with an apostrophe; control characters and bytes that are not UTF-8 are shown
// as \x0A.
type csvExport struct {
	w     *csv.Writer
	cells []string
	err   error // of the header
}

func newCSV(w io.Writer) *csvExport {
	e := &csvExport{w: csv.NewWriter(w)}
	e.w.UseCRLF = true
	var titles []string
	row := reflect.TypeFor[exportRow]()
	for i := range row.NumField() {
		titles = append(titles, row.Field(i).Tag.Get("json"))
	}
	e.cells = make([]string, len(titles))
	e.err = e.w.Write(titles)
	return e
}

func (e *csvExport) add(row *exportRow) error {
	v := reflect.ValueOf(row).Elem()
	for i := range e.cells {
		if f := v.Field(i); f.Kind() == reflect.Int64 {
			e.cells[i] = strconv.FormatInt(f.Int(), 10)
		} else {
			e.cells[i] = csvText(f.String())
		}
	}
	return cmp.Or(e.err, e.w.Write(e.cells))
}

func (e *csvExport) end() error {
	e.w.Flush()
	return e.w.Error()
}

// csvText makes text harmless.
func csvText(s string) string {
	if s == "" {
		return s
	}
	guard := strings.IndexByte("=+-@\t\r", s[0]) >= 0
	hidden := !utf8.ValidString(s)
	for i := 0; i < len(s) && !hidden; i++ {
		hidden = s[i] < ' ' || s[i] == 0x7f
	}
	if hidden {
		var b strings.Builder
		for i := 0; i < len(s); {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 || r < ' ' || r == 0x7f {
				b.WriteString(hexShown[s[i]])
			} else {
				b.WriteString(s[i : i+size])
			}
			i += size
		}
		s = b.String()
	}
	if guard {
		return "'" + s
	}
	return s
}

// jsonlExport writes JSON Lines: an object a row.
type jsonlExport struct{ enc *json.Encoder }

func newJSONL(w io.Writer) jsonlExport {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return jsonlExport{enc}
}

func (e jsonlExport) add(row *exportRow) error { return e.enc.Encode(row) }
func (e jsonlExport) end() error               { return nil }

// rowGroup is the number of rows that a Parquet file holds together, and so
// those that are in memory while it is written.
const rowGroup = 20000

// parquetExport writes Apache Parquet.
type parquetExport struct {
	w    *parquet.GenericWriter[exportRow]
	one  [1]exportRow
	rows int
}

func newParquet(w io.Writer) *parquetExport {
	return &parquetExport{w: parquet.NewGenericWriter[exportRow](w, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("robots-audit", "", ""))}
}

func (e *parquetExport) add(row *exportRow) error {
	e.one[0] = *row
	if _, err := e.w.Write(e.one[:]); err != nil {
		return err
	}
	if e.rows++; e.rows%rowGroup == 0 {
		return e.w.Flush()
	}
	return nil
}

func (e *parquetExport) end() error { return e.w.Close() }
