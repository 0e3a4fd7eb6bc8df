package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"robots-audit/audit"
)

// archiveLimits bound what is unpacked of one file of URLs.
type archiveLimits struct {
	bytes    int64 // of all that is unpacked
	entries  int
	workbook int64 // bytes of a workbook as it is packed, since it is read into memory
}

var knownLimits = archiveLimits{bytes: 1 << 30, entries: 1000, workbook: 128 << 20}

// readKnown reads the URLs of a file: a text, a table, a workbook (.xlsx), or a ZIP of
// tables such as Search Console's exports. Of several tables the one counts that holds
// most URLs. What a file is, its first bytes say.
func readKnown(name, column string) (*audit.Known, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	begin, _ := in.Peek(8) // an error comes again
	var known *audit.Known
	switch {
	case bytes.HasPrefix(begin, []byte("PK\x03\x04")), bytes.HasPrefix(begin, []byte("PK\x05\x06")):
		known, err = knownLimits.readArchive(file, column)
	case bytes.HasPrefix(begin, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		err = errors.New("a workbook of Excel before 2007 (.xls), or one with a password: save it as .xlsx or .csv without")
	default:
		known, err = audit.ReadKnown(in, column)
	}
	if err == nil && known.URLs == 0 {
		err = errors.New("no absolute http or https URL in it")
	}
	return known, err
}

// readArchive reads a ZIP, or a workbook, which is one.
func (l archiveLimits) readArchive(file *os.File, column string) (*audit.Known, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("a ZIP or a workbook cannot be read from a pipe: name the file")
	}
	z, err := zip.NewReader(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("a damaged ZIP or workbook: %w", err)
	}
	if len(z.File) > l.entries {
		return nil, fmt.Errorf("%d files in the ZIP, and %d are read at most", len(z.File), l.entries)
	}
	for _, f := range z.File {
		if f.Name == "xl/workbook.xml" {
			return l.readWorkbook(file, z, info.Size(), column)
		}
	}
	return l.readTables(z, column)
}

// isTable reports whether a file of a ZIP may hold URLs. What macOS adds does not.
func isTable(f *zip.File) bool {
	base := path.Base(strings.ReplaceAll(f.Name, `\`, "/"))
	return slices.Contains([]string{".csv", ".tsv", ".txt"}, strings.ToLower(path.Ext(base))) && !strings.HasPrefix(base, ".") && !strings.HasPrefix(f.Name, "__MACOSX/")
}

// readTables reads the table of a ZIP that holds most URLs.
func (l archiveLimits) readTables(z *zip.Reader, column string) (*audit.Known, error) {
	left := l.bytes
	var names []string
	var choice tableChoice
	for _, f := range z.File {
		if names = append(names, f.Name); !isTable(f) {
			continue
		}
		if err := choice.add(f.Name, func() (*audit.Known, error) {
			in, err := l.open(f, &left)
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
		return nil, fmt.Errorf("no .csv, .tsv or .txt in the ZIP; it holds %q", names[:min(len(names), 10)])
	}
	return choice.best()
}

// open opens a file of a ZIP, of which no more can be read than is left of the limit.
func (l archiveLimits) open(f *zip.File, left *int64) (io.ReadCloser, error) {
	if f.Flags&1 != 0 {
		return nil, errors.New("it has a password: unpack it first")
	}
	in, err := f.Open()
	return &unpacking{in, left, l.bytes}, err
}

// unpacking reads a file of a ZIP as far as the limit of all of them lets it.
type unpacking struct {
	io.ReadCloser
	left  *int64
	limit int64
}

// Read unpacks on.
func (u *unpacking) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if *u.left -= int64(n); *u.left < 0 {
		return 0, fmt.Errorf("more than %d MB unpacked: unpack it, and name the table in it", u.limit>>20)
	}
	return n, err
}

// tableChoice chooses the one of several tables that holds most URLs; of two that hold
// as many, one that begins with them: another, such as Search Console's list of
// filters, has them among its values.
type tableChoice struct {
	any     bool
	known   *audit.Known
	without error // the first table that lacks the column asked for
}

// add reads a table.
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
