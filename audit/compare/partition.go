package compare

import (
	"errors"
	"fmt"
	"os"
	"slices"
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
	*in = entryReader{spill: s, begun: in.begun[:0]}
	if s.parts != nil {
		in.part = &s.parts[part]
	}
}

// entryReader reads the entries of a partition in the order in which they were added,
// many at a time.
type entryReader struct {
	spill *spill
	part  *spilled // nil = there is nothing to read
	chunk int      // to be read next; the last one is the rest
	begun []byte   // what was read beyond the entries that were handed out
}

// read returns the next entries in room, which it enlarges where it must: whole ones,
// with not more than limit bytes before the last of them. all = the partition ends with them.
func (r *entryReader) read(room entry, limit int) (entries entry, all bool, err error) {
	room = append(room[:0], r.begun...)
	at := 0 // where the whole entries end
	for at < limit {
		if rest := room[at:]; len(rest) >= entryBody && len(rest) >= rest.size() {
			at += rest.size()
			continue
		}
		if r.ended() || at > 0 && len(room) >= limit {
			break
		}
		if room, err = r.appendChunk(room); err != nil {
			return nil, false, err
		}
	}
	r.begun = append(r.begun[:0], room[at:]...)
	return room[:at], len(r.begun) == 0 && r.ended(), nil
}

// ended reports whether all bytes of the partition have been read.
func (r *entryReader) ended() bool { return r.part == nil || r.chunk > len(r.part.chunks) }

// appendChunk appends the bytes of the partition's next chunk.
func (r *entryReader) appendChunk(dst entry) (entry, error) {
	r.chunk++
	if r.chunk > len(r.part.chunks) {
		return append(dst, r.part.rest...), nil
	}
	at := len(dst)
	dst = slices.Grow(dst, chunkBytes)[:at+chunkBytes]
	if _, err := r.spill.file.ReadAt(dst[at:], int64(r.part.chunks[r.chunk-1])*chunkBytes); err != nil {
		return nil, r.spill.failed(err)
	}
	return dst, nil
}
