package reports

import (
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/parquet-go/parquet-go"

	"robots-audit/engine/escape"
)

// rowGroup is the number of rows that a Parquet file holds together, and so
// those that are in memory while it is written.
const rowGroup = 20000

// parquetExport writes Apache Parquet.
type parquetExport struct {
	w    *parquet.GenericWriter[exportRow]
	one  [1]exportRow
	rows int
}

// parquetSchema calls the root, which some readers show, by what a row is.
var parquetSchema = sync.OnceValue(func() *parquet.Schema {
	return parquet.NewSchema("verdict", parquet.SchemaOf(exportRow{}))
})

func newParquet(w io.Writer, about *exportAbout) *parquetExport {
	r := about.run
	return &parquetExport{w: parquet.NewGenericWriter[exportRow](w, parquetSchema(), &parquet.WriterConfig{
		Compression: &parquet.Zstd,
		CreatedBy:   createdBy(escape.ShowInvalid(r.Version)),
		KeyValueMetadata: map[string]string{
			"robots-audit.site": escape.ShowInvalid(about.site), "robots-audit.run": r.id(), "robots-audit.version": escape.ShowInvalid(r.Version),
			"robots-audit.started": r.Started.Format(time.RFC3339), "robots-audit.crawlers": escape.ShowInvalid(strings.Join(labels(r.Crawlers), ",")), "robots-audit.rows": r.Rows,
		},
	})}
}

// createdBy names the program as the Parquet format has it, by which readers
// know what to expect: "robots-audit version 1.2.3 (build 0123456789ab)".
func createdBy(version string) string {
	return "robots-audit version " + version + " (build " + Build() + ")"
}

// Build returns the revision of the source that the program was built from, its
// first 12 digits; "unknown" where it was built outside of version control.
func Build() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return "unknown"
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
