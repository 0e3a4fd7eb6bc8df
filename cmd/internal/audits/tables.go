package audits

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit/table"
	"robots-audit/cmd/internal/cli"
	"robots-audit/engine/wording"
)

// Tables are the flags that say how to read tables and lists.
type Tables struct {
	Encoding string
	columns  cli.List
}

// Flags declares the flags.
func (t *Tables) Flags(f *flag.FlagSet) {
	f.Var(&t.columns, "column", "`MEANING=COLUMN`: which column of a table has the "+wording.And(columnNames())+". COLUMN is a title, a number or a letter. Can be repeated (default: found by its title)")
	f.StringVar(&t.Encoding, "encoding", "", "`name` of the encoding of tables and lists, such as windows-1252 (default: found in the file)")
}

// Check reports flags that are wrong.
func (t *Tables) Check() error {
	for _, text := range t.columns {
		if _, _, err := columnOf(text); err != nil {
			return fmt.Errorf("-column %q: %w", text, err)
		}
	}
	if t.Encoding == "" {
		return nil
	}
	if _, err := table.ParseEncoding(t.Encoding); err != nil {
		return fmt.Errorf("-encoding: %w", err)
	}
	return nil
}

// Options returns the options for a table. The flags have been checked.
func (t *Tables) Options() table.Options {
	o := table.Options{Encoding: t.Encoding, Columns: map[table.Meaning]string{}}
	for _, text := range t.columns {
		if m, column, err := columnOf(text); err == nil {
			o.Columns[m] = column
		}
	}
	return o
}

// namedColumns are the columns that -column can name.
var namedColumns = []table.Meaning{table.URL, table.Clicks, table.Impressions, table.Old, table.New, table.Domain}

func columnNames() (names []string) {
	for _, m := range namedColumns {
		names = append(names, string(m))
	}
	return names
}

// columnOf reads a value of -column such as "clicks=Besuche".
func columnOf(text string) (m table.Meaning, column string, err error) {
	name, column, _ := strings.Cut(text, "=")
	m, column = table.Meaning(strings.ToLower(strings.TrimSpace(name))), strings.TrimSpace(column)
	if column == "" || !slices.Contains(namedColumns, m) {
		return "", "", fmt.Errorf("expected MEANING=COLUMN, such as clicks=Besuche. MEANING is one of %s", wording.And(columnNames()))
	}
	return m, column, nil
}
