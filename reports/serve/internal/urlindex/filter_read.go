package urlindex

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	"robots-audit/reports/internal/disk"
)

// manyRows is how many rows a search reads at most: more hardly make the blocks fewer.
const manyRows = 32

// readRows reads what the filter says of a part's blocks.
func (s *search) readRows(part int) error {
	s.rows = nil
	if s.table.rows[part] == 0 {
		return nil
	}
	width := rowBytes(min(partBlocks, len(s.table.blocks)-part*partBlocks))
	row := make([]byte, width)
	read := func(n uint32) error {
		at := s.table.rows[part] + int64(n)*int64(width)
		if err := s.readAt(row, at); err != nil {
			return err
		}
		if crc32.Checksum(row[:width-4], disk.Castagnoli) != binary.LittleEndian.Uint32(row[width-4:]) {
			return fmt.Errorf("%w: at byte %d", ErrDamaged, at)
		}
		return nil
	}
	text := s.letters()
	for seen := 0; len(text) >= 3 && seen < manyRows; seen, text = seen+1, text[1:] {
		if err := read(lettersRow(text[0], text[1], text[2])); err != nil {
			return err
		}
		if s.rows == nil {
			s.rows = slices.Clone(row)
		}
		for i, b := range row {
			s.rows[i] &= b
		}
	}
	if s.q.Sites == nil || len(s.q.Sites) > manyRows {
		return nil
	}
	sites := make([]byte, width)
	for _, site := range s.q.Sites {
		if err := read(siteRow(uint32(site))); err != nil {
			return err
		}
		for i, b := range row {
			sites[i] |= b
		}
	}
	if s.rows == nil {
		s.rows = sites
	}
	for i, b := range sites {
		s.rows[i] &= b
	}
	return nil
}
