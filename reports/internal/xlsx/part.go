package xlsx

import (
	"hash/crc32"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/klauspost/compress/flate"

	"robots-audit/reports/internal/buffer"
	"robots-audit/reports/internal/deflate"
	"robots-audit/reports/internal/disk"
)

// chunkSize is the number of bytes of sheet XML that are compressed at once,
// four times as many once a part is large or where all rows come at once:
// that takes less time and room, but most workbooks in work are small. spillSize
// is the number of compressed bytes that a workbook keeps in memory.
const (
	chunkSize = 16 << 10
	spillSize = 16 << 10
	largePart = 1 << 20
)

// The beginning of a part, which is all of most, is compressed well, the rest
// quickly: a million rows are to take no longer for it.
const (
	fineLevel = 6
	fineSize  = 160 << 10
)

// part is one file of a workbook that is being written, compressed. Most are small: what
// is in raw when they end is all of them, and package deflate compresses it in one piece
// (pack). Of a larger one, a deflate stream may be cut into segments that are compressed
// each for itself: what is in memory can be written out at any time, and a few compressors
// serve all parts in turns.
type part struct {
	front  []byte        // compressed: what stands before all else, though it is known last
	raw    []byte        // not compressed yet
	mem    []byte        // compressed, not on disk yet
	spans  []span        // compressed, on disk
	crc    uint32        // of all raw bytes so far
	size   uint64        // of all raw bytes so far, but for those in raw
	packed uint64        // compressed bytes so far
	rows   int           // of a sheet that is done, the header among them
	links  *links        // of a sheet; nil = none
	head   *deflate.Head // what stands before the rows of a sheet, and not in raw yet; nil = it does

	further bool // a sheet that continues another
}

// span is a stretch of a spill file.
type span struct{ at, length int64 }

// compressor compresses a stretch of a stream at a time, for all parts in turns.
type compressor struct {
	quick, fine *flate.Writer
	out         appender
}

// compressors are those not in use, about one for each processor: their tables
// are large, and soon out of its cache where each workbook had its own.
var compressors = sync.Pool{New: func() any {
	quick, _ := flate.NewWriter(nil, flate.BestSpeed) // only an unknown level is an error
	fine, _ := flate.NewWriter(nil, fineLevel)
	return &compressor{quick: quick, fine: fine}
}}

// compressed appends text to dst, compressed well or quickly.
func compressed(dst, text []byte, fine bool) []byte {
	c := compressors.Get().(*compressor)
	w := c.quick
	if fine {
		w = c.fine
	}
	c.out = c.out[:0]
	w.Reset(&c.out)
	w.Write(text) // an appender never fails
	w.Flush()
	dst = append(dst, c.out...)
	compressors.Put(c)
	return dst
}

// fixed is a stretch of a part that is the same in many workbooks: it is
// compressed once, for streams in one piece and, where there is one, for those in segments.
type fixed struct {
	text   []byte
	packed func() []byte
	*deflate.Stretch
}

// compressOnce makes text a fixed stretch.
func compressOnce(c *deflate.Code, text string) fixed {
	raw := []byte(text)
	packed := sync.OnceValue(func() []byte { return slices.Clip(compressed(nil, raw, true)) })
	return fixed{raw, packed, c.NewStretch(raw)}
}

// packedOnce is a part that is the same in many workbooks.
func packedOnce(text []byte) part {
	if len(text) > deflate.MaxText {
		p := part{raw: text}
		p.close()
		p.raw = nil
		return p
	}
	p := part{mem: deflate.Best(text), crc: crc32.ChecksumIEEE(text), size: uint64(len(text))}
	p.packed = uint64(len(p.mem))
	return p
}

// addHead puts a sheet's head before its rows; it takes no memory of a sheet that waits for
// rows.
func (p *part) addHead() {
	if p.head != nil {
		p.raw = slices.Insert(p.raw, 0, p.head.Text...)
		p.head = nil
	}
}

// pack makes the stream of a part in one piece: what stands in p.raw is the text of d. It
// returns false, and does nothing, where the part is too large for that.
func (p *part) pack(c *deflate.Code, d deflate.Pieces) bool {
	if p.size > 0 || len(p.raw) > deflate.MaxText {
		return false
	}
	d.Text = p.raw
	p.mem = c.Append(buffer.Get(), &d)
	p.packed = uint64(len(p.mem))
	for _, text := range [][]byte{d.Start.Bytes(), d.After, d.Text, d.Tail.Bytes()} {
		p.crc = crc32.Update(p.crc, crc32.IEEETable, text)
		p.size += uint64(len(text))
	}
	buffer.Put(p.raw)
	p.raw = nil
	return true
}

// compress empties p.raw.
func (p *part) compress() {
	p.addHead()
	if len(p.raw) == 0 {
		return
	}
	before := len(p.mem)
	p.mem = compressed(p.mem, p.raw, p.size+uint64(len(p.raw)) <= fineSize)
	p.count(p.raw, len(p.mem)-before)
	p.raw = p.raw[:0]
}

// addFixed takes text that is compressed already.
func (p *part) addFixed(f fixed) {
	packed := f.packed()
	p.mem = append(p.mem, packed...)
	p.count(f.text, len(packed))
}

// count takes note of text that was added and the bytes it has become.
func (p *part) count(text []byte, packed int) {
	p.crc = crc32.Update(p.crc, crc32.IEEETable, text)
	p.size += uint64(len(text))
	p.packed += uint64(packed)
}

// putFirst puts text, and less than 64 KB that follow it, before all that was
// compressed so far.
func (p *part) putFirst(first fixed, then []byte) {
	n := len(then)
	p.front = append(append(slices.Clone(first.packed()), 0, byte(n), byte(n>>8), ^byte(n), ^byte(n>>8)), then...) // a block that is not compressed
	crc := crc32.Update(crc32.ChecksumIEEE(first.text), crc32.IEEETable, then)
	p.crc = joinedCRC(crc, p.crc, p.size)
	p.size += uint64(len(first.text) + n)
	p.packed += uint64(len(p.front))
}

// end makes the stream of a part that is all in p.raw, and may begin with a head.
func (p *part) end(c *deflate.Code, head *deflate.Head) {
	if p.pack(c, deflate.Pieces{Head: head}) {
		return
	}
	p.close()
	buffer.Put(p.raw)
	p.raw = nil
}

// close ends a stream of segments.
func (p *part) close() {
	p.compress()
	p.mem = append(p.mem, 0x01, 0x00, 0x00, 0xff, 0xff) // an empty last block
	p.packed += 5
}

// appender is a writer to the end of a slice.
type appender []byte

func (a *appender) Write(p []byte) (int, error) {
	*a = append(*a, p...)
	return len(p), nil
}

// spill is the file that the parts of one workbook share while it is being
// written: rows of all sheets come in turns.
type spill struct{ size int64 }

// write writes the compressed bytes of parts out of memory, all at once: to open
// the file takes longer than to write to it. buf is used again.
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

// copyTo writes the compressed bytes of a part to w. file is the spill file,
// nil where nothing was spilled.
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
