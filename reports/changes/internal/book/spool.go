package book

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"iter"

	"github.com/klauspost/compress/zstd"

	"robots-audit/reports/internal/disk"
)

// spool keeps rows until they can be written: in memory while they are few, then in a compressed
// file without a name. The order of rows stays the same. disk and dir must be set.
type spool struct {
	disk disk.FS
	dir  string
	rows int64
	wait []byte // rows that are not in the file yet, each after its length
	file *disk.Unnamed
	zip  *zstd.Encoder
}

// spoolMemory is the maximum number of bytes of rows in memory.
const spoolMemory = 256 << 10

// add keeps a row.
func (s *spool) add(row []byte) error {
	s.rows++
	s.wait = append(binary.AppendUvarint(s.wait, uint64(len(row))), row...)
	if len(s.wait) < spoolMemory {
		return nil
	}
	return s.flush()
}

func (s *spool) flush() error {
	if s.file == nil {
		file, err := disk.CreateUnnamed(s.disk, s.dir)
		if err != nil {
			return err
		}
		s.file = file
		s.zip, err = zstd.NewWriter(file, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
	}
	_, err := s.zip.Write(s.wait)
	s.wait = s.wait[:0]
	return err
}

// all yields the rows, after the last has been added.
func (s *spool) all() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		in, err := s.reader()
		if err != nil {
			yield("", err)
			return
		}
		defer in.Close()
		from := bufio.NewReaderSize(in, 64<<10)
		for row := []byte(nil); ; {
			length, err := binary.ReadUvarint(from)
			if errors.Is(err, io.EOF) {
				return
			}
			if err == nil {
				row = append(row[:0], make([]byte, length)...)
				_, err = io.ReadFull(from, row)
			}
			if !yield(string(row), err) || err != nil {
				return
			}
		}
	}
}

// reader reads what add has written.
func (s *spool) reader() (io.ReadCloser, error) {
	if s.file == nil {
		return io.NopCloser(bytes.NewReader(s.wait)), nil
	}
	if err := s.flush(); err != nil {
		return nil, err
	}
	if err := s.zip.Close(); err != nil {
		return nil, err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	in, err := zstd.NewReader(s.file, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return in.IOReadCloser(), nil
}

// close removes the file.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		s.file = nil
	}
}
