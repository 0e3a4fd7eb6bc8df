package export

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"robots-audit/reports/internal/disk"
)

// packer compresses the bytes written to it.
type packer interface {
	io.WriteCloser
	Reset(io.Writer)
}

// packWindow is how far back repetitions are searched. A row repeats most of another within the
// last few kilobytes, and readers need as much memory.
const packWindow = 256 << 10

// Packers are reused: making one takes as long as writing a small site. Those of the lowest level
// cost a third of the rows' own writing (0.7 to 0.9 µs for the three rows of a URL). Rows are so
// similar that higher levels save little: a file of 56 MB becomes 2.4 MB, or 1.9 MB in twice the
// time.
var (
	gzipPool disk.FreeList[gzip.Writer]
	zstdPool disk.FreeList[zstd.Encoder]
)

func newGzip() *gzip.Writer {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // an invalid level
	}
	return w
}

func newZstd() *zstd.Encoder {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(packWindow), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // invalid options
	}
	return w
}

// packing is the compression of a whole export: "" = none.
type packing string

const (
	packGzip packing = ".gz"
	packZstd packing = ".zst"
)

// open returns a packer that writes to out; nil = no compression.
func (p packing) open(out io.Writer) (w packer) {
	switch p {
	case packGzip:
		w = gzipPool.Get(newGzip)
	case packZstd:
		w = zstdPool.Get(newZstd)
	default:
		return nil
	}
	w.Reset(out)
	return w
}

// giveBack takes a packer back, and detaches it from its file.
func giveBack(w packer) {
	switch w := w.(type) {
	case *gzip.Writer:
		w.Reset(nil)
		gzipPool.Put(w)
	case *zstd.Encoder:
		w.Reset(nil)
		zstdPool.Put(w)
	}
}
