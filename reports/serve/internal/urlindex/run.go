package urlindex

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"robots-audit/reports/internal/disk"
)

// chunkBytes is how much of a sorted run is written, and read, at a time. Merging holds as
// much of each run: 10,000,000 URLs make some 40 runs in 128 MB.
const chunkBytes = 32 << 10

// runFile is the temporary file of the sorted runs. Several goroutines write runs to it, each
// in chunks, which lie in it as they come.
type runFile struct {
	file   *disk.Unnamed
	chunks atomic.Int64 // handed out
	limit  int          // chunkBytes, but in tests
}

// run is where a sorted run lies in the temporary file.
type run struct {
	chunks []int64
	bytes  int64 // all chunks are full but the last one
}

// runWriter writes the URLs of a run, each as what it does not share with the one before.
//
//	uvarint  bytes shared with the one before
//	uvarint  bytes that follow them
//	uvarint  site
//	1 byte   flags
//	n bytes  that follow
type runWriter struct {
	file *runFile
	run  run
	buf  []byte
}

func (w *runWriter) add(loc []byte, shared int, m meta) error {
	w.buf = binary.AppendUvarint(w.buf, uint64(shared))
	w.buf = binary.AppendUvarint(w.buf, uint64(len(loc)-shared))
	w.buf = binary.AppendUvarint(w.buf, uint64(m.site))
	w.buf = append(append(w.buf, m.flags()), loc[shared:]...)
	for len(w.buf) >= w.file.limit {
		if err := w.write(w.buf[:w.file.limit]); err != nil {
			return err
		}
		w.buf = append(w.buf[:0], w.buf[w.file.limit:]...)
	}
	return nil
}

func (w *runWriter) write(chunk []byte) error {
	at := w.file.chunks.Add(1) - 1
	w.run.chunks = append(w.run.chunks, at)
	w.run.bytes += int64(len(chunk))
	_, err := w.file.file.WriteAt(chunk, at*int64(w.file.limit))
	return err
}

// finish writes what is left.
func (w *runWriter) finish() (run, error) {
	if len(w.buf) == 0 {
		return w.run, nil
	}
	err := w.write(w.buf)
	return w.run, err
}

// runReader reads a run again.
type runReader struct {
	in *bufio.Reader

	loc    []byte
	shared int // with the one before; -1 = there is none any more. Merging changes it.
	meta   meta
}

func newRunReader(file *runFile, r run) *runReader {
	return &runReader{in: bufio.NewReaderSize(&chunkReader{file: file, run: r}, max(file.limit, 64))}
}

// errRun cannot happen but by a fault of the disk or of the program.
var errRun = errors.New("the temporary file of sorted URLs is not as it was written")

// next goes on to the next URL.
func (r *runReader) next() error {
	head, err := r.in.Peek(3*binary.MaxVarintLen32 + 1)
	if len(head) == 0 {
		r.shared = -1
		if err == io.EOF {
			err = nil
		}
		return err
	}
	shared, a := binary.Uvarint(head)
	own, b := binary.Uvarint(head[max(a, 0):])
	site, c := binary.Uvarint(head[max(a, 0)+max(b, 0):])
	size := a + b + c
	if a <= 0 || b <= 0 || c <= 0 || size >= len(head) || shared > uint64(len(r.loc)) || own > maxLoc {
		return errRun
	}
	r.shared, r.meta = int(shared), metaOf(uint32(site), head[size])
	r.in.Discard(size + 1) // it is in the buffer
	r.loc = reach(r.loc, int(shared+own))
	if _, err := io.ReadFull(r.in, r.loc[shared:]); err != nil {
		return fmt.Errorf("%w: %w", errRun, err)
	}
	return nil
}

// chunkReader reads the bytes of a run.
type chunkReader struct {
	file *runFile
	run  run
	read int64
}

func (c *chunkReader) Read(p []byte) (int, error) {
	limit := int64(c.file.limit)
	chunk, at := c.read/limit, c.read%limit
	n := min(int64(len(p)), limit-at, c.run.bytes-c.read)
	if n == 0 {
		return 0, io.EOF
	}
	c.read += n
	return c.file.file.ReadAt(p[:n], c.run.chunks[chunk]*limit+at)
}
