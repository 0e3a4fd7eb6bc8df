package cachefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
)

// bbolt trusts the pages of a file: a branch that leads back to itself has it
// run out of stack, and a freelist that claims a billion pages of memory,
// which ends the whole program and cannot be recovered from. So every page that it would follow
// is checked first, once, in its own format (version 2, as it is described in
// bbolt's internal/common): that each is what its parent takes it for, that what it names lies within
// it and in order, and that none is reached twice.

// The format. Numbers are in the order of bytes of the machine that wrote them.
const (
	boltMagic    = 0xED0CDAED
	boltHead     = 16 // of a page: id, flags, count, overflow
	boltElement  = 16 // of a branch or leaf page
	boltBucket   = 16 // root page and sequence, where an element is a bucket
	boltBranch   = 0x01
	boltLeaf     = 0x02
	boltFreelist = 0x10

	boltMaxPage = 64 << 20 // bytes with its overflow; an entry is at most 1 MB, a freelist of 8 bytes a page
)

// checker checks one file.
type checker struct {
	file     io.ReaderAt
	pageSize uint64
	pages    uint64   // those in use and free
	seen     []uint64 // a bit a page
}

// check says what is wrong with a file that bbolt takes for one of its own.
func check(file io.ReaderAt, size int64) error {
	c := &checker{file: file}
	root, freelist, err := c.meta(uint64(size))
	if err != nil {
		return err
	}
	c.seen = make([]uint64, c.pages/64+1)
	c.seen[0] = 3 // the two meta pages
	if err := c.tree(root, nil, nil); err != nil {
		return err
	}
	return c.free(freelist)
}

// meta reads the newer of the two heads that are whole.
func (c *checker) meta(size uint64) (root, freelist uint64, err error) {
	var newest uint64
	pageSize := uint64(0)
	for i := range uint64(17) { // the second head lies a page behind the first: 1 KiB, 2 KiB, …
		at := uint64(0)
		if i > 0 {
			at = 512 << i
		}
		var b [boltHead + 64]byte
		if n, _ := c.file.ReadAt(b[:], int64(at)); n < len(b) {
			break
		}
		m := b[boltHead:]
		sum := fnv.New64a()
		sum.Write(m[:56])
		if binary.NativeEndian.Uint32(m) != boltMagic || binary.NativeEndian.Uint64(m[56:]) != sum.Sum64() {
			continue
		}
		if p := uint64(binary.NativeEndian.Uint32(m[8:])); at != 0 && at != p || p < 1024 || p&(p-1) != 0 {
			continue
		} else if txid := binary.NativeEndian.Uint64(m[48:]); pageSize == 0 || txid > newest {
			pageSize, newest = p, txid
			root, freelist, c.pages = binary.NativeEndian.Uint64(m[16:]), binary.NativeEndian.Uint64(m[32:]), binary.NativeEndian.Uint64(m[40:])
		}
	}
	c.pageSize = pageSize
	switch {
	case pageSize == 0:
		return 0, 0, errors.New("it has no head")
	case c.pages < 2 || c.pages > size/pageSize:
		return 0, 0, fmt.Errorf("%d bytes are left of it", size)
	}
	return root, freelist, nil
}

// boltPage is a page with its overflow.
type boltPage struct {
	id    uint64
	flags uint16
	count int
	data  []byte
}

// page reads one, which nobody has led to before.
func (c *checker) page(id uint64) (p boltPage, err error) {
	var head [boltHead]byte
	if id >= c.pages {
		return p, fmt.Errorf("it names page %d of %d", id, c.pages)
	}
	if _, err := c.file.ReadAt(head[:], int64(id*c.pageSize)); err != nil {
		return p, err
	}
	p.id, p.flags, p.count = id, binary.NativeEndian.Uint16(head[8:]), int(binary.NativeEndian.Uint16(head[10:]))
	n := 1 + uint64(binary.NativeEndian.Uint32(head[12:]))
	if own := binary.NativeEndian.Uint64(head[:]); own != id || n > c.pages-id || n > max(1, boltMaxPage/c.pageSize) {
		return p, p.damaged()
	}
	for i := id; i < id+n; i++ {
		if err := c.mark(i); err != nil {
			return p, err
		}
	}
	p.data = make([]byte, n*c.pageSize)
	_, err = c.file.ReadAt(p.data, int64(id*c.pageSize))
	return p, err
}

func (c *checker) mark(id uint64) error {
	if id >= c.pages || c.seen[id/64]&(1<<(id%64)) != 0 {
		return fmt.Errorf("page %d is used twice, or is none", id)
	}
	c.seen[id/64] |= 1 << (id % 64)
	return nil
}

func (p *boltPage) damaged() error { return fmt.Errorf("page %d is damaged", p.id) }

// tree looks at a page of a bucket and all it leads to. Its keys lie between
// from and below; nil = no bound.
func (c *checker) tree(id uint64, from, below []byte) error {
	p, err := c.page(id)
	if err != nil {
		return err
	}
	keys, err := p.keys()
	if err != nil {
		return err
	}
	switch {
	case p.flags != boltBranch && p.flags != boltLeaf, p.flags == boltBranch && p.count == 0,
		len(keys) > 0 && (bytes.Compare(keys[0], from) < 0 || below != nil && bytes.Compare(keys[len(keys)-1], below) >= 0):
		return p.damaged()
	}
	for i, key := range keys {
		if p.flags == boltLeaf {
			err = c.bucket(p.element(i))
		} else if i+1 < len(keys) {
			err = c.tree(binary.NativeEndian.Uint64(p.element(i)[8:]), key, keys[i+1])
		} else {
			err = c.tree(binary.NativeEndian.Uint64(p.element(i)[8:]), key, below)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// element returns what begins with element i.
func (p *boltPage) element(i int) []byte { return p.data[boltHead+i*boltElement:] }

// keys returns the keys of a branch or a leaf, in order, where all of its
// elements lie within it.
func (p *boltPage) keys() ([][]byte, error) {
	if boltHead+p.count*boltElement > len(p.data) {
		return nil, p.damaged()
	}
	keys := make([][]byte, p.count)
	for i := range keys {
		e := p.element(i)
		at, size, value := uint64(binary.NativeEndian.Uint32(e)), uint64(binary.NativeEndian.Uint32(e[4:])), uint64(0)
		if p.flags == boltLeaf {
			at, size, value = size, uint64(binary.NativeEndian.Uint32(e[8:])), uint64(binary.NativeEndian.Uint32(e[12:]))
		}
		if at < uint64((p.count-i)*boltElement) || at+size+value > uint64(len(e)) {
			return nil, p.damaged()
		}
		keys[i] = e[at : at+size]
		if i > 0 && bytes.Compare(keys[i-1], keys[i]) >= 0 {
			return nil, p.damaged()
		}
	}
	return keys, nil
}

// bucket looks at an element of a leaf, which may be a bucket: with a root
// page of its own, or within the element where it is small.
func (c *checker) bucket(e []byte) error {
	at := binary.NativeEndian.Uint32(e[4:]) + binary.NativeEndian.Uint32(e[8:])
	value := e[at : at+binary.NativeEndian.Uint32(e[12:])]
	switch flags := binary.NativeEndian.Uint32(e); {
	case flags == 0:
		return nil
	case flags != 1 || len(value) < boltBucket:
		return errors.New("a bucket of it is damaged")
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		return c.tree(root, nil, nil)
	}
	inline := boltPage{data: value[boltBucket:]}
	if len(inline.data) < boltHead {
		return errors.New("a bucket of it is damaged")
	}
	inline.flags, inline.count = binary.NativeEndian.Uint16(inline.data[8:]), int(binary.NativeEndian.Uint16(inline.data[10:]))
	if _, err := inline.keys(); err != nil || inline.flags != boltLeaf {
		return errors.New("a bucket of it is damaged")
	}
	for i := range inline.count {
		if binary.NativeEndian.Uint32(inline.element(i)) != 0 {
			return errors.New("a bucket of it is damaged") // none of ours holds further ones
		}
	}
	return nil
}

// free looks at the freelist: pages that are free are nobody's.
func (c *checker) free(id uint64) error {
	p, err := c.page(id)
	if err != nil {
		return err
	}
	list, count := p.data[boltHead:], uint64(p.count)
	if count == 0xFFFF { // more are counted by the first number
		count, list = binary.NativeEndian.Uint64(list), list[8:]
	}
	if p.flags != boltFreelist || count > uint64(len(list)/8) {
		return p.damaged()
	}
	for ids := range slices.Chunk(list[:count*8], 8) {
		if err := c.mark(binary.NativeEndian.Uint64(ids)); err != nil {
			return err
		}
	}
	return nil
}
