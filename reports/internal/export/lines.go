package export

import (
	"io"

	"robots-audit/reports/internal/disk"
)

// lineBytes is the number of bytes that are written at once.
const lineBytes = 256 << 10

// lineBuffers are reused by the next site: most sites fill none of them.
var lineBuffers disk.FreeList[[]byte]

func newLineBuffer() *[]byte {
	buf := make([]byte, 0, lineBytes+4<<10)
	return &buf
}

// lines writes rows as lines of text. It joins cached parts, most of which are used often: those of a
// URL, for the rows of all crawlers, and those of a verdict, for all URLs.
type lines struct {
	out        io.Writer
	appendCell func(dst []byte, v value) []byte
	before     []string // the text before the cell of each column
	end        string   // of a line
	as         int      // index of this format in verdict.texts

	buf        []byte // not written yet
	head, tail []byte // of the current URL
	last       []lastCell
}

// lastCell is the value of a column in the row before: most columns repeat it.
type lastCell struct {
	value value  // without its text
	text  []byte // of the value, a copy
	cell  []byte
}

func newLines(out io.Writer, as int, of *table, end string, appendCell func(dst []byte, v value) []byte) *lines {
	return &lines{buf: (*lineBuffers.Get(newLineBuffer))[:0], out: out, appendCell: appendCell, before: of.before[as], end: end, as: as, last: make([]lastCell, len(of.names))}
}

// beginURL begins the rows of another URL.
func (l *lines) beginURL(row *Row) {
	l.head = l.appendColumns(l.head[:0], 0, headColumns, row) // two of the three parts always differ from the row before
	l.tail = l.appendAgain(l.tail[:0], tailAt, tailColumns, row)
}

// write writes a row of the current URL.
func (l *lines) write(row *Row, of *verdict) error {
	if of.texts[l.as] == nil {
		of.texts[l.as] = l.appendColumns(nil, verdictAt, verdictColumns, &of.Row)
	}
	l.buf = append(append(append(l.buf, l.head...), of.texts[l.as]...), l.tail...)
	l.buf = l.appendAgain(l.buf, rowAt, rowColumns, row)
	return l.endLine()
}

// add writes a row.
func (l *lines) add(row []value) error {
	for i, v := range row {
		l.buf = l.cell(l.buf, i, v)
	}
	return l.endLine()
}

// cell appends a value, with the text before it.
func (l *lines) cell(dst []byte, column int, v value) []byte {
	return l.appendCell(append(dst, l.before[column]...), v)
}

func (l *lines) endLine() error {
	l.buf = append(l.buf, l.end...)
	if len(l.buf) < lineBytes {
		return nil
	}
	return l.flush()
}

// flush writes the buffered bytes.
func (l *lines) flush() error {
	_, err := l.out.Write(l.buf)
	l.buf = l.buf[:0]
	return err
}

func (l *lines) close() error {
	err := l.flush()
	lineBuffers.Put(&l.buf)
	return err
}

// appendColumns appends some columns of a row; at is the index of the first one.
func (l *lines) appendColumns(dst []byte, at int, list []column, row *Row) []byte {
	for i := range list {
		dst = l.cell(dst, at+i, list[i].of(row))
	}
	return dst
}

// appendAgain is appendColumns that caches its cells.
func (l *lines) appendAgain(dst []byte, at int, list []column, row *Row) []byte {
	for i := range list {
		v, last := list[i].of(row), &l.last[at+i]
		if last.cell == nil || v.kind != last.value.kind || v.number != last.value.number || v.text != string(last.text) {
			last.text, last.cell = append(last.text[:0], v.text...), l.cell(last.cell[:0], at+i, v)
			v.text = "" // it may belong to a batch that is reused
			last.value = v
		}
		dst = append(dst, last.cell...)
	}
	return dst
}
