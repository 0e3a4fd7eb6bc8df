package compare

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

const (
	partitions = 256
	chunkBytes = 16 << 10 // of a partition, in memory before they are written
)

// spill holds the entries of one side that do not fit into memory, in partitions by
// the hash of their URLs. All lie in one temporary file, in chunks, which is made once
// there is a chunk to be written, and whose name is gone right after: whatever ends
// the program, nothing stays behind.
type spill struct {
	folder  string // "" = the system's
	file    *os.File
	named   bool      // the name could not be taken away while the file is open
	written uint32    // chunks
	parts   []spilled // nil = nothing was spilled
}

// spilled is one partition.
type spilled struct {
	chunks []uint32 // of the file, in order
	rest   []byte   // that follows them
	count  int      // of entries
}

// add adds an entry to its partition.
func (s *spill) add(e entry) error {
	if s.parts == nil {
		s.parts = make([]spilled, partitions)
	}
	p := &s.parts[e.part()]
	p.count++
	for b := []byte(e); len(b) > 0; {
		n := min(len(b), chunkBytes-len(p.rest))
		p.rest = append(p.rest, b[:n]...)
		b = b[n:]
		if len(p.rest) == chunkBytes {
			if err := s.write(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// write writes a partition's chunk.
func (s *spill) write(p *spilled) error {
	if err := s.create(); err != nil {
		return s.failed(err)
	}
	if _, err := s.file.WriteAt(p.rest, int64(s.written)*chunkBytes); err != nil {
		return s.failed(err)
	}
	p.chunks = append(p.chunks, s.written)
	p.rest = p.rest[:0]
	s.written++
	return nil
}

func (s *spill) create() (err error) {
	if s.file != nil {
		return nil
	}
	if s.file, err = os.CreateTemp(s.folder, "robots-audit-*.tmp"); err != nil {
		return err
	}
	s.named = os.Remove(s.file.Name()) != nil // Windows keeps the name of an open file
	return nil
}

// failed says what a temporary file is for and where it lies.
func (s *spill) failed(err error) error {
	folder := s.folder
	if folder == "" {
		folder = os.TempDir()
	}
	return fmt.Errorf("URLs that do not fit into memory, in the folder for temporary files %s: %w", folder, err)
}

// close frees the disk.
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

// count is the number of entries of a partition.
func (s *spill) count(part int) int {
	if s.parts == nil {
		return 0
	}
	return s.parts[part].count
}

// open begins to read a partition from its beginning.
func (s *spill) open(part int, in *entryReader) {
	in.spill, in.part, in.chunk = s, nil, 0
	if s.parts != nil {
		in.part = &s.parts[part]
	}
	if in.in == nil {
		in.in = bufio.NewReaderSize(nil, chunkBytes)
	}
	in.in.Reset(in)
}

// entryReader reads the entries of a partition in the order in which they were added.
type entryReader struct {
	spill *spill
	part  *spilled
	chunk int // to be read next; the last one is the rest
	at    int // bytes of it that were read
	in    *bufio.Reader
}

// Read reads the bytes of the partition.
func (r *entryReader) Read(b []byte) (n int, err error) {
	switch {
	case r.part == nil || r.chunk > len(r.part.chunks):
		return 0, io.EOF
	case r.chunk == len(r.part.chunks):
		n = copy(b, r.part.rest[r.at:])
		if r.at += n; r.at == len(r.part.rest) {
			r.chunk, r.at = r.chunk+1, 0
		}
		return n, nil
	}
	b = b[:min(len(b), chunkBytes-r.at)]
	n, err = r.spill.file.ReadAt(b, int64(r.part.chunks[r.chunk])*chunkBytes+int64(r.at))
	if err != nil {
		return n, r.spill.failed(err)
	}
	if r.at += n; r.at == chunkBytes {
		r.chunk, r.at = r.chunk+1, 0
	}
	return n, nil
}

// next appends the next entry to dst; io.EOF = there is none.
func (r *entryReader) next(dst []byte) ([]byte, error) {
	head, err := r.in.Peek(4)
	if err != nil {
		return dst, err
	}
	at, size := len(dst), entry(head).size()
	if dst = append(dst, head...); cap(dst) < at+size {
		dst = append(make([]byte, 0, max(2*cap(dst), at+size)), dst...)
	}
	dst = dst[:at+size]
	_, err = io.ReadFull(r.in, dst[at:])
	return dst, err
}
