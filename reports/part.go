package reports

import (
	"hash/crc32"
	"io"
	"os"
	"slices"

	"github.com/klauspost/compress/flate"
)

// chunkSize is the number of bytes of sheet XML that are compressed at once,
// four times as many once a part is large: that takes less time and room, but
// most sites in flight are small. spillSize is the number of compressed bytes
// that a site keeps in memory.
const (
	chunkSize = 16 << 10
	spillSize = 16 << 10
	largePart = 1 << 20
)

// part is one file of a workbook that is being written, compressed. A deflate
// stream may be cut into segments that are compressed each for itself: what is
// in memory can be written out at any time, and the compressor belongs to all
// sites together, who take turns.
type part struct {
	front  []byte // compressed: what stands before all else, though it is known last
	raw    []byte // not compressed yet
	mem    []byte // compressed, not on disk yet
	spans  []span // compressed, on disk
	crc    uint32 // of all raw bytes so far
	size   uint64 // of all raw bytes so far, but for those in raw
	packed uint64 // compressed bytes so far
	rows   int    // of a sheet that is done, the header among them
}

// span is a stretch of a spill file.
type span struct{ at, length int64 }

// compressor compresses for all parts in turns.
type compressor struct {
	flate *flate.Writer
	out   appender
}

func newCompressor() (*compressor, error) {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	return &compressor{flate: w}, err
}

// full reports whether it is time to compress what is in p.raw.
func (p *part) full() bool {
	return len(p.raw) >= 4*chunkSize || len(p.raw) >= chunkSize && p.size < largePart
}

// segment compresses a stretch of a stream; the next call uses the memory again.
func (c *compressor) segment(raw []byte) []byte {
	c.out = c.out[:0]
	c.flate.Reset(&c.out)
	c.flate.Write(raw) // an appender never fails
	c.flate.Flush()
	return c.out
}

// compress empties p.raw through the shared compressor.
func (p *part) compress(c *compressor) {
	if len(p.raw) == 0 {
		return
	}
	packed := c.segment(p.raw)
	p.mem = append(p.mem, packed...)
	p.crc = crc32.Update(p.crc, crc32.IEEETable, p.raw)
	p.size += uint64(len(p.raw))
	p.packed += uint64(len(packed))
	p.raw = p.raw[:0]
}

// putFirst puts text before all that was compressed so far.
func (p *part) putFirst(c *compressor, text []byte) {
	p.front = slices.Clone(c.segment(text))
	p.crc = joinedCRC(crc32.ChecksumIEEE(text), p.crc, p.size)
	p.size += uint64(len(text))
	p.packed += uint64(len(p.front))
}

// close ends the stream.
func (p *part) close(c *compressor) {
	p.compress(c)
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
type spill struct {
	name string
	size int64
}

// take writes the compressed bytes of parts out of memory, all at once: to open
// the file takes longer than to write to it. buf is used again.
func (s *spill) take(d disk, parts []*part, buf []byte) (grown []byte, err error) {
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
	return buf, d.Append(s.name, buf)
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
