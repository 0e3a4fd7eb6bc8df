package urlindex

import (
	"encoding/binary"
	"hash/crc32"

	"robots-audit/reports/internal/disk"
)

// The file is the blocks, each part's rows behind its blocks, the table, and the trailer, of
// fixed length:
//
//	8 bytes   magic
//	4 bytes   version of the format
//	8 bytes   where the table begins
//	4 bytes   its length before it was compressed
//	4 bytes   CRC-32C of the table as it lies there
//	4 bytes   CRC-32C of the trailer up to here
//
// Numbers are little-endian. Magic, version and the last checksum stay where they are in
// all versions.
const (
	magic        = "URLINDEX"
	version      = 1
	trailerBytes = 32
	maxTable     = 1 << 30 // bytes of a table: of more than a thousand million URLs
)

// entry is what the table has of a block.
type entry struct {
	first []byte // its first URL
	at    int64  // where it lies
	size  uint32 // bytes there
	raw   uint32 // bytes before they were compressed
	sum   uint32 // CRC-32C of the bytes there
	count uint32 // URLs
	site  uint32 // of the first URL
	mixed bool   // URLs are of several sites
}

// table is all that is held of an index.
type table struct {
	key    string
	blocks []entry
	rows   []int64 // where the rows of each part begin; 0 = it has none
}

// append appends the table.
func (t *table) append(dst []byte) []byte {
	number := func(n uint64) { dst = binary.AppendUvarint(dst, n) }
	number(uint64(len(t.key)))
	dst = append(dst, t.key...)
	number(uint64(len(t.rows)))
	for _, at := range t.rows {
		number(uint64(at))
	}
	number(uint64(len(t.blocks)))
	var last []byte
	for _, b := range t.blocks {
		mixed := uint64(0)
		if b.mixed {
			mixed = 1
		}
		shared := sharedBytes(last, b.first)
		for _, n := range [...]uint64{uint64(b.at), uint64(b.size), uint64(b.raw), uint64(b.sum), uint64(b.count), uint64(b.site), mixed, uint64(shared), uint64(len(b.first) - shared)} {
			number(n)
		}
		dst = append(dst, b.first[shared:]...)
		last = b.first
	}
	return dst
}

// parse reads a table; false = it is none.
func (t *table) parse(b []byte) bool {
	sound := true
	number := func(limit uint64) uint64 {
		n, w := binary.Uvarint(b)
		if w <= 0 || n > limit {
			sound, b = false, nil
			return 0
		}
		b = b[w:]
		return n
	}
	text := func() []byte {
		n := number(uint64(len(b)))
		if n > uint64(len(b)) {
			sound, n = false, 0
		}
		part := b[:n]
		b = b[n:]
		return part
	}
	const file = 1 << 62 // a place in it
	t.key = string(text())
	t.rows = make([]int64, number(uint64(len(b))))
	for i := range t.rows {
		t.rows[i] = int64(number(file))
	}
	t.blocks = make([]entry, number(uint64(len(b))/8)) // a block has nine numbers
	var last []byte
	for i := range t.blocks {
		e := &t.blocks[i]
		e.at, e.size, e.raw = int64(number(file)), uint32(number(maxTable)), uint32(number(maxTable))
		e.sum, e.count, e.site = uint32(number(1<<32-1)), uint32(number(1<<32-1)), uint32(number(1<<32-1))
		e.mixed = number(1) == 1
		shared := number(uint64(len(last)))
		own := text()
		e.first = append(last[:shared:shared], own...)
		last = e.first
	}
	return sound && len(b) == 0 && len(t.rows) == (len(t.blocks)+partBlocks-1)/partBlocks
}

// appendTrailer appends the trailer of a table that begins at a place.
func appendTrailer(dst []byte, at int64, raw int, packed []byte) []byte {
	from := len(dst)
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint32(dst, version)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(at))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(raw))
	dst = binary.LittleEndian.AppendUint32(dst, crc32.Checksum(packed, disk.Castagnoli))
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[from:], disk.Castagnoli))
}

// trailer is what a trailer says.
type trailer struct {
	version, raw, sum uint32
	table             int64
}

// parseTrailer reads a trailer of trailerBytes; false = it is none.
func parseTrailer(b []byte) (trailer, bool) {
	number := binary.LittleEndian.Uint32
	return trailer{number(b[8:]), number(b[20:]), number(b[24:]), int64(binary.LittleEndian.Uint64(b[12:]))},
		string(b[:8]) == magic && crc32.Checksum(b[:28], disk.Castagnoli) == number(b[28:])
}
