package export

import (
	"cmp"
	"encoding/csv"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"robots-audit/engine/escape"
)

// csvExport writes RFC 4180, in UTF-8; null is an empty cell. What a spreadsheet
// would take for a formula, and what begins with an apostrophe, gets another
// before it: so one apostrophe at the beginning of a cell is never part of the
// value. Characters that mislead, and bytes that are not UTF-8, are shown as
// \x0A and [U+202E].
type csvExport struct {
	w     *csv.Writer
	cells []string
	err   error // of the header
}

// byteOrderMark tells Excel that a file is UTF-8.
const byteOrderMark = "\uFEFF"

func newCSV(w io.Writer, about *Metadata) *csvExport {
	e := &csvExport{w: csv.NewWriter(w)}
	e.w.UseCRLF = true
	var titles []string
	row := reflect.TypeFor[Row]()
	for i := range row.NumField() {
		titles = append(titles, row.Field(i).Tag.Get("json"))
	}
	e.cells = make([]string, len(titles))
	if about.CSVMark {
		_, e.err = io.WriteString(w, byteOrderMark)
	}
	e.err = cmp.Or(e.err, e.w.Write(titles))
	return e
}

func (e *csvExport) write(row *Row) error {
	v := reflect.ValueOf(row).Elem()
	for i := range e.cells {
		e.cells[i] = csvCell(v.Field(i))
	}
	return cmp.Or(e.err, e.w.Write(e.cells))
}

func (e *csvExport) close() error {
	e.w.Flush()
	return cmp.Or(e.err, e.w.Error())
}

// csvCell writes a field of a row.
func csvCell(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch {
	case v.Type() == utcMillisType:
		return utcMillis(v.Int()).String()
	case v.Kind() == reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	}
	return CSVText(v.String())
}

var utcMillisType = reflect.TypeFor[utcMillis]()

// CSVText makes text harmless.
func CSVText(s string) string {
	shown := escape.ShowFunc(s, escape.IsMisleading)
	if needsApostrophe(s) {
		return "'" + shown
	}
	return shown
}

// formulaStarts are the characters with which spreadsheets let a formula begin
// (OWASP, CSV Injection), also as those that East Asian versions take for them,
// the small forms of these and the minus sign; and the apostrophe.
const formulaStarts = "=+-@\t\r\n＝＋－＠﹦﹢﹣﹫−'"

// needsApostrophe reports whether text is to begin with an apostrophe: what it begins
// with may begin a formula, or does where spaces, quotation marks or characters
// without width before it are left out.
func needsApostrophe(s string) bool {
	for _, r := range s {
		if strings.ContainsRune(formulaStarts, r) {
			return true
		}
		if r != '"' && !unicode.IsSpace(r) && !escape.IsHidden(r) {
			return false
		}
	}
	return false
}
