package table

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"slices"
	"strings"
)

// Options say how to read a file. The zero value finds out.
type Options struct {
	Encoding string                 // name of the text's encoding; "" = find out
	Columns  map[Meaning]string     // columns of Want that the user has named: by title, number or letter
	Table    bool                   // the text has several columns: it is never a list
	Want     []Meaning              // columns that decide between the tables of a ZIP or workbook
	IsSite   func(host string) bool // reports whether a host is that of an audited site; nil = not known
	Limits   Limits                 // of archives; zero = DefaultLimits
}

// DefaultLimits bound what is unpacked of one file. A text is unpacked twice.
var DefaultLimits = Limits{Bytes: 1 << 30, Entries: 1000, Tokens: 64 << 20, Texts: 128 << 20}

// Row is a row of a table.
type Row struct {
	Line  int      // 1-based line of the file, or row of the sheet, where it begins
	Cells []string // never empty
}

// RowError is a row that cannot be read. The rows after it are still read.
type RowError struct {
	Line int    // 1-based
	Text string // the row; "" = it is too long
	Why  string
}

// Error says which line is refused, and why.
func (e *RowError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Why) }

// Table is a table or a list that has been looked at.
type Table struct {
	Name         string   // of the sheet, or of the file in a ZIP; "" = the file itself
	Encoding     string   // of a text, such as "UTF-8"; "" = a sheet
	EncodingNote string   // what the encoding was chosen by, if it is not certain
	Titles       []string // nil = it has none
	TitleLine    int      // 1-based line, or row, of the titles; 0 = it has none

	comma   rune
	packed  bool // it is in a .gz, or its lines end as those of old Macintosh programs
	skip    int  // lines before the table that are no rows
	columns map[Meaning]int
	sample  []Row // first rows after the titles
	rows    iter.Seq2[Row, error]
	text    func() (io.ReadCloser, error) // of a text, in UTF-8; nil = a sheet
	close   func()
}

// File is a file that has been opened, with its tables.
type File struct {
	Tables []*Table

	options *Options
	close   []func() error
}

// Open opens a file and looks at its tables. An error says what to do.
func Open(name string, o Options) (*File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("this is a folder. Name a file")
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	s := stream{open: func() (io.ReadCloser, error) { return file, nil }}
	if info.Mode().IsRegular() {
		s = stream{open: func() (io.ReadCloser, error) { return os.Open(name) }, again: true}
	}
	f, err := read(s, o)
	f.close = append(f.close, file.Close)
	return f.checked(err)
}

// Read reads the tables of a text or an archive. If it is a text, it is read while its rows are.
func Read(r io.Reader, o Options) (*File, error) {
	s := stream{open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
	if at, ok := r.(io.ReaderAt); ok {
		s = stream{open: func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(at, 0, 1<<62)), nil }, again: true}
	}
	f, err := read(s, o)
	return f.checked(err)
}

func read(s stream, o Options) (*File, error) {
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits
	}
	named := map[Meaning]string{}
	for _, m := range o.Want {
		if column, ok := o.Columns[m]; ok {
			named[m] = column
		}
	}
	o.Columns = named
	f := &File{options: &o}
	return f, f.add("", s, 0)
}

// checked closes a file that has no tables.
func (f *File) checked(err error) (*File, error) {
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close closes the file, and deletes temporary copies of its parts.
func (f *File) Close() error {
	for _, t := range f.Tables {
		if t.close != nil {
			t.close()
		}
	}
	var errs []error
	for _, end := range slices.Backward(f.close) {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}

// Table returns the table that has most of the columns wanted.
func (f *File) Table() *Table { return richest(f.Tables, f.options.Want) }

var (
	gzipMark = []byte("\x1f\x8b")
	zipMark  = []byte("PK\x03\x04")
	zipEmpty = []byte("PK\x05\x06")
)

// add adds the tables of a stream, which may be within an archive.
func (f *File) add(name string, s stream, depth int) error {
	if depth > 2 {
		return errors.New("an archive in an archive in an archive. Unpack it first")
	}
	in, err := s.open()
	if err != nil {
		return err
	}
	buffered := bufio.NewReader(in)
	begin, err := buffered.Peek(8)
	if err != nil && err != io.EOF {
		in.Close()
		return err
	}
	if what := otherForm(begin); what != "" {
		in.Close()
		return errors.New(what)
	}
	if !s.again { // what has been read is needed
		rest := in
		s.open = func() (io.ReadCloser, error) { return &joined{buffered, rest}, nil }
	} else {
		in.Close()
	}
	switch {
	case bytes.HasPrefix(begin, gzipMark):
		budget := f.options.Limits.Bytes
		open := s.open
		s.open = func() (io.ReadCloser, error) { return gunzip(open, &budget) }
		return f.add(name, s, depth+1)
	case bytes.HasPrefix(begin, zipMark), bytes.HasPrefix(begin, zipEmpty):
		return f.addArchive(name, s, depth)
	}
	t, err := textTable(name, s, f.options)
	if err != nil {
		return err
	}
	t.packed = t.packed || depth > 0
	f.Tables = append(f.Tables, t)
	return nil
}

// joined reads through a buffer, and closes what is behind it.
type joined struct {
	io.Reader
	io.Closer
}

// gunzip unpacks a stream within a budget of bytes.
func gunzip(open func() (io.ReadCloser, error), budget *int64) (io.ReadCloser, error) {
	in, err := open()
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		in.Close()
		return nil, fmt.Errorf("a damaged .gz file. Download it again: %w", err)
	}
	return &unpacking{&joined{wholeOnly{z}, in}, budget, *budget}, nil
}

// wholeOnly reads a compressed text, and says so if its end is missing.
type wholeOnly struct{ io.Reader }

func (w wholeOnly) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("an incomplete .gz file. Download it again: %w", err)
	}
	return n, err
}

// otherForms are the first bytes of files that people mistake for tables, and what to do.
var otherForms = []struct{ begin, what string }{
	{"\xd0\xcf\x11\xe0", "this is an old workbook (.xls), or it has a password. Save it as .xlsx or .csv without a password"},
	{"%PDF", "this is a PDF file. Save the table as .xlsx or .csv"},
	{"\x89PNG", "this is a picture. Save the table as .xlsx or .csv"},
	{"\xff\xd8\xff", "this is a picture. Save the table as .xlsx or .csv"},
	{"7z\xbc\xaf", "this is a 7z archive. Unpack it first"},
	{"Rar!", "this is a RAR archive. Unpack it first"},
	{"BZh", "this file is compressed with bzip2. Unpack it first"},
	{"\xfd7zX", "this file is compressed with xz. Unpack it first"},
	{"\x28\xb5\x2f\xfd", "this file is compressed with zstd. Unpack it first"},
}

func otherForm(begin []byte) string {
	for _, form := range otherForms {
		if bytes.HasPrefix(begin, []byte(form.begin)) {
			return form.what
		}
	}
	return ""
}

// notTables describes a text that is no table; "" = it may be one.
func notTables(text string) string {
	text = strings.ToLower(strings.TrimSpace(text[:min(len(text), 1024)]))
	for _, tag := range []string{"<!doctype html", "<html", "<table", "<head"} {
		if strings.HasPrefix(text, tag) {
			return "this is a web page, even if its name ends with .xls or .csv. Open it with a spreadsheet and save it as .xlsx or .csv"
		}
	}
	if strings.HasPrefix(text, "{\\rtf") {
		return "this is a text document (RTF). Save it as plain text"
	}
	return ""
}

// addArchive adds the tables of a ZIP, or of a workbook, which is also a ZIP.
func (f *File) addArchive(name string, s stream, depth int) error {
	file, size, err := f.readerAt(s)
	if err != nil {
		return err
	}
	z, err := OpenArchive(file, size, f.options.Limits)
	switch {
	case err != nil:
		return err
	case z.has("xl/workbook.bin"):
		return errors.New("this is a binary workbook (.xlsb). Save it as .xlsx or .csv")
	case z.IsWorkbook():
		return f.addWorkbook(name, z)
	}
	names := []string{}
	before := len(f.Tables)
	var missing error
	for _, entry := range z.File {
		if names = append(names, entry.Name); !isTable(entry) {
			continue
		}
		err := f.add(entry.Name, stream{open: func() (io.ReadCloser, error) { return z.Unpack(entry) }, again: true}, depth+1)
		if errors.Is(err, ErrNoColumn) {
			missing = firstError(missing, fmt.Errorf("%s: %w", entry.Name, err))
		} else if err != nil {
			return fmt.Errorf("%s: %w", entry.Name, err)
		}
	}
	if len(f.Tables) > before {
		return nil
	}
	if missing != nil {
		return missing
	}
	return fmt.Errorf("the ZIP has no table (.csv, .tsv, .txt, .xlsx or .ods). It has %q", names[:min(len(names), 10)])
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// isTable reports whether a file of a ZIP may be a table. Files that macOS adds are not.
func isTable(f *zip.File) bool {
	base := path.Base(strings.ReplaceAll(f.Name, `\`, "/"))
	return slices.Contains([]string{".csv", ".tsv", ".tab", ".txt", ".xlsx", ".xlsm", ".ods", ".gz"}, strings.ToLower(path.Ext(base))) && !strings.HasPrefix(base, ".") && !strings.HasPrefix(f.Name, "__MACOSX/")
}

// addWorkbook adds the sheets of a workbook.
func (f *File) addWorkbook(name string, z *Archive) error {
	book, err := z.Workbook()
	if err != nil {
		return fmt.Errorf("the workbook could not be read: %w", err)
	}
	before := len(f.Tables)
	var missing error
	for _, sheet := range book.Sheets {
		t, err := sheetTable(sheet, f.options)
		if errors.Is(err, ErrNoColumn) {
			missing = firstError(missing, fmt.Errorf("sheet %s: %w", sheet.Name, err))
			continue
		}
		if err != nil {
			return fmt.Errorf("sheet %s: %w", sheet.Name, err)
		}
		if name != "" {
			t.Name = name + ", " + t.Name
		}
		f.Tables = append(f.Tables, t)
	}
	if len(f.Tables) > before {
		return nil
	}
	return firstError(missing, errors.New("a workbook without sheets"))
}

// sheetTable looks at a sheet, and returns it as a table.
func sheetTable(sheet Sheet, o *Options) (*Table, error) {
	t := &Table{Name: "sheet " + sheet.Name, comma: '\t'}
	t.rows = func(yield func(Row, error) bool) {
		n := 0
		for cells, err := range sheet.Rows() {
			if n++; err != nil {
				yield(Row{}, fmt.Errorf("row %d: %w", n, err))
				return
			}
			if len(cells) > 0 && !yield(Row{n, cells}, nil) {
				return
			}
		}
	}
	var sample []Row
	size := 0
	for row, err := range t.rows {
		if err != nil {
			return nil, err
		}
		sample = append(sample, Row{row.Line, slices.Clone(row.Cells)})
		for _, cell := range row.Cells {
			size += len(cell)
		}
		if len(sample) == sampleRows || size > 1<<20 {
			break
		}
	}
	t.setLayout(layoutOf(sample, o))
	return t, t.nameColumns(o)
}

// maxCopied bounds a temporary copy.
const maxCopied = 1 << 30

// readerAt returns an archive for reading at any place: the file itself, or a temporary copy.
func (f *File) readerAt(s stream) (io.ReaderAt, int64, error) {
	in, err := s.open()
	if err != nil {
		return nil, 0, err
	}
	if file, ok := in.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			f.close = append(f.close, file.Close)
			return file, info.Size(), nil
		}
	}
	defer in.Close()
	temp, err := os.CreateTemp("", "robots-audit-*.tmp")
	if err != nil {
		return nil, 0, err
	}
	f.close = append(f.close, func() error {
		temp.Close()
		return os.Remove(temp.Name())
	})
	size, err := io.Copy(temp, io.LimitReader(in, maxCopied+1))
	if err == nil && size > maxCopied {
		err = fmt.Errorf("more than %d MB. Save the table as .csv", maxCopied>>20)
	}
	return temp, size, err
}

// newSampleReader reads a sample as a text is read.
func newSampleReader(sample string) *bufio.Reader {
	return bufio.NewReaderSize(strings.NewReader(sample), longestLine)
}
