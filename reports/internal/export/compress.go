package export

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"robots-audit/reports/internal/disk"
)

// packer compresses what is written to it.
type packer interface {
	io.WriteCloser
	Reset(io.Writer)
}

// packWindow is how far back repetitions are looked for. A row repeats most of one within
// the last few kilobytes, and readers need as much memory.
const packWindow = 256 << 10

// Packers are used again: to make one takes as long as to write a small site. Those of the
// lowest level cost a third of the rows' own writing (0.7 to 0.9 µs for the three rows of a
// URL), and rows are so much alike that higher ones save little: a file of 56 MB becomes
// 2.4 MB, or 1.9 MB in twice the time.
var (
	gzipPool disk.FreeList[gzip.Writer]
	zstdPool disk.FreeList[zstd.Encoder]
)

func newGzip() *gzip.Writer {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // of a level that is none
	}
	return w
}

func newZstd() *zstd.Encoder {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(packWindow), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // of options that are no options
	}
	return w
}

// packing is a compression by which an export is packed as a whole: "" = none.
type packing string

const (
	packGzip packing = ".gz"
	packZstd packing = ".zst"
)

// open lends a packer that writes to out; nil = nothing is packed.
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

// giveBack takes a packer back, which lets go of its file.
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
