package audit

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"robots-audit/audit/table"
)

// OpenDomains opens a list of sites for Domains: a text with one site a line, or any table that
// package table reads. Lines keep their numbers. took says which column of a table has the sites;
// "" = the file is a plain list. column is as in table.Options; "" = find it.
func OpenDomains(name, encoding, column string) (list io.ReadCloser, took string, err error) {
	o := table.Options{Encoding: encoding, Want: []table.Meaning{table.Domain}}
	if column != "" {
		o.Columns = map[table.Meaning]string{table.Domain: column}
	}
	file, err := table.Open(name, o)
	if err != nil {
		return nil, "", err
	}
	t := file.Table()
	if t.Plain() {
		file.Close()
		list, err = os.Open(name)
		return list, "", err
	}
	at := domainColumn(t)
	next, stop := iter.Pull2(t.Rows())
	took = "sites from " + t.ColumnName(at)
	if t.Name != "" {
		took += " of " + t.Name
	}
	if t.Encoding != "" && t.Encoding != "UTF-8" {
		took += ", read as " + t.Encoding
	}
	return &domainLines{next: next, stop: stop, file: file, column: at, line: 1}, took, nil
}

// domainColumn finds the column of sites: by its title, or else by its cells.
func domainColumn(t *table.Table) int {
	for _, m := range []table.Meaning{table.Domain, table.Host, table.URL} {
		if at := t.Column(m); at >= 0 {
			return at
		}
	}
	best, most := 0, 0
	counts := map[int]int{}
	for row := range t.Sample {
		for i := range row.Cells {
			if d, why := ParseDomain(row.Cell(i)); why == "" && (strings.Contains(d.Host, ".") || d.Scheme != "") && strings.Trim(d.Host, "0123456789.") != "" {
				if counts[i]++; counts[i] > most {
					best, most = i, counts[i]
				}
			}
		}
	}
	return best
}

// domainLines writes the cells of a column as lines. A row without a site is an empty line, so that
// later lines keep their numbers.
type domainLines struct {
	next   func() (table.Row, error, bool)
	stop   func()
	file   *table.File
	column int
	line   int // number of the line that is written next
	rest   string
}

// Read writes the next lines.
func (l *domainLines) Read(p []byte) (int, error) {
	for l.rest == "" {
		row, err, ok := l.next()
		if !ok {
			return 0, io.EOF
		}
		if wrong := (*table.RowError)(nil); errors.As(err, &wrong) {
			row, err = table.Row{Line: wrong.Line, Cells: []string{wrong.Why}}, nil
		}
		if err != nil {
			return 0, fmt.Errorf("reading the list of sites: %w", err)
		}
		cell := strings.Join(strings.Fields(row.Cell(min(l.column, len(row.Cells)-1))), " ")
		l.rest = strings.Repeat("\n", max(0, row.Line-l.line)) + cell + "\n"
		l.line = max(l.line, row.Line) + 1
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// Close closes the file.
func (l *domainLines) Close() error {
	l.stop()
	return l.file.Close()
}
