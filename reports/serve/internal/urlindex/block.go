package urlindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/klauspost/compress/zstd"

	"robots-audit/audit"
)

// ErrDamaged says that an index is damaged and must be built again.
var ErrDamaged = errors.New("the index of URLs is damaged")

// A block has blockBytes of URLs, or one URL more.
const (
	blockBytes = 256 << 10
	maxBlock   = 4 * blockBytes // limit for a block in any form; no URL is longer than maxLoc
)

// entry is the table's row for a block.
type entry struct {
	First []byte // its first URL
	At    int64  // offset of the block in the file
	Size  uint32 // bytes in the file
	Count uint32 // number of URLs
	Site  uint32 // site of the first URL
	Mixed bool   // the URLs belong to several sites
}

// writer writes sorted, distinct URLs in blocks. A block is a zstd frame with the length of head, then
// head, then text.
type writer struct {
	out     io.Writer
	encoder *zstd.Encoder
	limit   int // bytes of URLs per block
	at      int64
	blocks  []entry

	size        int    // bytes of URLs in the block that is being filled
	head, text  []byte // for each URL: flags, site, number of bytes shared with the URL before, number of further bytes; text has the further bytes
	last        []byte // the last URL
	meta        meta   // meta of the last URL
	flags       int    // place of its flags in head
	raw, packed []byte
}

// add adds a URL.
func (w *writer) add(loc []byte, m meta) error {
	shared := 0
	for shared < min(len(loc), len(w.last)) && loc[shared] == w.last[shared] {
		shared++
	}
	if w.size > 0 && shared == len(loc) && shared == len(w.last) && w.meta.compare(m) == 0 {
		w.head[w.flags] |= m.flags // listed if either of them is
		return nil
	}
	if w.size >= w.limit {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if w.size == 0 {
		shared = 0
		w.blocks = append(w.blocks, entry{First: bytes.Clone(loc), Site: m.site})
	}
	e := &w.blocks[len(w.blocks)-1]
	e.Count++
	e.Mixed = e.Mixed || e.Site != m.site
	w.size += len(loc) + 1
	w.last, w.meta, w.flags = append(w.last[:0], loc...), m, len(w.head)
	w.head = binary.AppendUvarint(append(w.head, m.flags), uint64(m.site))
	w.head = binary.AppendUvarint(w.head, uint64(shared))
	w.head = binary.AppendUvarint(w.head, uint64(len(loc)-shared))
	w.text = append(w.text, loc[shared:]...)
	return nil
}

// flush writes the block that is being filled.
func (w *writer) flush() error {
	if w.size == 0 {
		return nil
	}
	w.raw = binary.AppendUvarint(w.raw[:0], uint64(len(w.head)))
	w.raw = append(append(w.raw, w.head...), w.text...)
	w.packed = w.encoder.EncodeAll(w.raw, w.packed[:0])
	e := &w.blocks[len(w.blocks)-1]
	e.At, e.Size = w.at, uint32(len(w.packed))
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
}

// line is a URL of a block.
type line struct {
	from, to int // place of the URL in text
	meta     meta
}

func (b *block) loc(at int) []byte { return b.text[b.lines[at].from:b.lines[at].to] }

func (b *block) url(at int) URL {
	m := b.lines[at].meta
	return URL{Loc: string(b.loc(at)), Site: int32(m.site), Kind: audit.Kind(m.flags >> 1), Listed: m.flags&1 == 1}
}

// read reads a block; small converts ASCII letters to lower case.
func (b *block) read(file io.ReaderAt, e *entry, small bool) error {
	if e.Size > maxBlock {
		return ErrDamaged
	}
	b.packed = slices.Grow(b.packed[:0], int(e.Size))[:e.Size]
	decoder, err := blockDecoder()
	if err != nil {
		return err
	}
	if b.raw, err = unpack(file, decoder, e.At, b.packed, b.raw[:0]); err != nil {
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
		l.meta.flags, head = head[0], head[1:]
		var numbers [3]uint64 // site, shared bytes, further bytes
		for i := range numbers {
			if numbers[i], n = binary.Uvarint(head); n <= 0 {
				return ErrDamaged
			}
			head = head[n:]
		}
		site, shared, more := numbers[0], numbers[1], numbers[2]
		if site > math.MaxInt32 || shared > uint64(l.to-l.from) || more > uint64(len(rest)) || len(b.text) > maxBlock {
			return ErrDamaged
		}
		last := b.text[l.from : l.from+int(shared)]
		l.meta.site, l.from = uint32(site), len(b.text)
		b.text = append(append(b.text, last...), rest[:more]...)
		rest, l.to = rest[more:], len(b.text)
		b.text, b.lines = append(b.text, '\n'), append(b.lines, l)
	}
	if len(rest) > 0 || len(b.lines) != int(e.Count) {
		return ErrDamaged
	}
	return nil
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
