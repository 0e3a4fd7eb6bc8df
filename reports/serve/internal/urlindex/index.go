package urlindex

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"robots-audit/reports/internal/disk"
)

// Errors that the caller may want to tell apart: with both, the index is to be built again.
var (
	ErrStale   = errors.New("the index of URLs is of something else, or of another version of this program")
	ErrDamaged = errors.New("the index of URLs is damaged")
)

// Index is an index of URLs on disk. Many goroutines may search it at a time. It is to be closed
// when none does any more.
type Index struct {
	file    *os.File
	bytes   int64
	count   int64
	table   table
	decoder *zstd.Decoder
	rooms   sync.Pool // of *reading
}

// reading is what looking at a block needs.
type reading struct {
	packed, raw, folded []byte
	lines, small        lines
}

// Open opens an index. The error is ErrStale where it is of another key, or this program made
// it differently; ErrDamaged where the file is not as it was written; any other one is of the disk.
func Open(path, key string) (*Index, error) {
	f, err := disk.Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	x := &Index{file: f}
	x.rooms.New = func() any { return new(reading) }
	if err := x.open(key); err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

func (x *Index) open(key string) error {
	info, err := x.file.Stat()
	if err != nil {
		return err
	}
	x.bytes = info.Size()
	if x.bytes < trailerBytes {
		return fmt.Errorf("%w: it is cut off", ErrDamaged)
	}
	end := make([]byte, trailerBytes)
	if _, err := x.file.ReadAt(end, x.bytes-trailerBytes); err != nil {
		return err
	}
	t, sound := parseTrailer(end)
	size := x.bytes - trailerBytes - t.table
	switch {
	case !sound:
		return fmt.Errorf("%w: it is cut off, or its end is", ErrDamaged)
	case t.version != version:
		return ErrStale
	case t.table < 0 || size < 0 || size > maxTable || t.raw > maxTable:
		return fmt.Errorf("%w: its table", ErrDamaged)
	}
	if x.decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxTable)); err != nil {
		return err
	}
	raw, err := x.unpack(nil, make([]byte, size), t.table, t.sum, t.raw)
	if err != nil {
		return err
	}
	if !x.table.parse(raw) {
		return fmt.Errorf("%w: its table", ErrDamaged)
	}
	if x.table.key != key {
		return ErrStale
	}
	for _, e := range x.table.blocks {
		x.count += int64(e.count)
	}
	return nil
}

// unpack reads what lies somewhere, packed, and unpacks it.
func (x *Index) unpack(dst, packed []byte, at int64, sum, size uint32) ([]byte, error) {
	if err := x.readAt(packed, at); err != nil {
		return nil, err
	}
	if crc32.Checksum(packed, disk.Castagnoli) != sum {
		return nil, fmt.Errorf("%w: at byte %d", ErrDamaged, at)
	}
	dst, err := x.decoder.DecodeAll(packed, slices.Grow(dst[:0], int(size)))
	if err == nil && len(dst) != int(size) {
		err = errBlock
	}
	if err != nil {
		return nil, fmt.Errorf("%w: at byte %d: %w", ErrDamaged, at, err)
	}
	return dst, nil
}

func (x *Index) readAt(b []byte, at int64) error {
	_, err := x.file.ReadAt(b, at)
	if err == io.EOF {
		err = fmt.Errorf("%w: it is cut off", ErrDamaged)
	}
	return err
}

// read reads a block, and begins with its URLs in r.lines.
func (x *Index) read(block int, r *reading) error {
	e := &x.table.blocks[block]
	if int64(e.size) > x.bytes || e.raw > 2*blockBytes+8*maxLoc {
		return fmt.Errorf("%w: its table", ErrDamaged)
	}
	r.packed = reach(r.packed, int(e.size))
	var err error
	if r.raw, err = x.unpack(r.raw, r.packed, e.at, e.sum, e.raw); err == nil {
		err = r.lines.read(r.raw, e.site, e.mixed)
	}
	if err == nil && len(r.lines.flags) != int(e.count) {
		err = errBlock
	}
	if errors.Is(err, errBlock) {
		err = fmt.Errorf("%w: at byte %d: %w", ErrDamaged, e.at, errBlock)
	}
	return err
}

// Len is the number of URLs.
func (x *Index) Len() int64 { return x.count }

// Bytes is the length of the file.
func (x *Index) Bytes() int64 { return x.bytes }

// Close closes the file. A search that goes on ends in an error.
func (x *Index) Close() error {
	err := x.file.Close()
	if errors.Is(err, fs.ErrClosed) {
		err = nil
	}
	if x.decoder != nil {
		x.decoder.Close()
	}
	return err
}
