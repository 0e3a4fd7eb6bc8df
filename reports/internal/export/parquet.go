package export

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"robots-audit/engine/escape"
	"robots-audit/reports/internal/site"
)

// RowGroup is the number of rows in a row group of a Parquet file, and so in memory while it is
// written; the rows of one URL stay together.
const RowGroup = 20000

// parquetExport writes Apache Parquet: each row group as soon as it is full, and the footer at the
// end. The library's own writer uses reflection for each row, and looks up each of its thirty
// values. Here a row is the number of its URL and that of its verdict, and a value is looked up
// once for all rows that share it: 0.5 µs for the three rows of a URL instead of 4. Pages, their
// encodings and the footer use the library.
type parquetExport struct {
	out    io.Writer
	err    error // the first write error
	footer format.FileMetaData
	offset int64 // position in the file

	table *table
	*rowGroup
	group    int32 // number of the current row group, from 1 on
	urls     int   // number in the row group
	verdicts int32 // number in the row group
}

// rowGroup is the memory of a row group, which is reused.
type rowGroup struct {
	chunks  []*chunk // of all columns, in their order
	rows    []groupRow
	pages   []byte // not written yet
	scratch scratch
}

// newRowGroup makes the memory of a row group of a table.
func (t *table) newRowGroup() *rowGroup {
	g, schema := new(rowGroup), t.footer().Schema
	for i := range t.names {
		g.chunks = append(g.chunks, newChunk(&schema[i+1])) // the first element is the root
	}
	if t == urlTable {
		for i, c := range g.chunks[:rowAt] {
			c.part = ofURL
			if i >= verdictAt && i < tailAt {
				c.part = ofVerdict
			}
		}
	}
	return g
}

// groupRow is a row as references to parts that it shares with other rows of the row group.
type groupRow struct{ url, verdict int32 }

// rowFooter is the library's footer for a file of Row without rows.
var rowFooter = sync.OnceValue(func() *format.FileMetaData {
	var file bytes.Buffer
	if err := parquet.NewGenericWriter[Row](&file).Close(); err != nil {
		panic(err) // an invalid schema
	}
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		panic(err)
	}
	return f.Metadata()
})

// parquetMark is the first and the last part of a file.
const parquetMark = "PAR1"

func newParquet(out io.Writer, about *Metadata, of *table) writer {
	e := &parquetExport{out: out, footer: of.footer(), table: of, rowGroup: of.groups.Get(of.newRowGroup), group: 1}
	e.footer.CreatedBy = createdBy(escape.ShowInvalid(about.Version), about.Build)
	for _, pair := range [][2]string{
		{"robots-audit.crawlers", escape.ShowInvalid(strings.Join(site.Specs(about.Crawlers), ","))},
		{"robots-audit.rows", about.Rows},
		{"robots-audit.run", about.Run},
		{"robots-audit.site", escape.ShowInvalid(about.Site)},
		{"robots-audit.started", about.Started.Format(time.RFC3339)},
		{"robots-audit.version", escape.ShowInvalid(about.Version)},
	} {
		e.footer.KeyValueMetadata = append(e.footer.KeyValueMetadata, format.KeyValue{Key: pair[0], Value: pair[1]})
	}
	e.pages = append(e.pages, parquetMark...)
	return e
}

// createdBy names the program in the format of Parquet, from which readers know what to expect:
// "robots-audit version 1.2.3 (build 0123456789ab)".
func createdBy(version, build string) string {
	return "robots-audit version " + version + " (build " + build + ")"
}

// beginURL begins the rows of another URL.
func (e *parquetExport) beginURL(row *Row) {
	if len(e.rows) >= RowGroup {
		e.writeGroup()
	}
	e.urls++
	e.addColumns(0, headColumns, row)
	e.addColumns(tailAt, tailColumns, row)
}

// addColumns adds the values of some columns; at is the index of the first one.
func (e *parquetExport) addColumns(at int, list []column, row *Row) {
	for i := range list {
		e.chunks[at+i].add(list[i].of(row))
	}
}

// write adds a row of the current URL. An error may come from earlier rows.
func (e *parquetExport) write(row *Row, of *verdict) error {
	if of.rowGroup != e.group { // the first row of the group with this verdict
		of.rowGroup, of.inGroup = e.group, e.verdicts
		e.verdicts++
		e.addColumns(verdictAt, verdictColumns, &of.Row)
	}
	e.rows = append(e.rows, groupRow{int32(e.urls - 1), of.inGroup})
	e.addColumns(rowAt, rowColumns, row)
	return e.err
}

// add adds a row. An error may come from earlier rows.
func (e *parquetExport) add(row []value) error {
	if len(e.rows) >= RowGroup {
		e.writeGroup()
	}
	e.rows = append(e.rows, groupRow{})
	for i, v := range row {
		e.chunks[i].add(v)
	}
	return e.err
}

// writeGroup writes the current row group, and begins another.
func (e *parquetExport) writeGroup() {
	s := &e.scratch
	s.packAll = len(e.rows) >= RowGroup || e.group > 1
	g := format.RowGroup{NumRows: int64(len(e.rows)), FileOffset: e.offset + int64(len(e.pages)), Ordinal: int16(len(e.footer.RowGroups))}
	for _, c := range e.chunks {
		switch s.rows, s.indexes = len(e.rows), s.indexes[:0]; {
		case c.alike():
		case c.part == ofRow:
			s.indexes = append(s.indexes, c.indexes...)
		case c.part == ofVerdict:
			for _, row := range e.rows {
				s.indexes = append(s.indexes, c.indexes[row.verdict])
			}
		default:
			for _, row := range e.rows {
				s.indexes = append(s.indexes, c.indexes[row.url])
			}
		}
		about := format.ColumnMetaData{}
		e.pages = c.appendPages(e.pages, e.offset, s, &about)
		g.Columns = append(g.Columns, format.ColumnChunk{MetaData: about})
		g.TotalByteSize += about.TotalUncompressedSize
		g.TotalCompressedSize += about.TotalCompressedSize
		c.reset()
	}
	e.footer.RowGroups = append(e.footer.RowGroups, g)
	e.footer.NumRows += g.NumRows
	e.rows, e.urls, e.verdicts = e.rows[:0], 0, 0
	e.group++
	e.flush()
}

// flush writes the buffered bytes.
func (e *parquetExport) flush() {
	if e.err == nil {
		_, e.err = e.out.Write(e.pages)
	}
	e.offset += int64(len(e.pages))
	e.pages = e.pages[:0]
}

// close writes the rest and the footer.
func (e *parquetExport) close() error {
	if len(e.rows) > 0 {
		e.writeGroup()
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), &e.footer)
	if err != nil {
		return err
	}
	e.pages = append(e.pages, footer...)
	e.pages = binary.LittleEndian.AppendUint32(e.pages, uint32(len(footer)))
	e.pages = append(e.pages, parquetMark...)
	e.flush()
	e.table.groups.Put(e.rowGroup)
	return e.err
}
