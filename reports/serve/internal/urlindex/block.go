package urlindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// ErrDamaged says that an index is damaged and must be built again.
var ErrDamaged = errors.New("the index of URLs is damaged")

// A block has blockBytes of URLs, or of columns, or one URL more.
const (
	blockBytes = 256 << 10
	maxBlock   = 4 * blockBytes // limit for a part of a block in any form; no URL is longer than maxLoc
)

// entry is the table's row for a block.
type entry struct {
	First   []byte // its first URL
	At      int64  // offset of the block in the file: first its text, then its columns
	Size    uint32 // bytes of the text in the file
	Columns uint32 // bytes of the columns in the file
	Count   uint32 // number of URLs
	Site    uint32 // site of the first URL
	Mixed   bool   // the URLs belong to several sites

	Clicks      int64 `json:",omitempty"` // of the URL with most; likewise
	Impressions int64 `json:",omitempty"`
	Hits        int64 `json:",omitempty"`
}

// writer writes sorted, distinct URLs in blocks. The text of a block is a zstd frame with the length of
// head, then head, then text. Its columns are another one: see columnsWriter.
type writer struct {
	out     io.Writer
	encoder *zstd.Encoder
	limit   int // bytes of URLs per block
	at      int64
	blocks  []entry

	size        int    // bytes of URLs in the block that is being filled
	head, text  []byte // for each URL: number of bytes shared with the URL before, number of further bytes; text has the further bytes
	last        []byte // the last URL
	class       class  // of the last URL, which columns does not have yet
	numbers     []byte // likewise
	columns     columnsWriter
	raw, packed []byte
}

// add adds an entry.
func (w *writer) add(loc []byte, c *class, numbers []byte) error {
	shared := 0
	for shared < min(len(loc), len(w.last)) && loc[shared] == w.last[shared] {
		shared++
	}
	if w.size > 0 && shared == len(loc) && shared == len(w.last) && w.class.compare(c) == 0 {
		w.class.merge(c)
		if bytes.Compare(numbers, w.numbers) > 0 {
			w.numbers = append(w.numbers[:0], numbers...)
		}
		return nil
	}
	if w.size >= w.limit || w.columns.size() >= w.limit {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if w.size == 0 {
		shared = 0
		w.blocks = append(w.blocks, entry{First: bytes.Clone(loc), Site: c.site})
	} else if err := w.endLast(); err != nil {
		return err
	}
	e := &w.blocks[len(w.blocks)-1]
	e.Count++
	e.Mixed = e.Mixed || e.Site != c.site
	w.size += len(loc) + 1
	w.last, w.class, w.numbers = append(w.last[:0], loc...), *c, append(w.numbers[:0], numbers...)
	w.head = binary.AppendUvarint(w.head, uint64(shared))
	w.head = binary.AppendUvarint(w.head, uint64(len(loc)-shared))
	w.text = append(w.text, loc[shared:]...)
	return nil
}

// endLast gives the last URL to the columns: no other entry of it can follow.
func (w *writer) endLast() error {
	return w.columns.add(&w.class, w.numbers, &w.blocks[len(w.blocks)-1])
}

// flush writes the block that is being filled.
func (w *writer) flush() error {
	if w.size == 0 {
		return nil
	}
	if err := w.endLast(); err != nil {
		return err
	}
	w.raw = binary.AppendUvarint(w.raw[:0], uint64(len(w.head)))
	w.raw = append(append(w.raw, w.head...), w.text...)
	w.packed = w.encoder.EncodeAll(w.raw, w.packed[:0])
	e := &w.blocks[len(w.blocks)-1]
	e.At, e.Size = w.at, uint32(len(w.packed))
	w.raw = w.columns.appendTo(w.raw[:0])
	w.packed = w.encoder.EncodeAll(w.raw, w.packed)
	e.Columns = uint32(len(w.packed)) - e.Size
	w.size, w.head, w.text = 0, w.head[:0], w.text[:0]
	return w.write(w.packed)
}

func (w *writer) write(b []byte) error {
	n, err := w.out.Write(b)
	w.at += int64(n)
	return err
}

// block is a block in memory.
type block struct {
	packed, raw []byte
	text        []byte // the URLs, each with a line end
	lines       []line
	columns     columns
	found       []int  // lines that match
	wanted      []bool // classes that match
}

// line is the place of a URL in the text of a block.
type line struct{ from, to int }

func (b *block) loc(at int) []byte { return b.text[b.lines[at].from:b.lines[at].to] }

// read reads a block.
func (b *block) read(file io.ReaderAt, e *entry) error {
	if err := b.readText(file, e, false); err != nil {
		return err
	}
	return b.readColumns(file, e)
}

// readText reads the text of a block; small converts ASCII letters to lower case.
func (b *block) readText(file io.ReaderAt, e *entry, small bool) error {
	err := b.unpack(file, e.At, e.Size)
	if err != nil {
		return err
	}
	size, n := binary.Uvarint(b.raw)
	if n <= 0 || size > uint64(len(b.raw)-n) {
		return ErrDamaged
	}
	head, rest := b.raw[n:n+int(size)], b.raw[n+int(size):]
	if small {
		toLower(rest)
	}
	b.text, b.lines = b.text[:0], b.lines[:0]
	var l line
	for len(head) > 0 {
		shared, n := binary.Uvarint(head)
		more, m := binary.Uvarint(head[max(n, 0):])
		if n <= 0 || m <= 0 || shared > uint64(l.to-l.from) || more > uint64(len(rest)) || len(b.text) > maxBlock {
			return ErrDamaged
		}
		head = head[n+m:]
		last := b.text[l.from : l.from+int(shared)]
		l.from = len(b.text)
		b.text = append(append(b.text, last...), rest[:more]...)
		rest, l.to = rest[more:], len(b.text)
		b.text, b.lines = append(b.text, '\n'), append(b.lines, l)
	}
	if len(rest) > 0 || len(b.lines) != int(e.Count) {
		return ErrDamaged
	}
	return nil
}

// unpack reads a frame into raw.
func (b *block) unpack(file io.ReaderAt, at int64, size uint32) error {
	if size > maxBlock {
		return ErrDamaged
	}
	decoder, err := blockDecoder()
	if err != nil {
		return err
	}
	b.packed = slices.Grow(b.packed[:0], int(size))[:size]
	b.raw, err = unpack(file, decoder, at, b.packed, b.raw[:0])
	return err
}

// unpack reads a zstd frame into packed, which has its length, and decompresses it.
func unpack(file io.ReaderAt, decoder *zstd.Decoder, at int64, packed, dst []byte) ([]byte, error) {
	if _, err := file.ReadAt(packed, at); err != nil {
		if err == io.EOF {
			err = fmt.Errorf("%w: it is cut off", ErrDamaged)
		}
		return nil, err
	}
	dst, err := decoder.DecodeAll(packed, dst)
	if err != nil {
		err = fmt.Errorf("%w: at byte %d: %w", ErrDamaged, at, err)
	}
	return dst, err
}
