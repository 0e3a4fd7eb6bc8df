package compare

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
)

const (
	partitions = 256
	chunkBytes = 16 << 10 // size of a partition in memory before a chunk is written

	// blockBytes bounds the entries of a partition of the old side in memory. This is enough for
	// some fifty million waiting URLs of a side.
	blockBytes = 16 << 20
)

// spill stores the entries of one side that do not fit into memory, in partitions by the hash of
// their URLs. All are in one temporary file, in chunks of whole entries. The file is created for
// the first chunk, and its name is removed immediately. So no file remains, however the program
// ends.
type spill struct {
	folder  string // "" = the system's
	file    *os.File
	named   bool      // the name could not be removed while the file is open
	written int64     // bytes
	parts   []spilled // nil = nothing was spilled
	room    entry     // buffer for the current chunk
}

// spilled is one partition.
type spilled struct {
	chunks []chunk // chunks in the file, in order
	rest   entry   // entries after the chunks
	count  int     // number of entries
}

// chunk is a part of the file.
type chunk struct {
	at   int64
	size int
}

// begin makes the partitions.
func (s *spill) begin() {
	if s.parts == nil {
		s.parts = make([]spilled, partitions)
	}
}

// add adds an entry to its partition.
func (s *spill) add(e entry) error {
	s.begin()
	p := &s.parts[e.part()]
	if len(p.rest) > 0 && len(p.rest)+len(e) > chunkBytes {
		if err := s.write(p); err != nil {
			return s.failed(err)
		}
	}
	p.rest = append(p.rest, e...)
	p.count++
	return nil
}

// write writes a partition's chunk.
func (s *spill) write(p *spilled) (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.folder, "robots-audit-*.tmp"); err != nil {
			return err
		}
		s.named = os.Remove(s.file.Name()) != nil // Windows keeps the name of an open file
	}
	if _, err := s.file.Write(p.rest); err != nil {
		return err
	}
	p.chunks = append(p.chunks, chunk{s.written, len(p.rest)})
	s.written += int64(len(p.rest))
	p.rest = p.rest[:0]
	return nil
}

// failed adds the purpose and place of the temporary file to an error.
func (s *spill) failed(err error) error {
	folder := s.folder
	if folder == "" {
		folder = os.TempDir()
	}
	return fmt.Errorf("URLs that do not fit into memory, in the folder for temporary files %s: %w", folder, err)
}

// close closes and removes the file.
func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	s.file = nil
	return err
}

// entries yields the entries of a partition in the order in which they were added. Each is valid
// until the next one.
func (s *spill) entries(part int) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		p := &s.parts[part]
		for _, c := range p.chunks {
			s.room = slices.Grow(s.room[:0], c.size)[:c.size]
			if _, err := s.file.ReadAt(s.room, c.at); err != nil {
				yield(nil, s.failed(err))
				return
			}
			for e := range s.room.left() {
				if !yield(e, nil) {
					return
				}
			}
		}
		for e := range p.rest.left() {
			if !yield(e, nil) {
				return
			}
		}
	}
}
