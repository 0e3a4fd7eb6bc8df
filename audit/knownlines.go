package audit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// endlessLine is the length of a line at which reading stops: such a file is not text, or never
// ends.
const endlessLine = 1 << 30

// errEndless says that a line has reached endlessLine.
var errEndless = fmt.Errorf("a line of more than %d MB: this is not a list", endlessLine>>20)

// errRowTooLong ends a row that has reached longestLine. Such a row has many lines: a quotation
// mark opens a cell and none closes it.
var errRowTooLong = errors.New("a row that is too long")

// lineReader returns a text line by line, at most one per Read, so that a reader of tables buffers
// no more than a row. Lines longer than longestLine are skipped.
type lineReader struct {
	in    *bufio.Reader
	known *Known // where skipped lines are counted
	line  int    // number of the last line that was read
	first int    // number of the first line of the row
	row   int    // bytes of the row so far
	rest  []byte // of the current line
}

// beginRow marks the next line as the first of a row.
func (l *lineReader) beginRow() { l.first, l.row = l.line+1, 0 }

// Read returns the next part of a line.
func (l *lineReader) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if l.row > longestLine {
			l.countTooLong(l.first)
			l.beginRow()
			return 0, errRowTooLong
		}
		line, err := l.in.ReadSlice('\n')
		if len(line) > 0 {
			l.line++
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			l.countTooLong(l.line)
			if err = skipLine(l.in); err != nil {
				return 0, err
			}
			continue
		}
		if err != nil && (err != io.EOF || len(line) == 0) {
			return 0, err
		}
		l.rest = line
		l.row += len(line)
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// countTooLong counts a line, or a row, that is skipped because it is too long.
func (l *lineReader) countTooLong(line int) {
	if l.known.TooLong++; len(l.known.Longest) < 10 {
		l.known.Longest = append(l.known.Longest, line)
	}
}

// skipLine skips the rest of a line that filled the buffer. Its error is a read error, io.EOF if
// the text ends with the line, or errEndless.
func skipLine(in *bufio.Reader) error {
	for skipped := 0; ; {
		part, err := in.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		if skipped += len(part); skipped > endlessLine {
			return errEndless
		}
	}
}

// Skipped lists in words the lines that were skipped because they are too long; "" = none.
func (k *Known) Skipped() string {
	if k.TooLong == 0 {
		return ""
	}
	numbers := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(k.Longest)), ", "), "[]")
	if more := k.TooLong - int64(len(k.Longest)); more > 0 {
		numbers += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("lines longer than %d bytes, or with a quotation mark that is not closed, were skipped: line %s", longestLine, numbers)
}
