package xlsx

import (
	"hash/crc32"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/klauspost/compress/flate"

	"robots-audit/reports/internal/disk"
)

// chunkSize is the number of bytes of sheet XML that are compressed at once. It is four times as
// much once a part is large or if all rows come at once: that takes less time and space, but most
// workbooks in progress are small. spillSize is the number of compressed bytes that a workbook
// keeps in memory.
const (
	chunkSize = 16 << 10
	spillSize = 16 << 10
	largePart = 1 << 20
)

// part is one file of a workbook during writing, compressed. Its deflate stream consists of
// segments that are compressed separately. So data in memory can be written out at any time, and a
// few compressors serve all parts in turns.
type part struct {
	front  []byte // compressed: the first bytes, which are known last
	raw    []byte // not compressed yet
	mem    []byte // compressed, not on disk yet
	spans  []span // compressed, on disk
	crc    uint32 // of all raw bytes so far
	size   uint64 // of all raw bytes so far, without those in raw
	packed uint64 // compressed bytes so far
	rows   int    // of a finished sheet, including the header
	links  *links // of a sheet; nil = none
	head   *fixed // text before the rows of a sheet, until it is in mem; nil = it is, or is not known yet

	sheet   *SheetKind // kind of a sheet whose head is not known yet; nil = it is
	further bool       // a sheet that continues another
}

// span is a range of a spill file.
type span struct{ at, length int64 }

// compressor compresses one segment of a stream at a time, for all parts in turns.
type compressor struct {
	*flate.Writer
	out appender
}

// Unused compressors, about one for each processor. Their tables are large, and would not stay in
// its cache if each workbook had its own. Data of a single workbook is compressed quickly. Level 5
// would make the workbook of a site of 100 URLs 4 % smaller, but a run would take 5 to 20 % more
// CPU time.
var quick, fine = newCompressors(flate.BestSpeed), newCompressors(flate.BestCompression)

func newCompressors(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		w, _ := flate.NewWriter(nil, level) // only an unknown level is an error
		return &compressor{Writer: w}
	}}
}

// appendCompressed appends text to dst, compressed by one of the pool's compressors.
func appendCompressed(dst, text []byte, pool *sync.Pool) []byte {
	c := pool.Get().(*compressor)
	defer pool.Put(c)
	c.out = c.out[:0]
	c.Reset(&c.out)
	c.Write(text) // an appender never fails
	c.Flush()
	return append(dst, c.out...)
}

// fixed is text of a part that is the same in many workbooks. It is compressed once, with the best
// level, when a workbook needs it first. Most texts are never needed.
type fixed struct {
	text   []byte
	packed func() []byte
}

// compressOnce makes text a fixed one.
func compressOnce(text string) *fixed {
	raw := []byte(text)
	return &fixed{raw, sync.OnceValue(func() []byte { return appendCompressed(nil, raw, fine) })}
}

// compress empties p.raw.
func (p *part) compress() {
	if p.mem == nil {
		p.mem = disk.GetBuffer()
	}
	if p.head != nil {
		p.addFixed(p.head)
		p.head = nil
	}
	if len(p.raw) == 0 {
		return
	}
	before := len(p.mem)
	p.mem = appendCompressed(p.mem, p.raw, quick)
	p.count(p.raw, len(p.mem)-before)
	p.raw = p.raw[:0]
}

// addFixed adds text that is already compressed.
func (p *part) addFixed(f *fixed) {
	packed := f.packed()
	p.mem = append(p.mem, packed...)
	p.count(f.text, len(packed))
}

// count counts added text and its compressed bytes.
func (p *part) count(text []byte, packed int) {
	p.crc = crc32.Update(p.crc, crc32.IEEETable, text)
	p.size += uint64(len(text))
	p.packed += uint64(packed)
}

// putFirst puts text, and less than 64 KB after it, before all text that was compressed so far.
func (p *part) putFirst(first *fixed, then []byte) {
	n := len(then)
	p.front = append(append(slices.Clone(first.packed()), 0, byte(n), byte(n>>8), ^byte(n), ^byte(n>>8)), then...) // a block without compression
	crc := crc32.Update(crc32.ChecksumIEEE(first.text), crc32.IEEETable, then)
	p.crc = joinedCRC(crc, p.crc, p.size)
	p.size += uint64(len(first.text) + n)
	p.packed += uint64(len(p.front))
}

// end ends the stream, and frees p.raw.
func (p *part) end() {
	p.compress()
	p.mem = append(p.mem, 0x01, 0x00, 0x00, 0xff, 0xff) // an empty last block
	p.packed += 5
	disk.PutBuffer(p.raw)
	p.raw = nil
}

// appender is a writer to the end of a slice.
type appender []byte

func (a *appender) Write(p []byte) (int, error) {
	*a = append(*a, p...)
	return len(p), nil
}

// spill is the file that the parts of one workbook share while it is written: rows of all sheets
// come in turns.
type spill struct{ size int64 }

// write moves the compressed bytes of parts from memory to the file, all at once: opening the file
// takes longer than writing to it. buf is reused.
func (s *spill) write(d disk.FS, name string, parts []*part, buf []byte) (grown []byte, err error) {
	buf = buf[:0]
	for _, p := range parts {
		n := int64(len(p.mem))
		if n == 0 {
			continue
		}
		if last := len(p.spans) - 1; last >= 0 && p.spans[last].at+p.spans[last].length == s.size {
			p.spans[last].length += n
		} else {
			p.spans = append(p.spans, span{s.size, n})
		}
		s.size += n
		buf = append(buf, p.mem...)
		p.mem = p.mem[:0]
	}
	if len(buf) == 0 {
		return buf, nil
	}
	return buf, d.Append(name, buf)
}

// copyTo writes the compressed bytes of a part to w. file is the spill file, nil if nothing was
// spilled.
func (p *part) copyTo(w io.Writer, file *os.File) error {
	if _, err := w.Write(p.front); err != nil {
		return err
	}
	for _, s := range p.spans {
		if _, err := io.Copy(w, io.NewSectionReader(file, s.at, s.length)); err != nil {
			return err
		}
	}
	_, err := w.Write(p.mem)
	return err
}
