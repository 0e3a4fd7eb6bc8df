package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	longestLine = 64 << 10 // bytes of a line, or of a row of several lines
	endlessLine = 1 << 30  // length of a line at which reading stops: such a file is not text, or never ends
)

var (
	// ErrEndless says that a line has no end, so that the file is not a list.
	ErrEndless    = fmt.Errorf("a line of more than %d MB: this is not a list", endlessLine>>20)
	errRowTooLong = errors.New("a row that is too long") // a quotation mark opens a cell, and none closes it
)

// stream is a text that can be opened.
type stream struct {
	open  func() (io.ReadCloser, error)
	again bool // it can be opened repeatedly
}

// textTable looks at a text, and returns it as a table.
func textTable(name string, s stream, o *Options) (*Table, error) {
	first, err := s.open()
	if err != nil {
		return nil, err
	}
	keep := false // a stream that can be opened once
	defer func() {
		if !keep {
			first.Close()
		}
	}()
	in := bufio.NewReaderSize(first, lookBytes)
	begin, err := beginning(in, s.again)
	if err != nil {
		return nil, err
	}
	set, err := encodingOf(begin, s, o)
	if err != nil {
		return nil, err
	}
	text := string(begin)
	if set.encoding != nil {
		text, _ = set.encoding.NewDecoder().String(text) // half a character at the end is not a fault
	}
	text = strings.TrimPrefix(text, "\uFEFF")
	if strings.IndexByte(text, 0) >= 0 {
		return nil, errors.New("this is not a text file")
	}
	if what := notTables(text); what != "" {
		return nil, errors.New(what)
	}
	macintosh := strings.IndexByte(text, '\n') < 0 && strings.IndexByte(strings.TrimSuffix(text, "\r"), '\r') >= 0
	t := &Table{Name: name, Encoding: set.name, EncodingNote: set.note, packed: macintosh}
	if err := t.look(sampleOf(text, macintosh, len(begin) < lookBytes), o); err != nil {
		return nil, err
	}
	if s.again {
		in = nil
	} else {
		keep = true
		t.close = func() { first.Close() }
	}
	t.text = func() (io.ReadCloser, error) {
		raw, closer := io.Reader(in), io.Closer(first)
		if s.again {
			again, err := s.open()
			if err != nil {
				return nil, err
			}
			raw, closer = again, again
		}
		if set.encoding != nil {
			raw = set.encoding.NewDecoder().Reader(raw)
		}
		if macintosh {
			raw = carriageReturns{raw}
		}
		buffered := bufio.NewReaderSize(raw, longestLine)
		if begin, _ := buffered.Peek(3); bytes.HasPrefix(begin, []byte("\uFEFF")) {
			buffered.Discard(3)
		}
		return &joined{buffered, closer}, nil
	}
	t.rows = func(yield func(Row, error) bool) {
		text, err := t.text()
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer text.Close()
		t.readText(text.(*joined).Reader.(*bufio.Reader), set.encoding != nil)(yield)
	}
	return t, nil
}

// Text returns the whole text in UTF-8, without a byte order mark. ok = false: the table is a sheet.
func (t *Table) Text() (text string, ok bool, err error) {
	if t.text == nil {
		return "", false, nil
	}
	in, err := t.text()
	if err != nil {
		return "", true, err
	}
	defer in.Close()
	all, err := io.ReadAll(in)
	return string(all), true, err
}

// beginning returns the beginning of a text. Of a pipe it is what has arrived.
func beginning(in *bufio.Reader, whole bool) ([]byte, error) {
	size := 1
	if whole {
		size = lookBytes
	}
	begin, err := in.Peek(size)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return in.Peek(max(len(begin), in.Buffered()))
}

// encodingOf finds the encoding of a text.
func encodingOf(begin []byte, s stream, o *Options) (charset, error) {
	if o.Encoding != "" {
		return named(o.Encoding)
	}
	if c, ok := byteOrder(begin); ok {
		return c, nil
	}
	var seen survey
	if !s.again {
		seen.add(begin[:len(begin)-incomplete(begin)])
		if !seen.utf8Text() {
			return charset{}, errors.New("the text is not UTF-8. Name its encoding, as in -encoding windows-1252, or save it as a file")
		}
		return charset{name: "UTF-8"}, nil
	}
	in, err := s.open()
	if err != nil {
		return charset{}, err
	}
	defer in.Close()
	if err := seen.look(in); err != nil {
		return charset{}, err
	}
	return seen.charset(o.IsSite)
}

// sampleOf returns the complete lines of the beginning of a text.
func sampleOf(text string, macintosh, whole bool) string {
	if macintosh {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	if !whole {
		if end := strings.LastIndexByte(text, '\n'); end >= 0 {
			text = text[:end+1]
		}
	}
	return text
}

// readText reads the rows of a text.
func (t *Table) readText(in *bufio.Reader, decoded bool) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		lines := &lineReader{in: in, comma: byte(t.comma)}
		rows := csv.NewReader(bufio.NewReader(lines))
		rows.Comma, rows.FieldsPerRecord, rows.LazyQuotes, rows.ReuseRecord = t.comma, -1, true, true
		for {
			lines.beginRow()
			cells, err := rows.Read()
			row := Row{lines.first, cells}
			switch {
			case errors.Is(err, errRowTooLong):
				if !yield(Row{}, &RowError{Line: lines.wrong, Why: lines.why}) {
					return
				}
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(row, err)
				return
			case slices.ContainsFunc(cells, func(cell string) bool {
				return !utf8.ValidString(cell) || decoded && strings.ContainsRune(cell, utf8.RuneError)
			}):
				if !yield(row, &RowError{Line: row.Line, Text: strings.ToValidUTF8(strings.Join(cells, string(t.comma)), "\uFFFD"), Why: "bytes that are not " + t.Encoding}) {
					return
				}
			case !yield(row, nil):
				return
			}
		}
	}
}

// carriageReturns reads the lines of old Macintosh programs, which end with a carriage return.
type carriageReturns struct{ io.Reader }

func (c carriageReturns) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// lineReader returns a text line by line, at most one per Read, so that a reader of tables buffers
// no more than a row. Comments, and lines longer than longestLine, are skipped.
type lineReader struct {
	in    *bufio.Reader
	comma byte
	line  int    // number of the last line that was read
	first int    // number of the first line of the row
	row   int    // bytes of the row so far
	rest  []byte // of the current line
	wrong int    // number of the line, or the first line of the row, that is skipped
	why   string // it is skipped
}

// beginRow marks the next line as the first of a row.
func (l *lineReader) beginRow() { l.first, l.row = l.line+1, 0 }

// Read returns the next part of a line.
func (l *lineReader) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if l.row > longestLine {
			l.wrong, l.why = l.first, fmt.Sprintf("longer than %d bytes, or with a quotation mark that is not closed", longestLine)
			l.beginRow()
			return 0, errRowTooLong
		}
		line, err := l.in.ReadSlice('\n')
		if len(line) > 0 {
			l.line++
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			l.wrong, l.why = l.line, fmt.Sprintf("longer than %d bytes", longestLine)
			if err = skipLine(l.in); err != nil && err != io.EOF {
				return 0, err
			}
			return 0, errRowTooLong
		}
		if err != nil && (err != io.EOF || len(line) == 0) {
			return 0, err
		}
		if l.row == 0 {
			if isComment(line, l.comma) || len(bytes.TrimSpace(line)) == 0 {
				l.first++
				continue
			}
		}
		l.rest = line
		l.row += len(line)
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// isComment reports whether a line is a comment. A first column with the title "#", the number of a
// row, is not.
func isComment(line []byte, comma byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 0 && line[0] == '#' && (len(line) == 1 || line[1] != comma && line[1] != '"')
}

// skipLine skips the rest of a line that filled the buffer. Its error is a read error, io.EOF if
// the text ends with the line, or ErrEndless.
func skipLine(in *bufio.Reader) error {
	for skipped := 0; ; {
		part, err := in.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		if skipped += len(part); skipped > endlessLine {
			return ErrEndless
		}
	}
}
