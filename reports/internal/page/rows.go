package page

import (
	"cmp"
	"strconv"

	"robots-audit/reports/internal/disk"
)

// Bounds of the rows of a page's large table. The workbook has the rows beyond the limit.
const (
	inlineRows  = 200      // rows of URLs within the page itself: most pages need no other file
	inlineSites = 5_000    // rows of sites within index.html
	rowsPerFile = 10_000   // rows of one file next to the page
	pageRows    = 200_000  // rows in total
	rowBuffer   = 16 << 10 // bytes of a file in memory, in addition to one long row
)

// rowFiles writes the rows of a page's large table: the first ones for the page itself, the others
// into files next to it. A page opened from disk may not read files, but it may run scripts. So
// each file is a call of one function, and is loaded when its rows are viewed.
type rowFiles struct {
	disk   disk.FS
	dir    string // where the files are written
	inline int    // rows within the page itself
	limit  int64  // rows in total; 0 = pageRows
	rows   int64  // rows written
	more   int64  // rows that only the workbook has
	files  int    // files begun, without the page's own part
	inFile int    // rows of the part that is being written
	buf    []byte
	first  []byte        // the page's own part
	foot   func() []byte // text after the rows of a part, such as `,"readings":[…]`; nil = none
	err    error
}

// next begins a row, whose cells the caller appends to f.buf; false = the page has its maximum of
// rows.
func (f *rowFiles) next() bool {
	if f.rows >= cmp.Or(f.limit, pageRows) || f.err != nil {
		f.more++
		return false
	}
	if f.files == 0 && f.inFile == f.inline || f.inFile == rowsPerFile {
		f.endFile()
		f.files++
	}
	if f.files > 0 && f.buf == nil {
		f.buf = make([]byte, 0, rowBuffer)
	}
	switch {
	case f.inFile > 0:
		f.buf = append(f.buf, ",\n"...)
	case f.files > 0:
		f.buf = append(f.buf, "robotsAuditRows("...)
		f.buf = strconv.AppendInt(f.buf, int64(f.files), 10)
		f.buf = append(f.buf, ",{\"rows\":[\n"...)
	default:
		f.buf = append(f.buf, "{\"rows\":[\n"...)
	}
	f.rows++
	f.inFile++
	if f.files > 0 && len(f.buf) >= rowBuffer-2<<10 {
		f.spill()
	}
	return true
}

// inOne keeps all rows within the page itself.
func (f *rowFiles) inOne(rows int) { f.inline, f.limit = rows, int64(rows) }

// endFile ends the part that is being written.
func (f *rowFiles) endFile() {
	if f.inFile == 0 {
		return
	}
	f.buf = append(f.buf, "\n]"...)
	if f.foot != nil {
		f.buf = append(f.buf, f.foot()...)
	}
	f.buf = append(f.buf, '}')
	f.inFile = 0
	if f.files == 0 {
		f.first, f.buf = f.buf, nil
		return
	}
	f.buf = append(f.buf, ");\n"...)
	f.spill()
}

// spill writes the buffered part of a file to disk.
func (f *rowFiles) spill() {
	if f.files == 1 && f.err == nil {
		f.err = f.disk.Mkdir(f.dir)
	}
	if f.err == nil {
		f.err = f.disk.Append(f.dir+"/"+strconv.Itoa(f.files)+".js", f.buf)
	}
	f.buf = f.buf[:0]
}

// end ends the last part and returns the page's own.
func (f *rowFiles) end() []byte {
	f.endFile()
	if f.first == nil {
		return []byte(`{"rows":[]}`)
	}
	return f.first
}

// discard removes the files on disk.
func (f *rowFiles) discard() {
	if f.files > 0 {
		f.disk.Remove(f.dir) // best effort: the folder is emptied when the run ends
	}
	f.buf, f.first = nil, nil
}
