package urlindex

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"

	"robots-audit/reports/internal/disk"
)

// Index is an index of URLs on disk. Many goroutines may search it at a time. Close it after the last
// search.
type Index struct {
	file  *os.File
	info  os.FileInfo
	table table
}

// blocks is a pool of *block.
var blocks = sync.Pool{New: func() any { return new(block) }}

// blockDecoder decompresses blocks on all cores.
var blockDecoder = sync.OnceValues(func() (*zstd.Decoder, error) { return newDecoder(maxBlock) })

// table is the part of an index that stays in memory. In the file it is JSON in a zstd frame after the
// blocks, followed by its length and by magic.
type table struct {
	Key    string
	Blocks []entry
}

const (
	magic    = "URLBLOCK"
	maxTable = 1 << 28 // bytes of a table in memory
)

// finish writes the table after the blocks.
func (w *writer) finish(key string) error {
	if err := w.flush(); err != nil {
		return err
	}
	text, err := json.Marshal(table{key, w.blocks})
	if err != nil {
		return err
	}
	packed := w.encoder.EncodeAll(text, nil)
	packed = binary.LittleEndian.AppendUint64(packed, uint64(len(packed)))
	return w.write(append(packed, magic...))
}

// newDecoder returns a decoder for frames of at most so many bytes.
func newDecoder(most uint64) (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(most))
}

// Open opens an index. After an error it must be built again: it has another key or another version of the
// program, is damaged, or does not exist. last is an earlier Index of the same path, closed or not, whose
// table is used again if the file has not changed; nil = none.
func Open(path, key string, last *Index) (*Index, error) {
	f, err := disk.Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	x := &Index{file: f}
	if err := x.open(key, last); err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

func (x *Index) open(key string, last *Index) error {
	info, err := x.file.Stat()
	if err != nil {
		return err
	}
	x.info = info
	if last != nil && last.table.Key == key && os.SameFile(last.info, info) && last.info.Size() == info.Size() && last.info.ModTime().Equal(info.ModTime()) {
		x.table = last.table
		return nil
	}
	ofTable, err := newDecoder(maxTable)
	if err != nil {
		return err
	}
	defer ofTable.Close()
	const trailer = 8 + int64(len(magic))
	end := make([]byte, trailer)
	if info.Size() < trailer {
		return fmt.Errorf("%w: it is cut off", ErrDamaged)
	}
	if _, err := x.file.ReadAt(end, info.Size()-trailer); err != nil {
		return err
	}
	size := binary.LittleEndian.Uint64(end)
	if string(end[8:]) != magic || size > uint64(min(info.Size()-trailer, maxTable)) {
		return fmt.Errorf("%w: its end", ErrDamaged)
	}
	text, err := unpack(x.file, ofTable, info.Size()-trailer-int64(size), make([]byte, size), nil)
	if err != nil {
		return err
	}
	if json.Unmarshal(text, &x.table) != nil {
		return fmt.Errorf("%w: its table", ErrDamaged)
	}
	if x.table.Key != key {
		return errors.New("the index of URLs is of something else")
	}
	return nil
}

// Close closes the file. A search under way ends with an error.
func (x *Index) Close() error { return x.file.Close() }
