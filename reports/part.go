package reports

import (
	"hash/crc32"
	"io"
	"os"

	"github.com/klauspost/compress/flate"
)

// chunkSize is the number of bytes of sheet XML that are compressed at once,
// and spillSize the number of compressed bytes that a site keeps in memory.
const (
	chunkSize = 16 << 10
	spillSize = 16 << 10
)

// part is one file of a workbook that is being written, compressed. A deflate
// stream may be cut into segments that are compressed each for itself: what is
// in memory can be written out at any time, and the compressor belongs to all
// sites together, who take turns.
type part struct {
	raw    []byte // not compressed yet
	mem    []byte // compressed, not on disk yet
	spans  []span // compressed, on disk
	crc    uint32 // of all raw bytes so far
	size   uint64 // of all raw bytes so far, but for those in raw
	packed uint64 // compressed bytes so far
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

// compress empties p.raw through the shared compressor.
func (p *part) compress(c *compressor) {
	if len(p.raw) == 0 {
		return
	}
	c.out = c.out[:0]
	c.flate.Reset(&c.out)
	c.flate.Write(p.raw) // an appender never fails
	c.flate.Flush()
	p.mem = append(p.mem, c.out...)
	p.crc = crc32.Update(p.crc, crc32.IEEETable, p.raw)
	p.size += uint64(len(p.raw))
	p.packed += uint64(len(c.out))
	p.raw = p.raw[:0]
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
	for _, s := range p.spans {
		if _, err := io.Copy(w, io.NewSectionReader(file, s.at, s.length)); err != nil {
			return err
		}
	}
	_, err := w.Write(p.mem)
	return err
}
