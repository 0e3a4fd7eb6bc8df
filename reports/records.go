package reports

import (
	"bufio"
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"iter"
	"os"

	"github.com/klauspost/compress/zstd"

	"robots-audit/audit"
	"robots-audit/reports/internal/buffer"
	"robots-audit/reports/internal/disk"
)

// recordsExt is the extension of a site's file of records: Zstandard frames, one
// after the other, of JSON Lines.
const recordsExt = ".jsonl.zst"

// packedSize is the number of compressed bytes that a site keeps in memory.
const packedSize = 16 << 10

// recordChunk is the number of bytes of JSON that are compressed at once.
const recordChunk = 24 << 10

// record writes the record itself, and returns it as it can be read again. URLs
// leave their domain out: the whole file is of one.
func (s *siteRun) record(rec audit.Record) audit.Record {
	if s.run.rebuild {
		return rec
	}
	b := s.buffers
	if rec.URLs != nil {
		b.record = audit.Encode(b.record[:0], audit.Record{URLs: rec.URLs})
	} else {
		b.record = audit.Encode(b.record[:0], rec)
		rec = asWritten(rec, b.record)
	}
	if s.json == nil {
		s.json = buffer.Get()
	}
	for wire := b.record; len(wire) > 0; { // chunks of one size: how URLs were batched leaves no trace
		n := min(len(wire), recordChunk-len(s.json))
		s.json, wire = append(s.json, wire[:n]...), wire[n:]
		if len(s.json) == recordChunk {
			s.pack()
		}
	}
	if cap(b.record) > 256<<10 { // a large robots.txt went through
		b.record = nil
	}
	return rec
}

// asWritten returns a record as a reader of line will see it: JSON shows bytes
// that are not UTF-8 as \ufffd, and so must the reports, which are to be the
// same whether they are made from the record or from the line.
func asWritten(rec audit.Record, line []byte) audit.Record {
	if !bytes.Contains(line, []byte(`\ufffd`)) {
		return rec
	}
	for read, err := range audit.Decode(bytes.NewReader(line)) {
		if err == nil {
			return read
		}
	}
	return rec
}

// pack compresses the records that wait, and writes what is compressed out of
// memory once it is much.
func (s *siteRun) pack() {
	if len(s.json) == 0 {
		return
	}
	b := s.buffers
	b.packing = s.run.zstd.EncodeAll(s.json, b.packing[:0])
	s.packed = append(s.packed, b.packing...)
	s.json = s.json[:0]
	if len(s.packed) >= packedSize {
		s.spill()
	}
}

func (s *siteRun) spill() {
	if s.err == nil {
		s.err = s.run.disk.Append(s.tempRecords(), s.packed)
	}
	s.spilled += int64(len(s.packed))
	s.packed = s.packed[:0]
}

// maxWindow bounds the memory that a file of records may ask a reader for.
const maxWindow = 8 << 20

// maxPacked bounds how many bytes one byte of a file of records may become.
// Frames are made of chunks of recordChunk, and none is shorter than a dozen.
const maxPacked = recordChunk / 12

// readBytes are the size and checksum of a file that was read to its end.
type readBytes struct {
	size int64
	sum  uint32
}

func (b *readBytes) Write(p []byte) (int, error) {
	b.size += int64(len(p))
	b.sum = crc32.Update(b.sum, disk.Castagnoli, p)
	return len(p), nil
}

// readRecords reads a file of records.
func readRecords(name string) iter.Seq2[audit.Record, error] {
	return readCounted(name, &readBytes{})
}

// readCounted reads a file of records and counts its bytes.
func readCounted(name string, read *readBytes) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		f, err := disk.Open(name, os.O_RDONLY)
		if err != nil {
			yield(audit.Record{}, err)
			return
		}
		defer f.Close()
		z, err := zstd.NewReader(io.TeeReader(bufio.NewReader(f), read), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			yield(audit.Record{}, err)
			return
		}
		defer z.Close()
		for rec, err := range audit.Decode(&unpacked{from: z, packed: read}) {
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// unpacked are the bytes of a file of records, within the bound of what its
// packed bytes may become.
type unpacked struct {
	from   io.Reader
	packed *readBytes
	n      int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	if u.n += int64(n); u.n > (u.packed.size+4096)*maxPacked {
		return 0, errors.New("it unpacks to more than any records do")
	}
	return n, err
}
