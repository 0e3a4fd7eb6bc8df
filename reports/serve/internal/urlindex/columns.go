package urlindex

import (
	"encoding/binary"
	"io"
)

// columnsWriter collects what a block has besides text: its different classes, the class of each URL, and
// the numbers of those that have some. Few classes occur in one block, since its URLs are neighbours.
type columnsWriter struct {
	known           map[class]uint32
	classes, places []byte
	amounts         []byte
	last            class
	at              uint32 // place of last
	values          numbers
}

// size is the number of bytes so far.
func (w *columnsWriter) size() int { return len(w.classes) + len(w.places) + len(w.amounts) }

// add adds a URL, and its numbers to the block's greatest.
func (w *columnsWriter) add(c *class, amounts []byte, e *entry) error {
	c.marks &^= markNumbers
	if len(amounts) > 0 {
		c.marks |= markNumbers
		w.amounts = append(binary.AppendUvarint(w.amounts, uint64(len(amounts))), amounts...)
		if err := w.values.read(amounts); err != nil {
			return err
		}
		e.Clicks, e.Impressions, e.Hits = max(e.Clicks, w.values.clicks), max(e.Impressions, w.values.impressions), max(e.Hits, w.values.hitsOf(-1))
	}
	if len(w.classes) == 0 || *c != w.last {
		at, ok := w.known[*c]
		if !ok {
			if w.known == nil {
				w.known = map[class]uint32{}
			}
			at = uint32(len(w.known))
			w.known[*c] = at
			w.classes = c.append(w.classes)
		}
		w.last, w.at = *c, at
	}
	w.places = binary.AppendUvarint(w.places, uint64(w.at))
	return nil
}

// appendTo appends everything, and begins a new block.
func (w *columnsWriter) appendTo(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(w.known)))
	dst = append(append(append(dst, w.classes...), w.places...), w.amounts...)
	clear(w.known)
	w.classes, w.places, w.amounts = w.classes[:0], w.places[:0], w.amounts[:0]
	return dst
}

// columns are the columns of a block in memory.
type columns struct {
	raw     []byte
	classes []class
	of      []uint32 // the class of each URL
	amounts [][]byte // the numbers of each URL; empty if no URL of the block has any
}

// readColumns reads the columns of a block.
func (b *block) readColumns(file io.ReaderAt, e *entry) error {
	err := b.unpack(file, e.At+int64(e.Size), e.Columns)
	if err != nil {
		return err
	}
	c := &b.columns
	c.raw, b.raw = b.raw, c.raw // amounts are slices of it
	rest := c.raw
	count, n := binary.Uvarint(rest)
	if n <= 0 || count > uint64(len(rest)-n)/classBytes {
		return ErrDamaged
	}
	rest = rest[n:]
	c.classes, c.of, c.amounts = c.classes[:0], c.of[:0], c.amounts[:0]
	marks := uint8(0)
	for range count {
		var of class
		of.read(rest)
		rest, marks = rest[classBytes:], marks|of.marks
		c.classes = append(c.classes, of)
	}
	for range e.Count {
		at, n := binary.Uvarint(rest)
		if n <= 0 || at >= count {
			return ErrDamaged
		}
		rest = rest[n:]
		c.of = append(c.of, uint32(at))
	}
	if marks&markNumbers == 0 {
		return nil
	}
	for _, at := range c.of {
		if c.classes[at].marks&markNumbers == 0 {
			c.amounts = append(c.amounts, nil)
			continue
		}
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return ErrDamaged
		}
		c.amounts = append(c.amounts, rest[n:n+int(size)])
		rest = rest[n+int(size):]
	}
	return nil
}

// class is the class of a URL.
func (c *columns) class(at int) *class { return &c.classes[c.of[at]] }

// numbers are the numbers of a URL; nil = none.
func (c *columns) numbers(at int) []byte {
	if len(c.amounts) == 0 {
		return nil
	}
	return c.amounts[at]
}
