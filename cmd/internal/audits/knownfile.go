package audits

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/archive"
)

// knownLimits limit the unpacked size of one file of URLs.
var knownLimits = archive.Limits{Bytes: 1 << 30, Entries: 1000, Tokens: 64 << 20, Texts: 256 << 20}

// ReadKnown reads the URLs of a file: a text, a table, a workbook (.xlsx), or a ZIP of tables such
// as Search Console's exports. Of several tables it takes the one with most URLs. The first bytes
// decide the type.
func ReadKnown(name, column string) (*audit.Known, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	begin, _ := in.Peek(8) // a later read returns the error again
	var known *audit.Known
	switch {
	case bytes.HasPrefix(begin, []byte("PK\x03\x04")), bytes.HasPrefix(begin, []byte("PK\x05\x06")):
		known, err = readArchive(file, knownLimits, column)
	case bytes.HasPrefix(begin, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		err = errors.New("this is an old workbook (.xls), or it has a password. Save it as .xlsx or .csv without a password")
	default:
		known, err = audit.ReadKnown(in, column)
	}
	if err == nil && known.URLs == 0 {
		err = errors.New("no absolute http or https URL in it")
	}
	return known, err
}

// readArchive reads a ZIP, or a workbook, which is also a ZIP.
func readArchive(file *os.File, limits archive.Limits, column string) (*audit.Known, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("a ZIP or a workbook cannot be read from a pipe. Name the file")
	}
	z, err := archive.Open(file, info.Size(), limits)
	if err != nil {
		return nil, err
	}
	if z.IsWorkbook() {
		return readWorkbook(z, column)
	}
	return readTables(z, column)
}

// isTable reports whether a file of a ZIP may contain URLs. Files that macOS adds do not.
func isTable(f *zip.File) bool {
	base := path.Base(strings.ReplaceAll(f.Name, `\`, "/"))
	return slices.Contains([]string{".csv", ".tsv", ".txt"}, strings.ToLower(path.Ext(base))) && !strings.HasPrefix(base, ".") && !strings.HasPrefix(f.Name, "__MACOSX/")
}

// readTables reads the table of a ZIP with most URLs.
func readTables(z *archive.Archive, column string) (*audit.Known, error) {
	var names []string
	var choice tableChoice
	for _, f := range z.File {
		if names = append(names, f.Name); !isTable(f) {
			continue
		}
		if err := choice.add(f.Name, func() (*audit.Known, error) {
			in, err := z.Unpack(f)
			if err != nil {
				return nil, err
			}
			defer in.Close()
			return audit.ReadKnown(in, column)
		}); err != nil {
			return nil, err
		}
	}
	if !choice.any {
		return nil, fmt.Errorf("the ZIP has no .csv, .tsv or .txt. It has %q", names[:min(len(names), 10)])
	}
	return choice.best()
}

// readWorkbook reads the sheet of a workbook with most URLs.
func readWorkbook(z *archive.Archive, column string) (*audit.Known, error) {
	book, err := z.Workbook()
	if err != nil {
		return nil, fmt.Errorf("the workbook could not be read: %w", err)
	}
	var choice tableChoice
	for _, sheet := range book.Sheets {
		if err := choice.add("sheet "+sheet.Name, func() (*audit.Known, error) { return audit.ReadKnownRows(sheet.Rows(), column) }); err != nil {
			return nil, err
		}
	}
	if !choice.any {
		return nil, errors.New("a workbook without sheets")
	}
	return choice.best()
}

// tableChoice chooses the table with most URLs. If two have as many, it prefers one that begins
// with them: Search Console's list of filters, for example, has URLs only among its values.
type tableChoice struct {
	any     bool
	known   *audit.Known
	without error // error of the first table without the requested column
}

func (c *tableChoice) add(name string, read func() (*audit.Known, error)) error {
	c.any = true
	known, err := read()
	switch {
	case errors.Is(err, audit.ErrNoColumn):
		c.without = cmp.Or(c.without, fmt.Errorf("%s: %w", name, err))
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case c.known == nil || known.URLs > c.known.URLs || known.URLs == c.known.URLs && known.Column == 0 && c.known.Column != 0:
		c.known = known
	}
	return nil
}

// best returns the URLs of the table chosen.
func (c *tableChoice) best() (*audit.Known, error) {
	if c.known == nil {
		return nil, c.without
	}
	return c.known, nil
}
