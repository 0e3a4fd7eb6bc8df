package urlindex

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"

	"robots-audit/reports/internal/disk"
)

// The filter says in which blocks something may occur: three letters in a row, small
// and capital ones alike, or a site. Each of them has a row of the filter, by its hash; several may
// have the same, so that a block that is said to have something may be without it, and never the
// other way round. Sites have rows of their own: in those of letters, every third bit is set.
//
// In the file it lies row by row, in parts of partBlocks blocks: a row holds a bit for each
// block, and the CRC-32C of them. A text of eight letters asks for six rows, 516 bytes each, which
// speak of some 8,000,000 URLs.
const (
	letterBits = 14
	siteBits   = 11
	filterRows = 1<<letterBits + 1<<siteBits
	partBlocks = 4096 // a multiple of 64
	fewBlocks  = 32   // a part of fewer has no filter: reading its blocks is quick, and rows would be larger than they are
)

// signature is what the filter has of one block: a bit for each row.
type signature [filterRows / 64]uint64

func (s *signature) set(row uint32) { s[row/64] |= 1 << (row % 64) }

// lettersRow is the row of three letters, small ones.
func lettersRow(a, b, c byte) uint32 {
	return (uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 0x9E3779B1 >> (32 - letterBits)
}

// siteRow is the row of a site.
func siteRow(site uint32) uint32 { return 1<<letterBits + site*0x9E3779B1>>(32-siteBits) }

// sign sets what a block has. raw are its bytes, whose text is made small letters.
func (s *signature) sign(b *block, raw []byte, l *lines) error {
	*s = signature{}
	toLower(raw[len(raw)-len(b.text):])
	if err := l.read(raw, b.site, b.mixed); err != nil {
		return err
	}
	for {
		more, err := l.next()
		if err != nil || !more {
			return err
		}
		s.set(siteRow(l.meta.site))
		for text := l.loc[max(0, l.same-2):]; len(text) >= 3; text = text[1:] {
			s.set(lettersRow(text[0], text[1], text[2]))
		}
	}
}

// rowBytes is the length of a row of so many blocks, with its checksum.
func rowBytes(blocks int) int { return (blocks+63)/64*8 + 4 }

// appendRows appends the rows of a part.
func appendRows(dst []byte, part []signature) []byte {
	width := rowBytes(len(part))
	at := len(dst)
	dst = append(dst, make([]byte, filterRows*width)...)
	rows := dst[at:]
	for n, s := range part {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				row := 64*i + bits.TrailingZeros64(word)
				rows[row*width+n/8] |= 1 << (n % 8)
			}
		}
	}
	for ; len(rows) > 0; rows = rows[width:] {
		binary.LittleEndian.PutUint32(rows[width-4:], crc32.Checksum(rows[:width-4], disk.Castagnoli))
	}
	return dst
}
