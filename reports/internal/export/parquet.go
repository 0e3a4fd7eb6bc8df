package export

import (
	"io"
	"strings"
	"sync"
	"time"

	"robots-audit/engine/escape"
	"robots-audit/reports/internal/site"

	"github.com/parquet-go/parquet-go"
)

// RowGroup is the number of rows that a Parquet file holds together, and so
// those that are in memory while it is written.
const RowGroup = 20000

// parquetExport writes Apache Parquet.
type parquetExport struct {
	w    *parquet.GenericWriter[Row]
	row  [1]Row
	rows int
}

// parquetSchema calls the root, which some readers show, by what a row is.
var parquetSchema = sync.OnceValue(func() *parquet.Schema {
	return parquet.NewSchema("verdict", parquet.SchemaOf(Row{}))
})

func newParquet(w io.Writer, about *Metadata) *parquetExport {
	return &parquetExport{w: parquet.NewGenericWriter[Row](w, parquetSchema(), &parquet.WriterConfig{
		Compression: &parquet.Zstd,
		CreatedBy:   createdBy(escape.ShowInvalid(about.Version), about.Build),
		KeyValueMetadata: map[string]string{
			"robots-audit.site": escape.ShowInvalid(about.Site), "robots-audit.run": about.Run, "robots-audit.version": escape.ShowInvalid(about.Version),
			"robots-audit.started": about.Started.Format(time.RFC3339), "robots-audit.crawlers": escape.ShowInvalid(strings.Join(site.Specs(about.Crawlers), ",")), "robots-audit.rows": about.Rows,
		},
	})}
}

// createdBy names the program as the Parquet format has it, by which readers
// know what to expect: "robots-audit version 1.2.3 (build 0123456789ab)".
func createdBy(version, build string) string {
	return "robots-audit version " + version + " (build " + build + ")"
}

func (e *parquetExport) write(row *Row) error {
	e.row[0] = *row
	if _, err := e.w.Write(e.row[:]); err != nil {
		return err
	}
	if e.rows++; e.rows%RowGroup == 0 {
		return e.w.Flush()
	}
	return nil
}

func (e *parquetExport) close() error { return e.w.Close() }
