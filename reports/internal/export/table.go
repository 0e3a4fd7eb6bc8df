package export

import (
	"path"
	"slices"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"robots-audit/reports/internal/disk"
)

// table is a kind of rows: its columns, for the writers.
type table struct {
	name   string // of a row in Parquet
	dir    string // "" = the files are in the run's folder, and named after the site alone
	names  []string
	before [textFormats][]string                         // in lines of text, what is before each value
	like   func(column int) (name string, optional bool) // the column of Row with the same type; nil = the columns are those of Row
	groups disk.FreeList[rowGroup]                       // reused by the next site
}

// tables are all tables of a site, that of URLs first.
var tables = append([]*table{urlTable}, tablesOfLogs()...)

// urlTable has the verdicts of URLs: see Row.
var urlTable = newTable("verdict", "", namesOf(columns, func(c *column) string { return c.name }), nil)

func newTable(name, dir string, names []string, like func(int) (string, bool)) *table {
	t := &table{name: name, dir: dir, names: names, like: like}
	for i, name := range names {
		cell, key := ",", ","
		if i == 0 {
			cell, key = "", "{"
		}
		t.before[asCSV] = append(t.before[asCSV], cell)
		t.before[asJSONL] = append(t.before[asJSONL], key+`"`+name+`":`)
	}
	return t
}

func namesOf[C any](columns []C, name func(*C) string) (names []string) {
	for i := range columns {
		names = append(names, name(&columns[i]))
	}
	return names
}

// fileName is the name of the site's file, relative to the run's folder. Tables with other columns are in a folder of
// their own: "*.parquet" names the rows of URLs of all sites.
func (t *table) fileName(base, format string) string {
	if t.dir == "" {
		return base + "." + format
	}
	return path.Join(t.dir, base+"."+t.name+"."+format)
}

// footer is the footer of a Parquet file without rows. Some readers show the name of the root.
func (t *table) footer() format.FileMetaData {
	f := *rowFooter()
	elements := f.Schema
	f.Schema = slices.Clone(elements[:1])
	f.Schema[0].Name, f.Schema[0].NumChildren = t.name, thrift.New(int32(len(t.names)))
	if t.like == nil {
		f.Schema = append(f.Schema, elements[1:]...)
		return f
	}
	for i, name := range t.names {
		like, optional := t.like(i)
		e := elements[slices.IndexFunc(elements, func(e format.SchemaElement) bool { return e.Name == like })]
		e.Name, e.RepetitionType.V = name, format.Required
		if optional {
			e.RepetitionType.V = format.Optional
		}
		f.Schema = append(f.Schema, e)
	}
	return f
}
